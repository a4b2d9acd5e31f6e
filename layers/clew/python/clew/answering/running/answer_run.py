"""One answer while it is being given: its events so far, and the end that it comes to."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Literal

import anyio

from clew.answering import events
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent

Stop = Literal["", "cancelled", "client_gone", "taken_over"]


class AnswerRun:
    """Numbers events as they are added, and hands them to whoever reads.

    Events stay until the run is forgotten, which is when its request is over: some hundred bytes a token.
    """

    def __init__(self, key: str, attempt: str, *, debug: bool) -> None:
        self.key = key
        self.attempt = attempt
        self.events: list[StreamEvent] = []
        self.over = False
        self.answered = False  # an answer is stored, whole or cancelled
        self.stopped: Stop = ""
        self.first_token_ms: float | None = None
        self._debug = debug
        self._offset = 0
        self._began = time.perf_counter()
        self._changed = asyncio.Event()
        self._ended = asyncio.Event()
        self._scope: anyio.CancelScope | None = None

    @property
    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self._began) * 1000

    def add(self, event: events.Event) -> None:
        """Number an event and hand it on; the execution log is for requests that ask for it."""
        if isinstance(event, events.ExecutionLog) and not self._debug:
            return
        if isinstance(event, events.Token):
            self._offset += len(event.content)
            if self.first_token_ms is None:
                self.first_token_ms = self.elapsed_ms
        id = EventId(self.key, self.attempt, len(self.events), self._offset)
        self.events.append(StreamEvent.of(id, event))
        self._changed.set()

    def within(self, scope: anyio.CancelScope) -> None:
        """Tell what ``stop`` has to cancel."""
        self._scope = scope
        if self.stopped:
            scope.cancel()

    def stop(self, why: Stop) -> None:
        """Break the answer off, unless it is over or broken off already."""
        if self.over or self.stopped:
            return
        self.stopped = why
        if self._scope is not None:
            self._scope.cancel()

    def end(self) -> None:
        """Nothing more is added."""
        self.over = True
        self._changed.set()
        self._ended.set()

    async def ended(self, seconds: float) -> bool:
        """Whether the run is over, at the latest after that time."""
        with anyio.move_on_after(seconds):
            await self._ended.wait()
        return self.over

    async def read(self) -> AsyncGenerator[list[StreamEvent], None]:
        """All events from the first on, in lists of what has come since the last; ends with the run."""
        read = 0
        while True:
            self._changed.clear()
            if len(self.events) > read:
                found = self.events[read:]
                read += len(found)
                yield found
            elif self.over:
                return
            else:
                await self._changed.wait()
