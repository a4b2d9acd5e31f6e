"""Appending a message: one atomic number, one write, and the same result however often it is tried.

The head item gives out numbers. In the same update it notes which append got which number, under a
token that is the client's message id or, without one, drawn for this append. Hence an append that is
tried again, by the client or by the SDK after a lost answer, finds its number; if the first try died
before writing the message, the second writes it at that very number and no gap stays.

An append costs one write unit for the head and what the message weighs; nothing is read. The head must
stay within 1 KB for that, so tokens are short and the oldest are forgotten when it comes near.
"""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import uuid4

from clew.conversation.title import title_of
from clew.errors import ConversationClearedError, ConversationNotFoundError, StoreError, TransientError
from clew.table import ConditionFailedError, Item, ItemTable, item_size
from clew.table_keys import head_key, message_key

RECENT_TOKENS: Final = 32
"""How many appends are remembered at least."""
_MOST_TOKENS: Final = 64
_LEAST_TRIMMED: Final = 8
"""Forgetting is a write, so it waits for this many, also where long ids make the head big."""
_HEAD_BYTES: Final = 1024 - 24
"""A write unit, less what the next append may add."""
_ATTEMPTS: Final = 3


class Appended(NamedTuple):
    """The message's item, the conversation's head after it, and whether the item had been there before."""

    item: Item
    head: Item
    repeated: bool


def append(
    table: ItemTable,
    tenant_id: str,
    conversation_id: str,
    body: Mapping[str, Any],
    *,
    client_message_id: str,
    now: str,
    in_reply_to: int = 0,
) -> Appended:
    """Store ``body`` as the conversation's next message.

    A repeat with the same ``client_message_id`` gets the item that is stored, whatever its own body.
    Raises ConversationNotFoundError when the tenant has no such conversation, and ConversationClearedError when
    message ``in_reply_to`` has been cleared; then nothing is stored.
    """
    token = token_of(client_message_id or uuid4().hex)
    seq, head = _take_number(
        table, tenant_id, conversation_id, token=token, title=_title(body), now=now, in_reply_to=in_reply_to
    )
    key = message_key(conversation_id, seq)
    # The stream's consumers learn from the item itself whose message it is; its number is in its key.
    item = {**body, "token": token, "created_at": now, "tenant_id": tenant_id}
    if not table.put_new(key, item):
        stored = table.get(key)
        if stored is None or stored.get("token") != token:
            raise StoreError(f"Message {seq} of {conversation_id} is there already and is another one.")
        return Appended(stored, head, repeated=True)
    if _is_full(head):
        _forget_old_tokens(table, conversation_id, head["recent"])
    return Appended(item | key._asdict(), head, repeated=False)


def token_of(of: str) -> str:
    """48 bits in 8 characters: two of some 50 are the same once in 10¹¹ conversations."""
    return base64.urlsafe_b64encode(hashlib.sha256(of.encode()).digest()[:6]).decode()


def _title(body: Mapping[str, Any]) -> str:
    return title_of(body["content"]) if body["role"] == "user" else ""


def _take_number(
    table: ItemTable, tenant_id: str, conversation_id: str, *, token: str, title: str, now: str, in_reply_to: int
) -> tuple[int, Item]:
    """The number of the append that ``token`` stands for, and the conversation's head."""
    key = head_key(conversation_id)
    change = "SET #last_seq = #last_seq + :one, #recent.#token = #last_seq + :one, #updated_at = :now"
    values: dict[str, Any] = {":one": 1, ":now": now, ":tenant": tenant_id}
    if title:
        change += ", #title = if_not_exists(#title, :title)"
        values[":title"] = title
    condition = "#tenant_id = :tenant AND attribute_not_exists(#recent.#token)"
    if in_reply_to:
        condition += " AND #cleared_seq < :in_reply_to"
        values[":in_reply_to"] = in_reply_to
    for _ in range(_ATTEMPTS):
        try:
            head = table.update(key, change, condition, values, token=token)
            return int(head["last_seq"]), head
        except ConditionFailedError as refusal:
            present = refusal.present
            if present is None or present["tenant_id"] != tenant_id:
                raise ConversationNotFoundError(conversation_id) from None
            if token in present["recent"]:
                return int(present["recent"][token]), present
            if in_reply_to and int(present["cleared_seq"]) >= in_reply_to:
                raise ConversationClearedError(conversation_id) from None
    raise StoreError(f"Conversation {conversation_id} does not take the number that it gives out.")


def _is_full(head: Item) -> bool:
    tokens = len(head["recent"])
    return tokens > _MOST_TOKENS or (tokens >= RECENT_TOKENS + _LEAST_TRIMMED and item_size(head) > _HEAD_BYTES)


def _forget_old_tokens(table: ItemTable, conversation_id: str, recent: Mapping[str, Any]) -> None:
    """Keep the tokens of the newest appends; done every few appends rather than with each."""
    oldest = sorted(recent, key=lambda token: int(recent[token]))[:-RECENT_TOKENS]
    names = {f"t{number}": token for number, token in enumerate(oldest)}
    change = "REMOVE " + ", ".join(f"#recent.#{name}" for name in names)
    try:
        table.update(head_key(conversation_id), change, "attribute_exists(#recent)", {}, **names)
    except TransientError:
        return  # the message is stored, and the next append trims
