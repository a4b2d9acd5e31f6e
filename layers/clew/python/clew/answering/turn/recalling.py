"""Recalling what bears on a question, beside the look-up: older turns, and what is known of the user."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Final, TypeVar

from anyio.to_thread import run_sync

from clew.errors import ClewError
from clew.memory.episode import Episode

GRACE: Final = 0.25  # seconds that a turn waits for what is not recalled by the end of the look-up
BEFORE_LOOK_UP: Final = 0.6  # seconds that it waits for a recall without which the message may not be understood

T = TypeVar("T")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was recalled; empty where nothing is or where it came too late."""

    episodes: tuple[Episode, ...] = ()
    known_of_user: tuple[str, ...] = ()


class Recalling:
    """Two recalls in threads of their own, begun at once and asked for when the look-up is over.

    Neither fails a turn: what breaks is logged, and what takes too long is left behind to end by itself.
    """

    def __init__(
        self, episodes: Callable[[], list[Episode]] | None, known_of_user: Callable[[], tuple[str, ...]] | None
    ) -> None:
        self._episodes = _begin(episodes, "episodes") if episodes else None
        self._known = _begin(known_of_user, "long-term memory") if known_of_user else None

    async def result(self, grace: float = GRACE) -> Recalled:
        running = {task for task in (self._episodes, self._known) if task is not None}
        if running:
            await asyncio.wait(running, timeout=grace)
        return Recalled(tuple(_found(self._episodes) or ()), _found(self._known) or ())

    def leave(self) -> None:
        """Wait for nothing any more."""
        for task in (self._episodes, self._known):
            if task is not None:
                task.cancel()


def _begin(recall: Callable[[], T], what: str) -> "asyncio.Task[T | None]":
    return asyncio.create_task(run_sync(lambda: safely(recall, what), abandon_on_cancel=True))


def _found(task: "asyncio.Task[T | None] | None") -> T | None:
    if task is None:
        return None
    if not task.done():
        logger.warning("recalled too late")
        task.cancel()
        return None
    return None if task.cancelled() else task.result()


def within(seconds: float, recall: Callable[[], T], what: str) -> T | None:
    """What ``recall`` gives in that time, or None; for a thread that must not wait longer for another's work."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="recall")
    try:
        return executor.submit(copy_context().run, safely, recall, what).result(timeout=seconds)
    except TimeoutError:
        logger.warning("%s recalled too late", what)
        return None
    finally:
        executor.shutdown(wait=False)


def safely(recall: Callable[[], T], what: str) -> T | None:
    """What ``recall`` gives, or None with a line in the log where it breaks."""
    try:
        return recall()
    except ClewError as error:
        logger.warning("%s not recalled: %s", what, type(error).__name__)
    except Exception:
        logger.exception("%s not recalled", what)
    return None
