"""The answer to a message that was sent before: stored, or being given to another request."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from anyio.to_thread import run_sync

from clew.answering import events
from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.event_id import EventId
from clew.answering.running.reading_along import ReadingAlong
from clew.answering.running.replaying import replayed
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.turn.turn import Turn
from clew.conversation.running_answers import RunningAnswers

logger = logging.getLogger(__name__)


class Elsewhere:
    """Its events for a client that has those up to ``after``.

    After ``events``, ``ended`` tells whether the client has the end of it; else the answer is to be given here, and
    ``nothing_sent`` whether the client has got nothing of it so far.
    """

    def __init__(
        self,
        turn: Turn,
        running: RunningAnswers,
        request: TurnRequest,
        state: TurnState,
        run: AnswerRun,
        after: EventId | None,
    ) -> None:
        self._turn = turn
        self._running = running
        self._request = request
        self._state = state
        self._run = run
        self._after = after
        self.ended = False
        self.nothing_sent = True

    async def events(self) -> AsyncGenerator[list[StreamEvent], None]:
        """What there is; where it cannot be read, an ``error`` that leaves the answer to who gives it."""
        try:
            async with aclosing(self._events()) as batches:
                async for batch in batches:
                    yield batch
        except Exception as error:
            self.ended = self._state.stored = True
            self._run.add(await self._turn.failed(self._request, self._state, error))
            yield self._run.events[-1:]

    async def _events(self) -> AsyncGenerator[list[StreamEvent], None]:
        answer = await run_sync(self._turn.answered, self._request, self._state)
        while answer is None:
            reading = ReadingAlong(
                self._running,
                self._state.conversation_id,
                self._state.seq,
                stored=lambda: self._turn.answered(self._request, self._state),
                after=self._after,
            )
            async with aclosing(reading.events()) as batches:
                async for batch in batches:
                    if news := [each for each in batch if self._concerns_the_client(each)]:
                        yield news
                        self._after, self.nothing_sent = news[-1].id, False
            if reading.ended:
                self.ended = True
                return
            answer = reading.answer
            if answer is None and await self._take_over(reading.dead):
                return
        self.ended = True
        yield replayed(answer, self._run, self._after)

    def _concerns_the_client(self, each: StreamEvent) -> bool:
        """Not the log, unless it was asked for; nor the ``start`` of a new stream, which has had its own.

        A client that comes back is told by ``start`` that the answer begins anew.
        """
        if isinstance(each.event, events.ExecutionLog):
            return self._request.debug
        return not isinstance(each.event, events.Start) or self._after is not None

    async def _take_over(self, dead: str) -> bool:
        place = self._state.conversation_id, self._state.seq
        return await run_sync(self._running.take_over, *place, self._run.attempt, dead)
