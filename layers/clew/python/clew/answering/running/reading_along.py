"""Reading along with an answer that another request is being given, perhaps by another process."""

import time
from collections.abc import AsyncGenerator, Callable
from typing import Final

import anyio
from anyio.to_thread import run_sync

from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent, read_published
from clew.conversation.message import Message
from clew.conversation.running_answers import Published, RunningAnswers

LOOK: Final = 0.25  # seconds
SIGN_OF_LIFE: Final = 4.0  # seconds without one, after which nobody gives the answer any more
ANSWER_LOOK: Final = 1.0  # it may have ended before it was known that somebody reads


class ReadingAlong:
    """Reads what is published of the answer to one message.

    When ``events`` ends, either ``ended`` tells that the last event was among them, or ``answer`` is the stored
    answer, of which nothing more is published, or ``dead`` is the attempt that has shown no sign of life.
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
        self.ended = False
        self.answer: Message | None = None
        self.dead = ""

    async def events(self) -> AsyncGenerator[list[StreamEvent], None]:
        """New events, from behind ``after`` where that is of the same attempt, else from the first."""
        await run_sync(self._running.follow, *self._place)
        attempt, read, beat = "", -1, -1
        alive = looked = time.monotonic()
        while True:
            published = await run_sync(self._running.published, *self._place, attempt, read)
            attempt, found = self._new(published, attempt, read)
            now = time.monotonic()
            if found or published.wanted.beat != beat:
                alive, beat = now, published.wanted.beat
            if found:
                read = found[-1].id.number
                if fresh := [each for each in found if not self._has(each)]:
                    yield fresh
                if found[-1].is_last:
                    self.ended = True
                    return
            if now - looked >= ANSWER_LOOK:
                looked = now
                self.answer = await run_sync(self._stored)
                if self.answer is not None:
                    return
            if now - alive >= SIGN_OF_LIFE or published.wanted.is_abandoned:
                self.dead = published.wanted.attempt
                return
            await anyio.sleep(LOOK)

    def _new(self, published: Published, attempt: str, read: int) -> tuple[str, list[StreamEvent]]:
        """The attempt that is read, which stays the same once there is one, and its events that are new."""
        if not attempt:
            attempt = published.wanted.attempt or next(iter(published.events), "")
        events = map(read_published, published.events.get(attempt, ()))
        return attempt, [each for each in events if each and each.id.number > read]

    def _has(self, event: StreamEvent) -> bool:
        """Whether the client has the event."""
        after = self._after
        return after is not None and after.attempt == event.id.attempt and event.id.number <= after.number
