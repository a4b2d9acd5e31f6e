"""Answers that are being given: what others want of them, and their events for who reads along elsewhere.

Requests may meet different processes, so what concerns a running answer goes through the table. As long as
nobody wants anything there is nothing there: whoever gives an answer looks once in a while whether somebody
does. Only then are its events written, and a beat that shows that it is alive.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clew.conversation.clock import Clock, utc_now
from clew.table import ConditionFailedError, Item, ItemTable
from clew.table_keys import (
    ANSWER_EVENTS_PREFIX,
    WANTED,
    Key,
    answer_events_sk,
    running_answer_pk,
    wanted_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

LIFE: Final = timedelta(hours=1)
BATCH_BYTES: Final = 200_000
"""Of events in one item, which may have 400 KB; a single event is far smaller than the rest."""


class PublishedEvent(NamedTuple):
    """An event as it is sent: its id and its JSON."""

    id: str
    data: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What others want of a running answer: that it stops, that they can read along.

    ``attempt`` is who gives it, as far as that is written; ``beat`` counts its signs of life. ``left`` is an attempt
    that has ended without an answer.
    """

    cancelled: bool = False
    followed: bool = False
    attempt: str = ""
    beat: int = 0
    left: str = ""

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody gives the answer any more, as far as that is written."""
        return bool(self.left) and self.attempt in ("", self.left)


@dataclass(frozen=True, slots=True)
class Published:
    """What can be read of a running answer: events of each attempt in order, and what is wanted."""

    wanted: Wanted = field(default_factory=Wanted)
    events: dict[str, list[PublishedEvent]] = field(default_factory=dict)


class RunningAnswers:
    """One tenant's answers that are being given, each under the conversation and the number of its question."""

    def __init__(self, table: "Table", clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._clock = clock

    def wanted(self, conversation_id: str, seq: int) -> Wanted:
        """What is wanted of the answer; as it was a moment ago, for half the price."""
        item = self._table.get(wanted_key(conversation_id, seq), consistent=False)
        return _wanted(item) if item and int(item["expires_at"]) > self._clock().timestamp() else Wanted()

    def wanted_of(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Wanted]:
        """What is wanted of several answers, by conversation and number; those of which nothing is are left out."""
        keys = {wanted_key(*place): place for place in places}
        now = self._clock().timestamp()
        found = self._table.get_many(keys, consistent=False)
        alive = (item for item in found if int(item["expires_at"]) > now)
        return {keys[Key(item["pk"], item["sk"])]: _wanted(item) for item in alive}

    def cancel(self, conversation_id: str, seq: int) -> None:
        """Ask whoever gives the answer to stop."""
        self._want(conversation_id, seq, "cancelled")

    def follow(self, conversation_id: str, seq: int) -> None:
        """Ask whoever gives the answer to publish its events."""
        self._want(conversation_id, seq, "followed")

    def beat(self, conversation_id: str, seq: int, attempt: str) -> Wanted | None:
        """Show that ``attempt`` is alive; what is wanted of it, or None where another has taken over."""
        try:
            item = self._table.update(
                wanted_key(conversation_id, seq),
                "SET #attempt = :attempt, #beat = if_not_exists(#beat, :none) + :one, #expires_at = :expires_at",
                "attribute_not_exists(#attempt) OR #attempt = :attempt",
                {":attempt": attempt, ":none": 0, ":one": 1, ":expires_at": self._expires_at()},
            )
        except ConditionFailedError:
            return None
        return _wanted(item)

    def leave(self, conversation_id: str, seq: int, attempt: str) -> None:
        """Tell that ``attempt`` has ended without an answer, so that a repeat need not wait for signs of life."""
        self._table.update(
            wanted_key(conversation_id, seq),
            "SET #left = :attempt, #expires_at = :expires_at",
            "",
            {":attempt": attempt, ":expires_at": self._expires_at()},
        )

    def take_over(self, conversation_id: str, seq: int, attempt: str, dead: str) -> bool:
        """Make ``attempt`` the one that gives the answer in place of ``dead``; False where another was sooner.

        Whoever asks for the answer again wants it, also where it was to be cancelled before.
        """
        condition = "#attempt = :dead" if dead else "attribute_not_exists(#attempt)"
        try:
            self._table.update(
                wanted_key(conversation_id, seq),
                "SET #attempt = :attempt, #expires_at = :expires_at REMOVE #cancelled",
                condition,
                {":attempt": attempt, ":expires_at": self._expires_at(), **({":dead": dead} if dead else {})},
            )
        except ConditionFailedError:
            return False
        return True

    def publish(
        self, conversation_id: str, seq: int, attempt: str, first: int, events: Sequence[PublishedEvent]
    ) -> None:
        """Write ``events`` of an attempt, of which the first has the number ``first``."""
        for start, batch in _batches(events):
            key = Key(running_answer_pk(conversation_id, seq), answer_events_sk(attempt, first + start))
            self._table.put(key, {"events": json.dumps(batch), "expires_at": self._expires_at()})

    def published(self, conversation_id: str, seq: int, attempt: str = "", after: int = -1) -> Published:
        """What is wanted, and the events of ``attempt`` behind number ``after``; without one those of all."""
        low = answer_events_sk(attempt, after + 1) if attempt else ANSWER_EVENTS_PREFIX
        wanted, events = Wanted(), dict[str, list[PublishedEvent]]()
        for item in self._table.query(running_answer_pk(conversation_id, seq), between=(low, WANTED)):
            if item["sk"] == WANTED:
                wanted = _wanted(item)
                continue
            of = item["sk"].removeprefix(ANSWER_EVENTS_PREFIX).partition("#")[0]
            if attempt in ("", of):
                events.setdefault(of, []).extend(PublishedEvent(*each) for each in json.loads(item["events"]))
        return Published(wanted, events)

    def _want(self, conversation_id: str, seq: int, what: str) -> None:
        self._table.update(
            wanted_key(conversation_id, seq),
            f"SET #{what} = :true, #expires_at = :expires_at",
            "",
            {":true": True, ":expires_at": self._expires_at()},
        )

    def _expires_at(self) -> int:
        return int((self._clock() + LIFE).timestamp())


def _wanted(item: Item) -> Wanted:
    return Wanted(
        cancelled=bool(item.get("cancelled")),
        followed=bool(item.get("followed")),
        attempt=str(item.get("attempt", "")),
        beat=int(item.get("beat", 0)),
        left=str(item.get("left", "")),
    )


def _batches(events: Sequence[PublishedEvent]) -> Iterator[tuple[int, list[Any]]]:
    """``events`` in lists that fit into an item, each with the place of its first."""
    start, size, batch = 0, 0, list[Any]()
    for place, event in enumerate(events):
        length = len(event.data.encode())
        if batch and size + length > BATCH_BYTES:
            yield start, batch
            start, size, batch = place, 0, []
        batch.append(list(event))
        size += length
    if batch:
        yield start, batch
