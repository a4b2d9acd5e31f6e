"""Summaries on the table: one item a conversation, extended and never made anew.

    SUMMARY   text, covered_seq, since, tenant_id, updated_at

``since`` is the number after which the text begins: what was cleared before is not in it. A clear does not delete
the item but puts a tombstone, empty and with ``cleared_at``, that covers all numbers given out: an extension that is
being made at that moment then fails its condition, and the table's stream tells memory what to forget. Where a
clear broke off before that, the head tells of it: a text from before it counts as none, and the next one replaces it.
"""

from typing import TYPE_CHECKING, Final

from clew.conversation.clock import Clock, timestamp, utc_now
from clew.conversation.codec import read_if_possible
from clew.conversation.message import Message
from clew.conversation.summary import VERBATIM, Summary
from clew.identifiers import check_outside_id
from clew.table import ConditionFailedError, Item, ItemTable
from clew.table_keys import conversation_pk, head_key, message_sk, summary_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

MOST_UNCOVERED: Final = 100
MOST_BYTES: Final = 1024 * 1024


class Summaries:
    """Summaries of one tenant's conversations; safe to share between threads.

    For whoever keeps a summary: ``find`` it, see by the newest message's number whether it is due, read what is
    ``uncovered``, and ``extend`` it up to the last message that was read. Numbers of messages that died before they
    were written are passed over.
    """

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def find(self, conversation_id: str) -> Summary:
        """The summary as it is; after a clear it is empty and covers what was cleared.

        Two reads, so ask for it when it may be due: the item, and the head for a clear that left no tombstone.
        """
        item = self._table.get(summary_key(conversation_id))
        if item and item["tenant_id"] != self._tenant_id:
            return Summary()
        # For half the price: an extension of what a late copy does not know to be cleared is not shown either.
        head = self._table.get(head_key(conversation_id), consistent=False, fields=("tenant_id", "cleared_seq"))
        cleared_seq = int(head["cleared_seq"]) if head and head["tenant_id"] == self._tenant_id else 0
        return read_summary(item, cleared_seq) if item else Summary(covered_seq=cleared_seq)

    def uncovered(self, conversation_id: str, summary: Summary, newest_seq: int) -> tuple[Message, ...]:
        """The messages after the summary up to the last six, of which the newest has that number, in order.

        At most 100 and some 1 MB of them: a summary that lags so far is extended in several steps, each up to the
        last message that it was given. One that cannot be read is left out, as one that was never written.
        """
        first, last = summary.covered_seq + 1, newest_seq - VERBATIM
        if first > last:
            return ()
        found, is_whole = self._between(conversation_id, first, last, consistent=False)
        if not is_whole:  # a copy of the table may lag
            found, _ = self._between(conversation_id, first, last, consistent=True)
        return found

    def extend(self, conversation_id: str, text: str, covered_seq: int, seen: Summary) -> bool:
        """Replace ``seen`` by a longer summary; False, and nothing written, when it is not the stored one any more.

        Then another was faster, or the conversation has been cleared.
        """
        if covered_seq <= seen.covered_seq:
            raise ValueError(f"a summary up to {seen.covered_seq} is not extended up to {covered_seq}")
        change = "SET #text = :text, #covered_seq = :covered, #since = :since, #tenant_id = :tenant, #updated_at = :now"
        as_seen = "#covered_seq = :seen AND (attribute_not_exists(#since) OR #since = :since)"
        # What begins before is from before a clear whose tombstone was not put.
        replaceable = f"#tenant_id = :tenant AND (({as_seen}) OR #since < :since)"
        values = {":text": text, ":covered": covered_seq, ":seen": seen.covered_seq}
        values |= {":since": seen.since if seen.text else seen.covered_seq}
        values |= {":tenant": self._tenant_id, ":now": timestamp(self._clock())}
        try:
            self._table.update(
                summary_key(conversation_id),
                f"{change} REMOVE #cleared_at",
                replaceable if seen.text else f"attribute_not_exists(#pk) OR ({replaceable})",
                values,
            )
        except ConditionFailedError:
            return False
        return True

    def _between(
        self, conversation_id: str, first: int, last: int, *, consistent: bool
    ) -> tuple[tuple[Message, ...], bool]:
        """The messages of these numbers up to the bounds, and whether no number was missing among them."""
        partition, between = conversation_pk(conversation_id), (message_sk(first), message_sk(last))
        found: list[Message] = []
        size, met = 0, 0
        for item in self._table.query(partition, between=between, page=MOST_UNCOVERED, consistent=consistent):
            if item.get("tenant_id") != self._tenant_id:
                continue
            if readable := read_if_possible(item):
                message, its_size = readable
                size += its_size
                if found and size > MOST_BYTES:
                    break
                found.append(message)
            met += 1
            if len(found) == MOST_UNCOVERED:
                break
        return tuple(found), met >= min(last + 1 - first, MOST_UNCOVERED)


def read_summary(item: Item, cleared_seq: int = 0) -> Summary:
    """The summary of an item; an empty one up to ``cleared_seq`` where its text goes back before that.

    Such a text is from before a clear that is still going on or broke off.
    """
    since = int(item.get("since", 0))
    if since < cleared_seq:
        return Summary(covered_seq=cleared_seq)
    return Summary(text=item["text"], covered_seq=int(item["covered_seq"]), since=since if item["text"] else 0)


def put_tombstone(table: ItemTable, tenant_id: str, conversation_id: str, cleared_seq: int, now: str) -> None:
    """Empty the summary for messages up to ``cleared_seq``; a later clear's tombstone stays as it is."""
    item = {"text": "", "covered_seq": cleared_seq, "since": cleared_seq, "tenant_id": tenant_id, "cleared_at": now}
    condition = "attribute_not_exists(#since) OR #since <= :since"
    try:
        table.put(summary_key(conversation_id), item, condition, {":since": cleared_seq})
    except ConditionFailedError:
        return
