"""Following a look-up: workers as they finish, the result at the end, and nothing that goes on afterwards."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import anyio
import pytest

from clew.answering.turn import following
from clew.answering.turn.following import follow
from clew.answering.turn.lookup import LookupResult
from clew.errors import StoreUnavailableError, WorkflowError
from clew.retrieval.run_notes import RunNote
from tests.unit.answering.stage import found, run

GRAPH, NAIVE, HYBRID = (f"movie:{kind}:retrieve_only" for kind in ("graph_agent", "naive_rag_agent", "hybrid_agent"))
SOON = 20  # seconds until a test that hangs is given up

Followed = AsyncGenerator[RunNote | LookupResult, None]


class Lookup:
    """Goes on until it is told to end; its workers finish when the test says so."""

    def __init__(self, *workers: str) -> None:
        self.result: LookupResult | Exception = found(*(run(worker) for worker in workers))
        self.total = len(workers)
        self.ending = threading.Event()
        self.ended = False
        self.notes: list[RunNote] = []
        self.reads = 0
        self.read_twice = threading.Event()
        self.trouble: list[Exception] = []

    def __call__(self) -> LookupResult:
        assert self.ending.wait(SOON)
        self.ended = True
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def finish(self, worker: str) -> None:
        self.notes.append(RunNote.of(run(worker), self.total))

    def finished(self) -> list[RunNote]:
        self.reads += 1
        if self.reads == 2:
            self.read_twice.set()
        if self.trouble:
            raise self.trouble.pop()
        return list(self.notes)

    def followed(self, seconds: float = SOON) -> Followed:
        return follow(self, self.finished, seconds)


@pytest.fixture
def lookup(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lookup]:
    """Two workers' look-up, read from every few milliseconds."""
    monkeypatch.setattr(following, "FIRST_READ", 0.01)
    monkeypatch.setattr(following, "NEXT_READ", 0.005)
    lookup = Lookup(GRAPH, NAIVE)
    yield lookup
    lookup.ending.set()


async def following_one(followed: Followed) -> str:
    told = await asyncio.wait_for(anext(followed), SOON)
    assert isinstance(told, RunNote)
    return told.worker_name


async def rest(followed: Followed) -> tuple[list[str], LookupResult]:
    """The workers still told of, and the result, which comes last."""
    *notes, result = [each async for each in followed]
    assert isinstance(result, LookupResult)
    return [note.worker_name for note in notes if isinstance(note, RunNote)], result


async def test_a_look_up_that_is_soon_over_reads_no_notes(lookup: Lookup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "FIRST_READ", SOON)
    lookup.ending.set()
    assert await rest(lookup.followed()) == ([GRAPH, NAIVE], lookup.result)
    assert lookup.reads == 0


async def test_a_worker_is_told_of_while_the_others_go_on(lookup: Lookup) -> None:
    followed = lookup.followed()
    lookup.finish(NAIVE)
    assert await following_one(followed) == NAIVE
    assert not lookup.ended
    lookup.ending.set()
    assert await rest(followed) == ([GRAPH], lookup.result)


async def test_each_worker_is_told_of_once_in_the_order_of_their_ends(lookup: Lookup) -> None:
    lookup = Lookup(GRAPH, NAIVE, HYBRID)
    followed = lookup.followed()
    for worker in (HYBRID, GRAPH):
        lookup.finish(worker)
        assert await following_one(followed) == worker
    lookup.finish(NAIVE)
    lookup.ending.set()
    assert (await rest(followed))[0] == [NAIVE]


async def test_a_failed_worker_is_told_of_as_the_result_has_it(lookup: Lookup) -> None:
    lookup.result = found(run(GRAPH, error="Lambda.Unknown"), run(NAIVE))
    lookup.ending.set()
    notes = [each async for each in lookup.followed() if isinstance(each, RunNote)]
    assert [(note.worker_name, note.error, note.total) for note in notes] == [
        (GRAPH, "Lambda.Unknown", 2),
        (NAIVE, "", 2),
    ]


async def test_notes_are_read_no_more_when_the_last_worker_alone_is_missing(lookup: Lookup) -> None:
    followed = lookup.followed()
    lookup.finish(GRAPH)
    assert await following_one(followed) == GRAPH
    reads = lookup.reads
    waiting = asyncio.create_task(rest(followed))
    await asyncio.sleep(0.05)
    lookup.ending.set()
    assert (await waiting)[0] == [NAIVE]
    assert lookup.reads == reads


async def test_a_reading_that_fails_is_logged_and_tried_again(lookup: Lookup, caplog: pytest.LogCaptureFixture) -> None:
    lookup.trouble = [StoreUnavailableError("The table cannot be reached."), ZeroDivisionError("a defect")]
    lookup.finish(GRAPH)
    followed = lookup.followed()
    assert await following_one(followed) == GRAPH
    lookup.ending.set()
    assert await rest(followed) == ([NAIVE], lookup.result)
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["run notes not read: ZeroDivisionError", "run notes not read: StoreUnavailableError"]


async def test_a_reading_that_hangs_does_not_hold_up_the_result(lookup: Lookup) -> None:
    hanging, over = threading.Event(), threading.Event()

    def finished() -> list[RunNote]:
        hanging.set()
        over.wait(SOON)
        return []

    waiting = asyncio.create_task(rest(follow(lookup, finished, SOON)))
    assert await asyncio.to_thread(hanging.wait, SOON)
    lookup.ending.set()
    assert (await asyncio.wait_for(waiting, SOON))[0] == [GRAPH, NAIVE]
    assert not over.is_set()
    over.set()


async def test_a_look_up_that_fails_raises_after_what_was_told(lookup: Lookup) -> None:
    lookup.result = WorkflowError("The retrieval workflow failed.", "States.Timeout")
    lookup.finish(GRAPH)
    followed = lookup.followed()
    assert await following_one(followed) == GRAPH
    lookup.ending.set()
    with pytest.raises(WorkflowError):
        await anext(followed)


async def test_who_closes_early_leaves_nothing_running(lookup: Lookup) -> None:
    tasks = asyncio.all_tasks()
    lookup = Lookup(GRAPH, NAIVE, HYBRID)
    lookup.result = WorkflowError("Nobody hears of this.")
    async with aclosing(lookup.followed()) as followed:
        lookup.finish(GRAPH)
        assert await following_one(followed) == GRAPH
    assert not lookup.ended  # its thread is left to itself
    assert asyncio.all_tasks() == tasks
    await nothing_is_read(lookup)


async def test_who_is_cancelled_leaves_nothing_running(lookup: Lookup) -> None:
    tasks = asyncio.all_tasks()
    waiting = asyncio.create_task(rest(lookup.followed()))
    assert await asyncio.to_thread(lookup.read_twice.wait, SOON)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not lookup.ended
    assert asyncio.all_tasks() == tasks
    await nothing_is_read(lookup)


async def test_a_request_whose_scope_is_cancelled_leaves_nothing_running(lookup: Lookup) -> None:
    tasks = asyncio.all_tasks()
    with anyio.CancelScope() as scope:
        async with aclosing(lookup.followed()) as followed:
            lookup.finish(GRAPH)
            assert await following_one(followed) == GRAPH
            scope.cancel()
            await anext(followed)
    assert scope.cancelled_caught
    assert not lookup.ended
    assert asyncio.all_tasks() == tasks
    await nothing_is_read(lookup)


async def test_a_look_up_that_takes_too_long_is_given_up(lookup: Lookup) -> None:
    lookup.finish(GRAPH)
    followed = lookup.followed(0.1)
    assert await following_one(followed) == GRAPH
    with pytest.raises(WorkflowError) as given_up:
        await asyncio.wait_for(anext(followed), SOON)
    assert given_up.value.error == following.TIMED_OUT
    assert not lookup.ended


async def nothing_is_read(lookup: Lookup) -> None:
    reads = lookup.reads
    await asyncio.sleep(0.03)
    assert lookup.reads == reads
