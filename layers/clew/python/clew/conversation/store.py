"""The conversation store: what one tenant's users and their assistants said."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clew import table_keys as keys
from clew.conversation import appending, clearing
from clew.conversation.begun import Begun
from clew.conversation.clock import Clock, timestamp, utc_now
from clew.conversation.codec import message_body, read_conversation, read_message, read_or_show
from clew.conversation.feedback import FeedbackStore
from clew.conversation.list_position import ListPosition
from clew.conversation.message import (
    Conversation,
    ConversationPage,
    Feedback,
    Message,
    MessagePage,
    StoredRole,
)
from clew.conversation.pending import PendingIntents
from clew.conversation.recollecting import recollect
from clew.conversation.recollection import Recollection
from clew.conversation.summary_item import Summaries
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

    A turn takes ``begin``, ``recollect`` and ``append_message``: two writes, one query, two writes, however long
    the conversation is. ``summaries``, ``pending`` and ``feedback`` are what hangs on conversations. All methods
    raise ThrottledError and StoreUnavailableError where another try may help.
    """

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock
        self.summaries = Summaries(table, tenant_id, clock)
        self.pending = PendingIntents(table, tenant_id, clock)
        self.feedback = FeedbackStore(table, tenant_id, clock)

    def begin(self, user_id: str, session_id: str, content: str, client_message_id: str = "") -> Begun:
        """Store a user's message in the conversation of the session, which is created if need be.

        A repeat with the same ``client_message_id`` gets the stored message, with ``repeated``; the id holds for
        the conversation's last 32 appends. Raises MessageTooLargeError before anything is written.
        """
        found = self._id(user_id, session_id)
        body = message_body(content, (), None) | {"role": "user"}
        try:
            appended = self._append(found, body, client_message_id)
        except ConversationNotFoundError:
            self._create(found, user_id, session_id)
            appended = self._append(found, body, client_message_id)
        return Begun(
            conversation_id=found,
            message=read_message(appended.item),
            cleared_seq=int(appended.head["cleared_seq"]),
            repeated=appended.repeated,
        )

    def recollect(self, conversation_id: str, before_seq: int, cleared_seq: int) -> Recollection:
        """What a turn needs of the past: summary, the messages after it, the open follow-up question.

        ``before_seq`` is the number of the turn's own message and ``cleared_seq`` as ``begin`` told it.
        """
        return recollect(self._table, self._tenant_id, conversation_id, before_seq, cleared_seq, self._clock())

    def get_or_create_conversation_id(self, user_id: str, session_id: str) -> str:
        """The id of the user's conversation in the session, which exists afterwards."""
        found = self._id(user_id, session_id)
        # Read without consistency, for half the price: to overlook the head costs two refused writes.
        if not self._table.get(keys.head_key(found), consistent=False, fields=("tenant_id",)):
            self._create(found, user_id, session_id)
        return found

    def find_conversation(self, user_id: str, session_id: str) -> Conversation | None:
        """The user's conversation in the session, if there is one; never creates it."""
        head = self._table.get(keys.head_key(self._id(user_id, session_id)))
        return read_conversation(head) if head else None

    def get_conversation(self, conversation_id: str) -> Conversation | None:
        """The tenant's conversation of that id, and so whose it is; as it was a moment ago, for half the price."""
        head = self._table.get(keys.head_key(conversation_id), consistent=False)
        return read_conversation(head) if head and head["tenant_id"] == self._tenant_id else None

    def list_conversations(self, user_id: str, limit: int = 50, before: str = "") -> ConversationPage:
        """The user's conversations, the one last written to first; ``before`` is the ``next_before`` of a page.

        Reads every conversation's head to order them: fit for the thousands that a person has. One that is
        written to meanwhile moves to the first page.
        """
        check_outside_id(user_id, "user_id")
        _check_limit(limit)
        end = ListPosition.parse(before) if before else None
        partition = keys.user_pk(self._tenant_id, user_id)
        sessions = self._table.query(partition, begins_with=keys.SESSION_PREFIX, fields=("conversation_id",))
        heads = self._table.get_many(keys.head_key(session["conversation_id"]) for session in sessions)
        found = sorted(map(read_conversation, heads), key=ListPosition.of, reverse=True)
        if end:
            found = [each for each in found if ListPosition.of(each) < end]
        more = str(ListPosition.of(found[limit - 1])) if len(found) > limit else ""
        return ConversationPage(conversations=tuple(found[:limit]), next_before=more)

    def number_of(self, conversation_id: str, message_id: str) -> int:
        """The number of a message, by its id or by the client's own id of it; MessageNotFoundError.

        A client's id holds for the conversation's last 32 appends.
        """
        head = self._table.get(
            keys.head_key(conversation_id), fields=("tenant_id", "recent", "cleared_seq", "last_seq")
        )
        if head is None or head["tenant_id"] != self._tenant_id:
            raise ConversationNotFoundError(conversation_id)
        place = keys.parse_message_id(message_id)
        if place is None:
            seq = int(head["recent"].get(appending.token_of(message_id), 0))
        else:
            seq = place.seq if place.conversation_id == conversation_id else 0
        if not int(head["cleared_seq"]) < seq <= int(head["last_seq"]):
            raise MessageNotFoundError(message_id)
        return seq

    def find_message(self, conversation_id: str, seq: int) -> Message | None:
        """The message with that number, without its feedback; None where there is none."""
        item = self._table.get(keys.message_key(conversation_id, seq))
        return read_message(item) if item and item["tenant_id"] == self._tenant_id else None

    def find_sent_as(self, conversation_id: str, client_message_id: str) -> Message | None:
        """The message that was appended under that id, without its feedback; None where there is none any more."""
        head = self._table.get(keys.head_key(conversation_id), fields=("tenant_id", "recent", "cleared_seq"))
        if head is None or head["tenant_id"] != self._tenant_id:
            raise ConversationNotFoundError(conversation_id)
        seq = int(head["recent"].get(appending.token_of(client_message_id), 0))
        return self.find_message(conversation_id, seq) if seq > int(head["cleared_seq"]) else None

    def append_message(
        self,
        conversation_id: str,
        role: StoredRole,
        content: str,
        citations: Sequence[Citation] = (),
        debug: dict[str, Any] | None = None,
        *,
        client_message_id: str = "",
        is_ask_user: bool = False,
        pending_intent: str = "",
        summary_seq: int = 0,
        in_reply_to: int = 0,
    ) -> Message:
        """Store the next message; a repeat with the same ``client_message_id`` returns the stored one.

        The client message id holds for the conversation's last 32 appends. An answer gives the number of the user's
        message as ``in_reply_to``: where that has been cleared, nothing is stored and ConversationClearedError is
        raised. Raises MessageTooLargeError before anything is written, ConversationNotFoundError for an id that the
        tenant does not have.
        """
        body = message_body(
            content,
            citations,
            debug,
            is_ask_user=is_ask_user,
            pending_intent=pending_intent,
            summary_seq=summary_seq,
        )
        appended = self._append(conversation_id, body | {"role": role}, client_message_id, in_reply_to)
        return read_message(appended.item)

    def list_messages(self, conversation_id: str, limit: int = 50, before: str = "", after: str = "") -> MessagePage:
        """The newest ``limit`` messages, those just before the message ``before`` or just after ``after``.

        They come oldest first. A page of long messages ends earlier; ``next_before`` and ``next_after`` tell
        whether there is more. A message that cannot be read does not hide the others: it comes with its text, if
        that can be read, and ``debug`` of ``{"unreadable": true}``. Raises ConversationNotFoundError for an id that
        the tenant does not have.
        """
        _check_limit(limit)
        if before and after:
            raise InvalidRequestError("Use before or after, not both.", {"after": "does not go with before"})
        end, start = _message_seq(conversation_id, before, "before"), _message_seq(conversation_id, after, "after")
        head = self._table.get(keys.head_key(conversation_id), fields=("tenant_id", "last_seq", "cleared_seq"))
        if head is None or head["tenant_id"] != self._tenant_id:
            raise ConversationNotFoundError(conversation_id)
        first = max(int(head["cleared_seq"]), start or 0) + 1
        last = keys.LAST_SEQ if end is None else end - 1
        found, more = self._page(conversation_id, first, last, limit, oldest_first=start is not None)
        if not found:
            return MessagePage(messages=())
        feedback = self.feedback.of_messages(conversation_id, found[0].seq, found[-1].seq)
        messages = tuple(each.model_copy(update={"feedback": feedback.get(each.seq)}) for each in found)
        older = more if start is None else found[0].seq > int(head["cleared_seq"]) + 1
        newer = more if start is not None else end is not None and found[-1].seq < int(head["last_seq"])
        return MessagePage(
            messages=messages,
            next_before=messages[0].message_id if older else "",
            next_after=messages[-1].message_id if newer else "",
        )

    def recent(self, conversation_id: str, n: int) -> list[Message]:
        """The last ``n`` messages, oldest first, without their feedback."""
        if n < 1:
            return []
        items = list(islice(self._messages(conversation_id, 1, keys.LAST_SEQ, n), n))
        return [read_message(item) for item in reversed(items)]

    def clear_messages(self, conversation_id: str) -> int:
        """Delete the conversation's messages with all that hangs on them; how many messages there were."""
        return clearing.clear(self._table, self._tenant_id, conversation_id, self._now())

    def put_feedback(self, conversation_id: str, feedback: Feedback) -> None:
        """Store a judgement of one message, over an earlier one; MessageNotFoundError if there is no such."""
        self.feedback.put(conversation_id, feedback)

    def _create(self, conversation_id: str, user_id: str, session_id: str) -> None:
        names = {"tenant_id": self._tenant_id, "user_id": user_id, "session_id": session_id}
        created_at = self._now()
        # The head comes last: where it is, the listing knows the conversation too.
        listed = names | {"conversation_id": conversation_id, "created_at": created_at}
        self._table.put_new(keys.session_key(self._tenant_id, user_id, session_id), listed)
        counters = {"last_seq": 0, "cleared_seq": 0, "recent": {}}
        times = {"created_at": created_at, "updated_at": created_at}
        self._table.put_new(keys.head_key(conversation_id), names | times | counters)

    def _append(
        self, conversation_id: str, body: Item, client_message_id: str, in_reply_to: int = 0
    ) -> appending.Appended:
        return appending.append(
            self._table,
            self._tenant_id,
            conversation_id,
            body,
            client_message_id=client_message_id,
            now=self._now(),
            in_reply_to=in_reply_to,
        )

    def _page(
        self, conversation_id: str, first: int, last: int, limit: int, *, oldest_first: bool
    ) -> tuple[list[Message], bool]:
        """Messages from one end of the range, in order, and whether there are more towards the other end."""
        found: list[Message] = []
        size, more = 0, False
        for item in self._messages(conversation_id, first, last, limit + 1, oldest_first=oldest_first):
            message, its_size = read_or_show(item)
            size += its_size
            more = len(found) == limit or bool(found and size > PAGE_BYTES)
            if more:
                break
            found.append(message)
        return (found if oldest_first else found[::-1]), more

    def _messages(
        self, conversation_id: str, first: int, last: int, page: int, *, oldest_first: bool = False
    ) -> Iterator[Item]:
        if last < first:
            return  # DynamoDB refuses a range that ends before it begins
        between = keys.message_sk(first), keys.message_sk(last)
        partition = keys.conversation_pk(conversation_id)
        for item in self._table.query(partition, between=between, newest_first=not oldest_first, page=page):
            if item["tenant_id"] != self._tenant_id:
                raise ConversationNotFoundError(conversation_id)
            yield item

    def _id(self, user_id: str, session_id: str) -> str:
        check_outside_id(user_id, "user_id")
        check_outside_id(session_id, "session_id")
        return keys.conversation_id(self._tenant_id, user_id, session_id)

    def _now(self) -> str:
        return timestamp(self._clock())


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise InvalidRequestError(f"limit is {limit}; it must be at least 1.", {"limit": "is below 1"})


def _message_seq(conversation_id: str, message_id: str, name: str) -> int | None:
    """The number of a message that a page ends or begins at, None without one."""
    if not message_id:
        return None
    place = keys.parse_message_id(message_id)
    if place is None or place.conversation_id != conversation_id:
        raise InvalidRequestError(
            f"{name} {message_id[:140]!r} is no message id of this conversation.",
            {name: "is no message id of this conversation"},
        )
    return place.seq
