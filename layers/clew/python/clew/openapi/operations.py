"""The operations of the HTTP interface: what each takes and answers."""

from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from clew.edge.identity import TENANT_HEADER
from clew.edge.requests import ConversationsQuery, MessagesQuery
from clew.identifiers import OUTSIDE_ID
from clew.openapi.refusals import ANSWER, ANY, STORE, refusals
from clew.openapi.schemas import ID_OR_NONE, Schema, query_parameters, ref

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
ASK: Final = {"user_id": "ann", "session_id": "monday", "message": "Where was the composer of Oppenheimer born?"}


@dataclass(frozen=True)
class Operation:
    """One method of one path; ``refused_with`` are problem types without their prefix.

    ``body`` and ``answer`` are names of schemas. An ``is_open`` one asks for no token.
    """

    method: str
    path: str
    id: str
    summary: str
    answer: str = ""
    told: str = ""
    body: str = ""
    example: dict[str, Any] = field(default_factory=dict)
    query: type[BaseModel] | None = None
    refused_with: tuple[str, ...] = ANY
    streams: bool = False
    is_open: bool = False

    def describe(self) -> Schema:
        """The operation as the document has it."""
        described: Schema = {"operationId": self.id, "summary": self.summary}
        if self.told:
            described["description"] = self.told
        if self.is_open:
            described["security"] = []
        if parameters := self._parameters():
            described["parameters"] = parameters
        if self.body:
            content: Schema = {"schema": ref(self.body)}
            if self.example:
                content["examples"] = {"one": {"value": self.example}}
            described["requestBody"] = {"required": True, "content": {JSON: content}}
        described["responses"] = {"200": self._answer()} | refusals(self.refused_with, is_open=self.is_open)
        return described

    def _parameters(self) -> list[Schema]:
        found: list[Schema] = []
        if "{session_id}" in self.path:
            schema = {"type": "string", "pattern": OUTSIDE_ID}
            found.append({"name": "session_id", "in": "path", "required": True, "schema": schema})
        if self.query:
            found += query_parameters(self.query)
        if self.streams:
            found.append(_LAST_EVENT_ID)
        if not self.is_open:
            found.append(_TENANT)
        return found

    def _answer(self) -> Schema:
        if self.streams:
            return {"description": _STREAM, "content": {EVENT_STREAM: {"schema": _FRAME}}}
        schema = ref(self.answer) if self.answer else {"type": "object"}
        return {"description": "Done as asked.", "content": {JSON: {"schema": schema}}}


_TENANT: Final[Schema] = {
    "name": TENANT_HEADER.title(),
    "in": "header",
    "description": "Names the tenant where a stage has no identity, such as on the laptop: `default` without it. "
    "With a token it means nothing.",
    "schema": {"type": "string", "pattern": ID_OR_NONE},
}
_LAST_EVENT_ID: Final[Schema] = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The `id` of the last event that was received of the same request: the stream goes on behind it. "
    "Without the request's `message_id` it also tells which message that was.",
    "schema": {"type": "string"},
}
_STREAM: Final = (
    "Server-sent events. The schema is that of one event: its `data` is an Event. Lines that begin with a colon "
    "keep the connection alive and carry nothing. From the first event on, trouble is an `error` event."
)
_FRAME: Final[Schema] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "data": {"type": "string", "contentMediaType": JSON, "contentSchema": ref("Event")},
    },
    "required": ["data"],
}
_ASKING: Final = (*ANY, *STORE, *ANSWER)
_OF_A_MESSAGE: Final = (*ANY, *STORE, "conversation-not-found", "message-not-found")

OPERATIONS: Final = (
    Operation(
        "post",
        "/api/v1/chat/stream",
        "streamAnswer",
        "Ask, and read the answer as it is written",
        body="ChatRequest",
        example=ASK,
        refused_with=_ASKING,
        streams=True,
    ),
    Operation(
        "post",
        "/api/v1/chat",
        "answer",
        "Ask, and get the whole answer",
        "CollectedAnswer",
        body="ChatRequest",
        example=ASK,
        refused_with=_ASKING,
    ),
    Operation(
        "post",
        "/api/v1/chat/cancel",
        "cancelAnswer",
        "Stop an answer that is being written",
        "Cancelled",
        "The stream ends with `done` and the `stop_reason` `cancelled`; what was written is stored.",
        body="CancelRequest",
        refused_with=_OF_A_MESSAGE,
    ),
    Operation(
        "post",
        "/api/v1/route",
        "route",
        "Where a message would be looked up, without answering it",
        "RouteDecision",
        body="RouteRequest",
        refused_with=(
            *(*ANY, *STORE, "unknown-agent-type", "unknown-knowledge-base", "message-too-long"),
            *("model-failed", "model-throttled", "model-unavailable"),
        ),
    ),
    Operation(
        "post",
        "/api/v1/clear",
        "clear",
        "Remove all that was said in a session",
        "Cleared",
        body="ClearRequest",
        refused_with=(*ANY, *STORE),
    ),
    Operation(
        "post",
        "/api/v1/feedback",
        "judge",
        "Judge an answer",
        "Judged",
        "`metadata` may have 32 KB. A later judgement replaces an earlier one.",
        body="FeedbackRequest",
        refused_with=_OF_A_MESSAGE,
    ),
    Operation(
        "get",
        "/api/v1/conversations",
        "listConversations",
        "A user's conversations, the one last written to first",
        "ConversationPage",
        query=ConversationsQuery,
        refused_with=(*ANY, *STORE),
    ),
    Operation(
        "get",
        "/api/v1/conversations/{session_id}/messages",
        "listMessages",
        "A page of a session's messages, oldest first",
        "MessagePage",
        "`before` and `after` are ids of messages of the session; one of them at most.",
        query=MessagesQuery,
        refused_with=(*ANY, *STORE, "conversation-not-found", "not-found"),
    ),
    Operation(
        "get",
        "/api/v1/knowledge-bases",
        "listKnowledgeBases",
        "The tenant's knowledge bases",
        "KnowledgeBases",
        refused_with=(*ANY, *STORE),
    ),
    Operation("get", "/api/v1/health", "health", "Version and stage", "Health", is_open=True),
    Operation("get", "/api/v1/openapi.json", "describe", "This document", is_open=True),
)
