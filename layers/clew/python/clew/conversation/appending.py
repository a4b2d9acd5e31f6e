"""Appending a message: one atomic number, one write, and the same result however often it is tried.

The head item gives out numbers. In the same update it notes which append got which number, under a
token that is the client's message id or, without one, drawn for this append. Hence an append that is
tried again, by the client or by the SDK after a lost answer, finds its number; if the first try died
before writing the message, the second writes it at that very number and no gap stays.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from clew.conversation.codec import title_of
from clew.errors import ConversationNotFoundError, StoreError, TransientError
from clew.identifiers import short_digest
from clew.table import ConditionFailedError, Item, ItemTable
from clew.table_keys import head_key, message_key

RECENT_TOKENS: Final = 32
"""How many appends are remembered. A token is 16 characters, so that the head stays near 1 KB, which is
one write unit."""
_TRIM_ABOVE: Final = RECENT_TOKENS + 8
_ATTEMPTS: Final = 3


def append(
    table: ItemTable,
    tenant_id: str,
    conversation_id: str,
    body: Mapping[str, Any],
    *,
    client_message_id: str,
    now: str,
) -> Item:
    """Store ``body`` as the conversation's next message; the message's item.

    A repeat with the same ``client_message_id`` gets the item that is stored, whatever its own body.
    Raises ConversationNotFoundError when the tenant has no such conversation.
    """
    token = short_digest(client_message_id or uuid4().hex)
    seq, head = _take_number(table, tenant_id, conversation_id, token=token, title=_title(body), now=now)
    item = {
        **body,
        "conversation_id": conversation_id,
        "seq": seq,
        "token": token,
        "created_at": now,
        # The stream's consumers learn from the item itself whose message it is.
        "tenant_id": tenant_id,
        "user_id": head["user_id"],
        "session_id": head["session_id"],
    }
    key = message_key(conversation_id, seq)
    if not table.put_new(key, item):
        stored = table.get(key)
        if stored is None or stored.get("token") != token:
            raise StoreError(f"Message {seq} of {conversation_id} is there already and is another one.")
        return stored
    if len(head["recent"]) > _TRIM_ABOVE:
        _forget_old_tokens(table, conversation_id, head["recent"])
    return item


def _title(body: Mapping[str, Any]) -> str:
    return title_of(body["content"]) if body["role"] == "user" else ""


def _take_number(
    table: ItemTable, tenant_id: str, conversation_id: str, *, token: str, title: str, now: str
) -> tuple[int, Item]:
    """The number of the append that ``token`` stands for, and the conversation's head."""
    key = head_key(conversation_id)
    change = "SET #last_seq = #last_seq + :one, #recent.#token = #last_seq + :one, #updated_at = :now"
    values = {":one": 1, ":now": now, ":tenant": tenant_id}
    if title:
        change += ", #title = if_not_exists(#title, :title)"
        values[":title"] = title
    for _ in range(_ATTEMPTS):
        try:
            head = table.update(
                key,
                change,
                "#tenant_id = :tenant AND attribute_not_exists(#recent.#token)",
                values,
                token=token,
            )
            return int(head["last_seq"]), head
        except ConditionFailedError:
            present = table.get(key)
            if present is None or present["tenant_id"] != tenant_id:
                raise ConversationNotFoundError(conversation_id) from None
            if token in present["recent"]:
                return int(present["recent"][token]), present
            # A clear came between the two and forgot the token: take a new number.
    raise StoreError(f"Conversation {conversation_id} changes faster than a message can be added.")


def _forget_old_tokens(table: ItemTable, conversation_id: str, recent: Mapping[str, Any]) -> None:
    """Keep the tokens of the newest appends; done every few appends rather than with each."""
    oldest = sorted(recent, key=lambda token: int(recent[token]))[:-RECENT_TOKENS]
    names = {f"t{number}": token for number, token in enumerate(oldest)}
    change = "REMOVE " + ", ".join(f"#recent.#{name}" for name in names)
    try:
        table.update(head_key(conversation_id), change, "attribute_exists(#recent)", {}, **names)
    except TransientError:
        return  # the message is stored, and the next append trims
