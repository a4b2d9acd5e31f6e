"""Clearing a conversation: what was said goes, its identity and its counter stay."""

from collections.abc import Iterator
from typing import Final

from clew.conversation.summary_item import put_tombstone
from clew.errors import ConversationNotFoundError
from clew.table import ConditionFailedError, ItemTable
from clew.table_keys import (
    ANSWER_EVENTS_PREFIX,
    WANTED,
    Key,
    conversation_pk,
    feedback_sk,
    head_key,
    message_sk,
    pending_key,
    running_answer_pk,
)

RECENT: Final = 32
"""Messages whose answers may have been read along within the hour for which their events are kept."""


def clear(table: ItemTable, tenant_id: str, conversation_id: str, now: str) -> int:
    """Delete messages, summary, feedback and follow-up state; how many messages there were.

    The head is reset first and tells the last number given out: messages up to it are out of bounds from then
    on, one that is appended meanwhile stays. Then the summary becomes a tombstone, from which memory learns that it
    has to forget episodes, and then items are deleted. Numbers are never given out again, so that an id never
    means two messages. A clear that broke off is finished by the next.
    """
    try:
        head = table.update(
            head_key(conversation_id),
            "SET #recent = :none, #cleared_seq = #last_seq REMOVE #title",
            "#tenant_id = :tenant",
            {":none": {}, ":tenant": tenant_id},
        )
    except ConditionFailedError:
        raise ConversationNotFoundError(conversation_id) from None
    last = int(head["last_seq"])
    put_tombstone(table, tenant_id, conversation_id, last, now)
    removed = table.delete_many(_keys(table, conversation_id, message_sk(0), message_sk(last)))
    # A message whose number was given out before may have been written during the deletion.
    removed += table.delete_many(_keys(table, conversation_id, message_sk(0), message_sk(last)))
    first_feedback, last_feedback = feedback_sk(conversation_id, 0), feedback_sk(conversation_id, last)
    table.delete_many(_keys(table, conversation_id, first_feedback, last_feedback))
    for seq in range(max(1, last - RECENT + 1), last + 1):
        running = table.query(running_answer_pk(conversation_id, seq), between=(ANSWER_EVENTS_PREFIX, WANTED))
        table.delete_many(Key(item["pk"], item["sk"]) for item in running)
    _drop_pending(table, conversation_id, last)
    return removed


def _drop_pending(table: ItemTable, conversation_id: str, last: int) -> None:
    """Drop the follow-up question, unless a turn that began after the clear has put it."""
    try:
        table.delete(
            pending_key(conversation_id), "attribute_not_exists(#asked_seq) OR #asked_seq <= :last", {":last": last}
        )
    except ConditionFailedError:
        return


def _keys(table: ItemTable, conversation_id: str, first: str, last: str) -> Iterator[Key]:
    pk = conversation_pk(conversation_id)
    return (Key(item["pk"], item["sk"]) for item in table.query(pk, between=(first, last), fields=("pk", "sk")))
