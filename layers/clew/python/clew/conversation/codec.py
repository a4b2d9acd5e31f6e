"""Conversations, messages and feedback as items of the table, and back.

A message's text is an attribute that can be read as it stands; all that comes with it is packed into another
(``packing.py``). Metadata of feedback is JSON text. As maps these would lose their types: DynamoDB has one number,
which comes back as a Decimal and cannot hold every float, and neither NaN nor a set survives.

What an item's key tells, its attributes do not repeat. Items of earlier versions are read too: messages with
``citations`` and ``debug`` as JSON text of their own.
"""

import base64
import logging
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from clew.conversation.message import Conversation, Feedback, Message, StoredRole
from clew.conversation.packing import pack, unpack
from clew.errors import InvalidRequestError, MessageTooLargeError, StoreError
from clew.retrieval.evidence import Citation
from clew.table import Item
from clew.table_keys import MessagePlace, message_id, parse_conversation_pk, parse_message_key

MESSAGE_BYTES: Final = 300 * 1024
"""300 KB of what the caller gives, however small it is packed: what is read back has to fit into an answer."""

logger = logging.getLogger(__name__)

_CITATIONS: Final = TypeAdapter(tuple[Citation, ...])
_Read = TypeVar("_Read", bound=BaseModel)


def message_body(
    content: str,
    citations: Sequence[Citation],
    debug: dict[str, Any] | None,
    *,
    is_ask_user: bool = False,
    pending_intent: str = "",
    summary_seq: int = 0,
) -> Item:
    """A message's own attributes; MessageTooLargeError when what is given is beyond the limit."""
    parts = {"citations": _json(list(citations)), "debug": _json(debug or {})}
    size = sum(map(len, (_utf8(content), *parts.values())))
    if size > MESSAGE_BYTES:
        raise MessageTooLargeError(size, MESSAGE_BYTES)
    parts |= {"is_ask_user": _json(is_ask_user), "pending_intent": _json(pending_intent)}
    said = [b'"%b":%b' % (name.encode(), part) for name, part in parts.items() if part not in _EMPTY]
    return {
        "content": content,
        **({"packed": pack(b"{%b}" % b",".join(said), content)} if said else {}),
        **({"summary_seq": summary_seq} if summary_seq else {}),
    }


_EMPTY: Final = (b"[]", b"{}", b'""', b"false")


def read_message(item: Item, feedback: Feedback | None = None) -> Message:
    """The message of an item as the table or its stream gives it, with its key.

    Where a stream's record has not been made plain Python throughout, binary is text in Base64; that is read too.
    """
    return read_sized_message(item, feedback)[0]


def read_sized_message(item: Item, feedback: Feedback | None = None) -> tuple[Message, int]:
    """The message, and the bytes that it has as JSON, roughly: text, citations and debug."""
    place = parse_message_key(item["pk"], item["sk"])
    size = 0

    def build(place: MessagePlace) -> Message:
        nonlocal size
        packed = _packed(item)
        size = len(_utf8(item["content"])) + len(packed)
        rest = from_json(packed)
        return Message(
            message_id=message_id(*place),
            conversation_id=place.conversation_id,
            seq=place.seq,
            role=item["role"],
            content=item["content"],
            created_at=item["created_at"],
            citations=_CITATIONS.validate_python(rest.pop("citations", ())),
            summary_seq=int(item.get("summary_seq", 0)),
            feedback=feedback,
            **rest,
        )

    if place is None:
        raise StoreError(f"{item['sk']} is no message.")
    message = _read(f"message {place.seq} of {place.conversation_id}", lambda: build(place))
    return message, size


def read_if_possible(item: Item) -> tuple[Message, int] | None:
    """What ``read_sized_message`` gives, or None and a warning, for whoever can do without the message."""
    try:
        return read_sized_message(item)
    except StoreError as error:
        _warn(item, "left out", error)
        return None


def read_or_show(item: Item) -> tuple[Message, int]:
    """What ``read_sized_message`` gives; a message that cannot be read as what there is of it, and a warning.

    That is its text, without what came with it, and ``debug`` is ``{"unreadable": true}``. Where not even the role
    can be told, it is ``system``.
    """
    try:
        return read_sized_message(item)
    except StoreError as error:
        place = parse_message_key(item["pk"], item["sk"])
        if place is None:
            raise
        _warn(item, "shown in part", error)
    content, created_at, role = (item.get(name) for name in ("content", "created_at", "role"))
    text = content if isinstance(content, str) else ""
    shown = Message(
        message_id=message_id(*place),
        conversation_id=place.conversation_id,
        seq=place.seq,
        role=role if role in get_args(StoredRole) else "system",
        content=text,
        created_at=created_at if isinstance(created_at, str) else "",
        debug={"unreadable": True},
    )
    return shown, len(_utf8(text))


def _warn(item: Item, what: str, error: StoreError) -> None:
    place = parse_message_key(item["pk"], item["sk"])
    about = {"conversation_id": place.conversation_id, "seq": place.seq} if place else {}
    logger.warning("message %s: %s", what, error, extra=about)


def _packed(item: Item) -> bytes:
    """Citations, debug and the rest as one JSON object."""
    packed = item.get("packed")
    if packed is None:  # nothing to pack, or an item of an earlier version
        return f'{{"citations":{item.get("citations", "[]")},"debug":{item.get("debug", "{}")}}}'.encode()
    return unpack(base64.b64decode(packed) if isinstance(packed, str) else bytes(packed), item["content"])


def read_conversation(head: Item) -> Conversation:
    found = parse_conversation_pk(head["pk"])
    return _read(
        f"conversation {found}",
        lambda: Conversation(
            conversation_id=found,
            user_id=head["user_id"],
            session_id=head["session_id"],
            created_at=head["created_at"],
            updated_at=head["updated_at"],
            # Numbers given out since the last clear; a number whose write never followed counts too.
            message_count=int(head["last_seq"]) - int(head["cleared_seq"]),
            title=head.get("title", ""),
        ),
    )


def feedback_item(feedback: Feedback) -> Item:
    return feedback.model_dump(exclude={"metadata"}) | {"metadata": _json(feedback.metadata).decode()}


def read_feedback(item: Item) -> Feedback:
    fields = {name: item[name] for name in Feedback.model_fields if name in item}
    return _read(
        f"feedback {item.get('sk')}",
        lambda: Feedback.model_validate(fields | {"metadata": from_json(item["metadata"])}),
    )


def _json(value: Any) -> bytes:
    """JSON in UTF-8 characters, not escapes: Chinese text would take twice the room."""
    try:
        return to_json(value, inf_nan_mode="null")
    except PydanticSerializationError as error:
        raise InvalidRequestError(f"Citations, debug and metadata must fit into JSON: {error}") from error


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidRequestError("The message holds half of a surrogate pair, which is no text.") from error


def _read(where: str, build: Callable[[], _Read]) -> _Read:
    try:
        return build()
    except (KeyError, ValidationError, ValueError, TypeError, AttributeError, zlib.error) as error:
        # Not chained: pydantic's text repeats the stored message, and errors end in the log.
        kind = type(error).__name__
        raise StoreError(f"The table holds {where} in a form that cannot be read ({kind}).") from None
