"""Following a look-up: each worker as it finishes, then the result."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import nullcontext
from typing import Final

import anyio
from anyio.to_thread import run_sync

from clew.answering.turn.lookup import LookupResult
from clew.errors import WorkflowError
from clew.retrieval.run_notes import RunNote

FIRST_READ: Final = 0.35  # seconds; a plain question is looked up by then, and costs no read
NEXT_READ: Final = 0.15  # seconds; a note is shown before anybody could miss it

TIMED_OUT: Final = "TimedOut"

logger = logging.getLogger(__name__)


async def follow(
    look_up: Callable[[], LookupResult],
    finished: Callable[[], list[RunNote]],
    seconds: float,
    limiter: anyio.CapacityLimiter | None = None,
) -> AsyncGenerator[RunNote | LookupResult, None]:
    """Each worker once, in the order of their ends as far as the notes tell it, and at last the result.

    ``look_up`` runs in a thread, and so does each reading of ``finished``, which may fail: the result
    tells of every worker as well. A reading that is under way does not hold up the result; its thread
    ends by itself. So does that of ``look_up``, which nothing can stop, when the caller leaves early or it takes
    longer than ``seconds``: that is a WorkflowError. ``limiter`` bounds how many run at once; neither the time nor
    the reading begins before a look-up has its place.
    """
    told: set[str] = set()
    begun = asyncio.Event()

    async def in_its_place() -> LookupResult:
        async with limiter or nullcontext():
            begun.set()
            return await run_sync(look_up, abandon_on_cancel=True)

    running = asyncio.create_task(in_its_place())
    reading: asyncio.Task[list[RunNote]] | None = None
    pause = FIRST_READ
    try:
        await begun.wait()
        until = time.monotonic() + seconds
        while not (await asyncio.wait({running}, timeout=min(pause, until - time.monotonic())))[0]:
            if time.monotonic() >= until:
                raise WorkflowError("The look-up took too long. Try again later.", TIMED_OUT)
            reading = asyncio.create_task(run_sync(_read, finished, abandon_on_cancel=True))
            await asyncio.wait(
                {running, reading}, timeout=until - time.monotonic(), return_when=asyncio.FIRST_COMPLETED
            )
            if running.done() or not reading.done():
                continue
            pause = NEXT_READ
            for note in reading.result():
                if note.worker_name not in told:
                    told.add(note.worker_name)
                    yield note
                if len(told) >= note.total - 1:
                    pause = seconds  # the last worker's end is the look-up's own
        result = running.result()
        for run in result.runs:
            if run.worker_name not in told:
                yield RunNote.of(run, len(result.runs))
        yield result
    finally:
        tasks = [task for task in (running, reading) if task is not None]
        for task in tasks:
            task.cancel()
        with anyio.CancelScope(shield=True):  # for a moment: their threads are left to themselves
            await asyncio.gather(*tasks, return_exceptions=True)


def _read(finished: Callable[[], list[RunNote]]) -> list[RunNote]:
    try:
        return finished()
    except Exception as error:  # what is not seen now is seen when the look-up ends
        logger.warning("run notes not read: %s", type(error).__name__)
        return []
