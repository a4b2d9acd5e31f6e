"""Reading along with an answer that another request is being given, perhaps by another process."""

import logging
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final

import anyio
from anyio.to_thread import run_sync

from clew.answering.events import Failed
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent, read_published
from clew.conversation.message import Message
from clew.conversation.running_answers import Published, RunningAnswers
from clew.errors import TransientError

LOOK: Final = 0.25  # seconds
SIGN_OF_LIFE: Final = 4.0  # seconds without one, after which nobody gives the answer any more
ANSWER_LOOK: Final = 1.0  # it may have ended before it was known that somebody reads

logger = logging.getLogger(__name__)


class ReadingAlong:
    """Reads what is published of the answer to one message.

    When ``events`` ends, either ``ended`` tells that the last event was among them, or ``answer`` is the stored
    answer, of which nothing more is published, or ``dead`` is the attempt that gives the answer no more.
    """

    def __init__(
        self,
        running: RunningAnswers,
        conversation_id: str,
        seq: int,
        *,
        stored: Callable[[], Message | None],
        after: EventId | None,
    ) -> None:
        self._running = running
        self._place = conversation_id, seq
        self._stored = stored
        self._after = after
        self._attempt = ""
        self._read = -1
        self.ended = False
        self.answer: Message | None = None
        self.dead = ""

    async def events(self) -> AsyncGenerator[list[StreamEvent], None]:
        """New events, from behind ``after`` where that is of the same attempt, else from the first.

        What an attempt has published that ended in an error before anybody read along is not shown again.
        """
        await run_sync(self._running.follow, *self._place)
        sign, first = ("", -1), True
        alive = looked = time.monotonic()
        while True:
            published = await run_sync(self._look)
            found = self._new(published)
            now = time.monotonic()
            # Who has just taken over is alive too, before its first beat.
            if found or (published.wanted.attempt, published.wanted.beat) != sign:
                alive, sign = now, (published.wanted.attempt, published.wanted.beat)
            failed = bool(found) and isinstance(found[-1].event, Failed)
            over = now - alive >= SIGN_OF_LIFE or (first and (failed or published.wanted.is_abandoned))
            if found and not over:
                self._read = found[-1].id.number
                if fresh := [each for each in found if not self._has(each)]:
                    yield fresh
                if found[-1].is_last:
                    self.ended = True
                    return
            over = over or (not found and published.wanted.is_abandoned)
            if over or now - looked >= ANSWER_LOOK:
                looked = now
                self.answer = await run_sync(self._stored)
                if self.answer is not None:
                    return
            if over:
                self.dead = published.wanted.attempt
                return
            first = False
            await anyio.sleep(LOOK)

    def _look(self) -> Published:
        """What is published behind what was read; nothing where the table does not answer this time."""
        try:
            published = self._running.published(*self._place, self._attempt, self._read)
            first = next(map(read_published, published.events.get(self._attempt, ())), None)
            if first and first.id.number > self._read + 1:  # what was written twice lies further in front
                published = self._running.published(*self._place, self._attempt)
        except TransientError as error:
            logger.warning("running answer not read: %s", type(error).__name__)
            return Published()
        return published

    def _new(self, published: Published) -> list[StreamEvent]:
        """The events that are new, of one attempt, which stays the same once there is one."""
        if not self._attempt:
            self._attempt = published.wanted.attempt or next(iter(published.events), "")
        events = map(read_published, published.events.get(self._attempt, ()))
        return [each for each in events if each and each.id.number > self._read]

    def _has(self, event: StreamEvent) -> bool:
        """Whether the client has the event."""
        after = self._after
        return after is not None and after.attempt == event.id.attempt and event.id.number <= after.number
