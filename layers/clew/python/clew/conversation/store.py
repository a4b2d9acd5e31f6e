"""The conversation store: what one tenant's users and their assistants said."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clew import table_keys as keys
from clew.conversation import appending, clearing
from clew.conversation.clock import Clock, timestamp, utc_now
from clew.conversation.codec import (
    feedback_item,
    message_body,
    read_conversation,
    read_feedback,
    read_message,
    stored_size,
)
from clew.conversation.message import Conversation, Feedback, Message, MessagePage, StoredRole
from clew.errors import ConversationNotFoundError, InvalidRequestError, MessageNotFoundError
from clew.identifiers import check_outside_id
from clew.retrieval.evidence import Citation
from clew.table import Item, ItemTable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

PAGE_BYTES: Final = 1024 * 1024
"""A page ends at this size: a Lambda function's answer may have 6 MB, and JSON within JSON escapes much."""


class ConversationStore:
    """Conversations of one tenant in the DynamoDB table; safe to share between threads.

    All methods raise ThrottledError and StoreUnavailableError where another try may help.
    """

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def get_or_create_conversation_id(self, user_id: str, session_id: str) -> str:
        """The id of the user's conversation in the session, which exists afterwards."""
        found = self._id(user_id, session_id)
        # Read without consistency, for half the price: to overlook the head costs two refused writes.
        if self._table.get(keys.head_key(found), consistent=False, fields=("tenant_id",)):
            return found
        names = {"tenant_id": self._tenant_id, "user_id": user_id, "session_id": session_id}
        common = names | {"conversation_id": found, "created_at": self._now()}
        # The head comes last: where it is, the listing knows the conversation too.
        self._table.put_new(keys.session_key(self._tenant_id, user_id, session_id), common)
        counters = {"last_seq": 0, "cleared_seq": 0, "recent": {}, "updated_at": common["created_at"]}
        self._table.put_new(keys.head_key(found), common | counters)
        return found

    def find_conversation(self, user_id: str, session_id: str) -> Conversation | None:
        """The user's conversation in the session, if there is one; never creates it."""
        head = self._table.get(keys.head_key(self._id(user_id, session_id)))
        return read_conversation(head) if head else None

    def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]:
        """The user's conversations, the one last written to first.

        Reads every conversation's head to order them: fit for the thousands that a person has.
        """
        check_outside_id(user_id, "user_id")
        _check_limit(limit)
        partition = keys.user_pk(self._tenant_id, user_id)
        sessions = self._table.query(partition, begins_with=keys.SESSION_PREFIX, fields=("conversation_id",))
        heads = self._table.get_many(keys.head_key(session["conversation_id"]) for session in sessions)
        conversations = [read_conversation(head) for head in heads]
        conversations.sort(key=lambda each: (each.updated_at, each.conversation_id), reverse=True)
        return conversations[:limit]

    def append_message(
        self,
        conversation_id: str,
        role: StoredRole,
        content: str,
        citations: Sequence[Citation] = (),
        debug: dict[str, Any] | None = None,
        *,
        client_message_id: str = "",
    ) -> Message:
        """Store the next message; a repeat with the same ``client_message_id`` returns the stored one.

        The client message id holds for the conversation's last 32 appends. Raises MessageTooLargeError
        before anything is written, ConversationNotFoundError for an id that the tenant does not have.
        """
        body = message_body(content, citations, debug) | {"role": role}
        item = appending.append(
            self._table,
            self._tenant_id,
            conversation_id,
            body,
            client_message_id=client_message_id,
            now=self._now(),
        )
        return read_message(item)

    def list_messages(self, conversation_id: str, limit: int = 50, before: str = "") -> MessagePage:
        """The newest ``limit`` messages, or the newest of those before the message ``before``, oldest first.

        A page of long messages ends earlier; ``next_before`` tells whether there is more.
        """
        _check_limit(limit)
        place = keys.parse_message_id(before)
        if before and (place is None or place.conversation_id != conversation_id):
            raise InvalidRequestError(
                f"before {before[:140]!r} is no message id of this conversation.",
                {"before": "is no message id of this conversation"},
            )
        items: list[Item] = []
        size, more = 0, False
        for item in self._newest_first(conversation_id, limit + 1, place.seq if place else None):
            size += stored_size(item)
            more = len(items) == limit or bool(items and size > PAGE_BYTES)
            if more:
                break
            items.append(item)
        if not items:
            return MessagePage(messages=())
        items.reverse()
        feedback = self._feedback(conversation_id, int(items[0]["seq"]), int(items[-1]["seq"]))
        messages = tuple(read_message(item, feedback.get(int(item["seq"]))) for item in items)
        return MessagePage(messages=messages, next_before=messages[0].message_id if more else "")

    def recent(self, conversation_id: str, n: int) -> list[Message]:
        """The last ``n`` messages, oldest first, without their feedback."""
        if n < 1:
            return []
        items = list(islice(self._newest_first(conversation_id, n), n))
        return [read_message(item) for item in reversed(items)]

    def clear_messages(self, conversation_id: str) -> int:
        """Delete the conversation's messages with all that hangs on them; how many messages there were."""
        return clearing.clear(self._table, self._tenant_id, conversation_id)

    def put_feedback(self, conversation_id: str, feedback: Feedback) -> None:
        """Store a judgement of one message, over an earlier one; MessageNotFoundError if there is no such."""
        place = keys.parse_message_id(feedback.message_id)
        if place is None or place.conversation_id != conversation_id:
            raise MessageNotFoundError(feedback.message_id)
        message = self._table.get(keys.message_key(*place), fields=("tenant_id",))
        if message is None or message["tenant_id"] != self._tenant_id:
            raise MessageNotFoundError(feedback.message_id)
        self._table.put(keys.feedback_key(*place), feedback_item(feedback, self._now()))

    def _newest_first(self, conversation_id: str, page: int, before: int | None = None) -> Iterator[Item]:
        last = keys.LAST_SEQ if before is None else before - 1
        if last < 1:
            return  # DynamoDB refuses a range that ends before it begins
        between = keys.message_sk(1), keys.message_sk(last)
        partition = keys.conversation_pk(conversation_id)
        for item in self._table.query(partition, between=between, newest_first=True, page=page):
            if item["tenant_id"] != self._tenant_id:
                raise ConversationNotFoundError(conversation_id)
            yield item

    def _feedback(self, conversation_id: str, first: int, last: int) -> dict[int, Feedback]:
        """Feedback on the messages from ``first`` to ``last``, by the message's number."""
        between = keys.feedback_sk(conversation_id, first), keys.feedback_sk(conversation_id, last)
        judged: dict[int, Feedback] = {}
        for item in self._table.query(keys.conversation_pk(conversation_id), between=between):
            feedback = read_feedback(item)
            if place := keys.parse_message_id(feedback.message_id):
                judged[place.seq] = feedback
        return judged

    def _id(self, user_id: str, session_id: str) -> str:
        check_outside_id(user_id, "user_id")
        check_outside_id(session_id, "session_id")
        return keys.conversation_id(self._tenant_id, user_id, session_id)

    def _now(self) -> str:
        return timestamp(self._clock())


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise InvalidRequestError(f"limit is {limit}; it must be at least 1.", {"limit": "is below 1"})
