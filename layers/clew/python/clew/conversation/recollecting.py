"""Reading what a turn needs of its conversation: one backwards query that need not be consistent.

The query begins at ``SUMMARY`` and goes down: the summary, the follow-up question, then messages from the newest
on. Reading without consistency costs half, and what a copy of the table lacks can be seen: the message that the
turn has just stored must be there, and the numbers of messages have no gaps. Where something is missing, all is read
once more, consistently; what is missing then, nobody has written: the number of an append that died. A message that
is there and cannot be read is left out, with a warning: a turn goes on without it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Final

from clew import table_keys as keys
from clew.conversation.codec import read_if_possible
from clew.conversation.pending import PendingIntent, read_pending
from clew.conversation.recollection import Recollection
from clew.conversation.summary import VERBATIM, Summary
from clew.conversation.summary_item import read_summary
from clew.table import Item, ItemTable, item_size

FIRST_PAGE: Final = 12
"""Items: the summary, the turn's own message, and the ten messages at most that a summary in time leaves."""
MOST_MESSAGES: Final = 60
MOST_BYTES: Final = 256 * 1024
"""Items beyond the last six are read up to this size: far more than any prompt takes."""


def recollect(
    table: ItemTable, tenant_id: str, conversation_id: str, before_seq: int, cleared_seq: int, now: datetime
) -> Recollection:
    """What there was before message ``before_seq``, without what ``cleared_seq`` puts out of bounds."""
    for consistent in (False, True):
        reading = _Reading(table, tenant_id, conversation_id, before_seq, cleared_seq, now, consistent)
        reading.read()
        if not reading.misses_something():
            break
    return reading.result()


@dataclass(slots=True)
class _Reading:
    """One try; ``floor`` is the number of the last message that need not be read."""

    table: ItemTable
    tenant_id: str
    conversation_id: str
    before_seq: int
    cleared_seq: int
    now: datetime
    consistent: bool
    summary: Summary = field(default_factory=Summary)
    pending: PendingIntent | None = None
    floor: int = 0
    lowest: int = keys.LAST_SEQ + 1
    size: int = 0
    seen: set[int] = field(default_factory=set)
    messages: list[Item] = field(default_factory=list)

    def read(self) -> None:
        self._start_after(Summary(covered_seq=self.cleared_seq))
        first = keys.message_sk(self.cleared_seq + 1)
        page = list(islice(self._items((first, keys.SUMMARY), FIRST_PAGE), FIRST_PAGE))
        more = self._take_all(page) and len(page) == FIRST_PAGE and self.lowest > self.floor + 1
        if more:  # the summary lags, or the message is an old one that is repeated
            last = min(self.lowest - 1, self.before_seq)
            between = keys.message_sk(self.floor + 1), keys.message_sk(last)
            self._take_all(self._items(between, MOST_MESSAGES - len(self.messages)))

    def misses_something(self) -> bool:
        """Whether a number that must have been met was not."""
        if self.consistent:
            return False
        from_seq = self.floor + 1 if not self._left_out() else self.lowest
        return not self.seen.issuperset(range(from_seq, self.before_seq + 1))

    def result(self) -> Recollection:
        readable = filter(None, map(read_if_possible, reversed(self.messages)))
        messages = tuple(message for message, _ in readable)
        return Recollection(self.summary, messages, self.pending, self._left_out())

    def _left_out(self) -> int:
        return max(0, self.lowest - 1 - self.floor) if self._is_enough() else 0

    def _items(self, between: tuple[str, str], page: int) -> Iterator[Item]:
        partition = keys.conversation_pk(self.conversation_id)
        return self.table.query(partition, between=between, newest_first=True, page=page, consistent=self.consistent)

    def _take_all(self, items: "Iterator[Item] | list[Item]") -> bool:
        """Take items until there are enough; whether more would be welcome."""
        for item in items:
            if self._is_enough():
                return False
            if item.get("tenant_id") == self.tenant_id:
                self._take(item)
        return not self._is_enough()

    def _take(self, item: Item) -> None:
        match item["sk"]:
            case keys.SUMMARY:
                self._start_after(read_summary(item, self.cleared_seq))
            case keys.PENDING:
                pending = read_pending(item, self.now)
                if pending and (not pending.asked_seq or self.cleared_seq < pending.asked_seq < self.before_seq):
                    self.pending = pending
            case _:
                place = keys.parse_message_key(item["pk"], item["sk"])
                if place is None:
                    return
                self.seen.add(place.seq)
                self.lowest = place.seq
                if self.floor < place.seq < self.before_seq:
                    self.messages.append(item)
                    self.size += item_size(item)

    def _start_after(self, summary: Summary) -> None:
        """The window begins after the summary, or earlier for a message that is repeated after a long time."""
        self.summary = summary
        self.floor = max(self.cleared_seq, min(summary.covered_seq, self.before_seq - 1 - VERBATIM))

    def _is_enough(self) -> bool:
        taken = len(self.messages)
        return taken >= MOST_MESSAGES or (taken >= VERBATIM and self.size > MOST_BYTES)
