"""What the table's stream tells of a conversation: a new message, or that it was cleared."""

from dataclasses import dataclass

from clew.conversation.codec import read_message
from clew.conversation.message import Message
from clew.table import Item
from clew.table_keys import SUMMARY, parse_conversation_pk, parse_message_key


@dataclass(frozen=True, slots=True)
class Cleared:
    """The conversation's messages up to that number are gone."""

    conversation_id: str
    up_to_seq: int


def read_change(item: Item) -> Message | Cleared | None:
    """The change that ``item`` is, as the stream gives it with its key; None where it is another item."""
    if parse_message_key(item["pk"], item["sk"]):
        return read_message(item)
    conversation_id = parse_conversation_pk(item["pk"])
    if conversation_id and item["sk"] == SUMMARY and "cleared_at" in item:
        return Cleared(conversation_id, int(item["covered_seq"]))
    return None
