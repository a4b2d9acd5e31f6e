"""The two wires on which the chat models are tested, in the same words: deltas, an end, and failures."""

import json
from typing import Any, Protocol

from clew.answering.chat_model import ChatModel
from clew.models.bedrock_chat import BedrockChat
from clew.models.openai_chat import OpenAIChat
from tests.integration.models import eventstream
from tests.integration.models.scripted_server import Answer, Step

READ_TIMEOUT = 30.0


class Wire(Protocol):
    """How one provider says what every provider says."""

    model_name: str

    def model(self, url: str, read_timeout: float = READ_TIMEOUT) -> ChatModel:
        """The adapter under test, without retries."""
        ...

    def answer(self, *steps: Step) -> Answer: ...

    def delta(self, text: str) -> bytes: ...

    def end(self, stop_reason: str = "end") -> list[Step]:
        """The end of an answer that took 11 tokens in and 7 out."""
        ...

    def end_without_usage(self) -> list[Step]: ...

    def malformed(self) -> list[bytes]:
        """Frames that cannot be read, one for each way of being broken."""
        ...

    def throttled_inside(self) -> bytes:
        """The frame that reports throttling once the stream is open."""
        ...

    def refusal(self, kind: str) -> Answer:
        """A response of an error status: ``throttled``, ``unavailable``, ``denied`` or ``invalid``."""
        ...

    def asked(self, body: Any) -> list[tuple[str, str]]:
        """Roles and texts of the request's messages."""
        ...


class BedrockWire:
    model_name = "anthropic.claude-haiku-4-5-20251001-v1:0"

    def model(self, url: str, read_timeout: float = READ_TIMEOUT) -> ChatModel:
        return BedrockChat(self.model_name, endpoint_url=url, read_timeout=read_timeout, attempts=1)

    def answer(self, *steps: Step) -> Answer:
        start = eventstream.event("messageStart", {"role": "assistant"})
        return Answer([start, *steps], headers={"Content-Type": eventstream.CONTENT_TYPE})

    def delta(self, text: str) -> bytes:
        return eventstream.event("contentBlockDelta", {"delta": {"text": text}, "contentBlockIndex": 0})

    def end(self, stop_reason: str = "end") -> list[Step]:
        usage = {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18}
        metadata = eventstream.event("metadata", {"usage": usage, "metrics": {"latencyMs": 5}})
        return [*self._stop(stop_reason), metadata]

    def end_without_usage(self) -> list[Step]:
        return self._stop("end")

    def _stop(self, stop_reason: str) -> list[Step]:
        reason = {"end": "end_turn"}.get(stop_reason, stop_reason)
        return [
            eventstream.event("contentBlockStop", {"contentBlockIndex": 0}),
            eventstream.event("messageStop", {"stopReason": reason}),
        ]

    def malformed(self) -> list[bytes]:
        no_json = {":event-type": "contentBlockDelta", ":message-type": "event"}
        return [
            eventstream.corrupted(self.delta("a piece whose checksum does not fit")),
            eventstream.frame(no_json, b"{not json"),
            b"HTTP is not an event stream, whatever its length",
        ]

    def throttled_inside(self) -> bytes:
        return eventstream.failure("throttlingException", "Too many tokens, please wait.")

    def refusal(self, kind: str) -> Answer:
        status, code = {
            "throttled": (429, "ThrottlingException"),
            "unavailable": (503, "ServiceUnavailableException"),
            "denied": (403, "AccessDeniedException"),
            "invalid": (400, "ValidationException"),
        }[kind]
        body = json.dumps({"message": "a sentence of the service"}).encode()
        return Answer([body], status, {"Content-Type": "application/json", "x-amzn-ErrorType": code})

    def asked(self, body: Any) -> list[tuple[str, str]]:
        system = [("system", part["text"]) for part in body["system"]]
        return system + [(message["role"], part["text"]) for message in body["messages"] for part in message["content"]]


class OpenAIWire:
    model_name = "qwen2.5:7b"

    def model(self, url: str, read_timeout: float = READ_TIMEOUT) -> ChatModel:
        return OpenAIChat(f"{url}/v1", self.model_name, read_timeout=read_timeout)

    def answer(self, *steps: Step) -> Answer:
        return Answer(
            [self._choice({"role": "assistant", "content": ""}), *steps],
            headers={"Content-Type": "text/event-stream; charset=utf-8"},
        )

    def delta(self, text: str) -> bytes:
        return self._choice({"content": text})

    def end(self, stop_reason: str = "end") -> list[Step]:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        return [*self._stop(stop_reason), self._frame({"choices": [], "usage": usage}), b"data: [DONE]\n\n"]

    def end_without_usage(self) -> list[Step]:
        return [*self._stop("end"), b"data: [DONE]\n\n"]

    def _stop(self, stop_reason: str) -> list[Step]:
        reason = {"end": "stop", "max_tokens": "length"}[stop_reason]
        return [self._choice({}, finish_reason=reason)]

    def malformed(self) -> list[bytes]:
        return [b"data: {not json\n\n", b'data: "a string"\n\n', self._frame({"choices": "none"})]

    def throttled_inside(self) -> bytes:
        return self._frame({"error": {"message": "too many requests", "code": 429}})

    def refusal(self, kind: str) -> Answer:
        status = {"throttled": 429, "unavailable": 503, "denied": 401, "invalid": 400}[kind]
        body = json.dumps({"error": {"message": "a sentence of the server"}}).encode()
        return Answer([body], status, {"Content-Type": "application/json"})

    def asked(self, body: Any) -> list[tuple[str, str]]:
        return [(message["role"], message["content"]) for message in body["messages"]]

    def _choice(self, delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        return self._frame({"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})

    def _frame(self, content: dict[str, Any]) -> bytes:
        return f"data: {json.dumps({'object': 'chat.completion.chunk', **content})}\n\n".encode()
