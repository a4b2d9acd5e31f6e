"""Conversations, messages and feedback as items of the table, and back.

Citations, debug and metadata are stored as JSON text. As maps they would lose their types: DynamoDB
has one number, which comes back as a Decimal and cannot hold every float, and neither NaN nor a set
survives. As text they also have a size that can be told before writing.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from clew.conversation.message import Conversation, Feedback, Message
from clew.errors import InvalidRequestError, MessageTooLargeError, StoreError
from clew.retrieval.evidence import Citation
from clew.table import Item
from clew.table_keys import message_id

MESSAGE_BYTES: Final = 300 * 1024
"""300 KB: margin under DynamoDB's 400 KB item limit for the keys and whatever a message grows by."""
TITLE_LENGTH: Final = 80

_CITATIONS: Final = TypeAdapter(tuple[Citation, ...])
_Read = TypeVar("_Read", bound=BaseModel)


def message_body(content: str, citations: Sequence[Citation], debug: dict[str, Any] | None) -> Item:
    """The attributes that carry a message's weight; MessageTooLargeError when they are beyond the limit."""
    body = {"content": content, "citations": _json(list(citations)), "debug": _json(debug or {})}
    size = stored_size(body)
    if size > MESSAGE_BYTES:
        raise MessageTooLargeError(size, MESSAGE_BYTES)
    return body


def stored_size(item: Item) -> int:
    """Bytes of UTF-8 of a message's content, citations and debug as stored."""
    try:
        return sum(len(item[name].encode()) for name in ("content", "citations", "debug"))
    except UnicodeEncodeError as error:
        raise InvalidRequestError("The message holds half of a surrogate pair, which is no text.") from error


def title_of(content: str) -> str:
    """The start of a message on one line, as the title of its conversation."""
    return " ".join(content.split())[:TITLE_LENGTH].rstrip()


def read_message(item: Item, feedback: Feedback | None = None) -> Message:
    where = f"message {item.get('seq')} of {item.get('conversation_id')}"
    return _read(
        where,
        lambda: Message(
            message_id=message_id(item["conversation_id"], int(item["seq"])),
            conversation_id=item["conversation_id"],
            seq=int(item["seq"]),
            role=item["role"],
            content=item["content"],
            created_at=item["created_at"],
            citations=_CITATIONS.validate_json(item["citations"]),
            debug=from_json(item["debug"]),
            feedback=feedback,
        ),
    )


def read_conversation(head: Item) -> Conversation:
    return _read(
        f"conversation {head.get('conversation_id')}",
        lambda: Conversation(
            conversation_id=head["conversation_id"],
            user_id=head["user_id"],
            session_id=head["session_id"],
            created_at=head["created_at"],
            updated_at=head["updated_at"],
            # Numbers given out since the last clear; a number whose write never followed counts too.
            message_count=int(head["last_seq"]) - int(head["cleared_seq"]),
            title=head.get("title", ""),
        ),
    )


def feedback_item(feedback: Feedback, created_at: str) -> Item:
    item = feedback.model_dump(exclude={"metadata"})
    return item | {"metadata": _json(feedback.metadata), "created_at": feedback.created_at or created_at}


def read_feedback(item: Item) -> Feedback:
    fields = {name: item[name] for name in Feedback.model_fields if name in item}
    return _read(
        f"feedback {item.get('sk')}",
        lambda: Feedback.model_validate(fields | {"metadata": from_json(item["metadata"])}),
    )


def _json(value: Any) -> str:
    """JSON in UTF-8 characters, not escapes: Chinese text would take twice the room."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except PydanticSerializationError as error:
        raise InvalidRequestError(f"Citations, debug and metadata must fit into JSON: {error}") from error


def _read(where: str, build: Callable[[], _Read]) -> _Read:
    try:
        return build()
    except (KeyError, ValidationError, ValueError) as error:
        # Not chained: pydantic's text repeats the stored message, and errors end in the log.
        kind = type(error).__name__
        raise StoreError(f"The table holds {where} in a form that cannot be read ({kind}).") from None
