"""Giving answers: one generation for a message, however often it is asked for and wherever the request comes in."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Final, Literal

import anyio
from anyio.to_thread import run_sync

from clew.answering import events
from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.attendant import Attendant
from clew.answering.running.event_id import OWN_KEY, EventId, new_attempt, new_key
from clew.answering.running.reading_along import ReadingAlong
from clew.answering.running.replaying import replayed
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.deadline import Deadline
from clew.answering.turn.outcome import Ending, Observe, TurnOutcome
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.turn.turn import Turn
from clew.conversation.running_answers import RunningAnswers
from clew.errors import AnsweredElsewhereError, TurnTimeoutError

OnClientGone = Literal["stop", "finish"]
Batches = AsyncGenerator[list[StreamEvent], None]

LEFT: Final[dict[str, Ending]] = {"client_gone": "client_gone", "cancelled": "cancelled", "taken_over": "error"}

logger = logging.getLogger(__name__)


class Answers:
    """Gives answers as streams of events; shared by all requests of a process.

    An answer may take ``seconds`` in all. ``observe`` is told of each one that was given here.
    """

    def __init__(
        self,
        turn: Turn,
        running: Callable[[], RunningAnswers],
        *,
        seconds: float,
        on_client_gone: OnClientGone = "stop",
        observe: Observe | None = None,
    ) -> None:
        self._turn = turn
        self._running = running
        self._seconds = seconds
        self._on_client_gone = on_client_gone
        self._observe = observe

    async def stream(self, request: TurnRequest, after: EventId | None = None, seconds: float = 0) -> Batches:
        """``start`` first, then what happens, then exactly one ``done`` or ``error``, in lists as they come.

        A message that was sent before gets its answer, or reads along with the one that is being given. ``after``
        is the last event that the client has of an earlier stream of the same request: what it has is not sent
        again, except where the answer has to be given anew, which ``start`` tells. Closing the generator early
        breaks the answer off, unless it shall be finished all the same. ``seconds`` are what this process has left
        for it, if that may be less than an answer may take.
        """
        key = OWN_KEY if request.client_message_id else (after.key if after else new_key())
        request = replace(request, client_message_id=request.client_message_id or key)
        run = AnswerRun(key, new_attempt(), debug=request.debug)
        state = TurnState(deadline=Deadline(min(self._seconds, seconds or self._seconds)), attempt=run.attempt)
        start = events.Start(message_id=request.client_message_id)
        run.add(start)
        if after is None:
            yield list(run.events)
        if not await self._open(run, request, state):
            yield run.events[(after is None) :]
            return
        begun, takes_over = after is None, False
        if state.repeated:
            elsewhere = _Elsewhere(self._turn, self._running(), request, state, run, after)
            async with aclosing(elsewhere.events()) as batches:
                async for batch in batches:
                    yield batch
            if elsewhere.ended:
                return
            # Who has a part of another attempt is told by ``start`` that the answer begins anew.
            begun, takes_over = elsewhere.nothing_sent and begun, True
        async with aclosing(self._give(run, request, state, followed=takes_over)) as batches:
            sent = int(begun)
            async for batch in batches:
                if news := batch[sent:]:
                    yield news
                sent = max(0, sent - len(batch))

    async def _open(self, run: AnswerRun, request: TurnRequest, state: TurnState) -> bool:
        """Store the message; where that fails the run ends with the error."""
        try:
            await self._turn.open(request, state)
        except Exception as error:
            run.add(await self._turn.failed(request, state, error))
            self._tell(run, state, "error", error)
            return False
        return True

    async def _give(self, run: AnswerRun, request: TurnRequest, state: TurnState, *, followed: bool) -> Batches:
        """The run's own events; when the reader leaves, what becomes of the answer is as it was set."""
        attendant = Attendant(self._running(), run, state.conversation_id, state.seq)
        tasks = {
            asyncio.create_task(self._produce(run, request, state)),
            asyncio.create_task(attendant.attend(followed=followed)),
        }
        try:
            async with aclosing(run.read()) as batches:
                async for batch in batches:
                    yield batch
        finally:
            if self._on_client_gone == "stop":
                run.stop("client_gone")
            with anyio.CancelScope(shield=True):
                await asyncio.wait(tasks)

    async def _produce(self, run: AnswerRun, request: TurnRequest, state: TurnState) -> None:
        """Add the turn's events to the run until it ends, by itself or because it has to."""
        ending: Ending = "error"
        broke: Exception | None = None
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + state.deadline.left()) as scope:
                run.within(scope)
                try:
                    async with aclosing(self._turn.steps(request, state)) as steps:
                        async for event in steps:
                            run.add(event)
                    ending = "asked_user" if state.asking else "done"
                except Exception as error:
                    broke = error
            if scope.cancelled_caught and broke is None and not run.events[-1].is_last:
                broke = await self._break_off(run, request, state)
                ending = LEFT.get(run.stopped, "error")
            if broke is not None:
                run.add(await self._turn.failed(request, state, broke))
        except BaseException:  # the process ends
            with anyio.CancelScope(shield=True):
                await self._turn.left(request, state, "Interrupted")
                await self._leave(run, state)
            raise
        else:
            if ending in ("error", "client_gone"):
                await self._leave(run, state)
        finally:
            run.end()
            self._tell(run, state, ending, broke)

    async def _leave(self, run: AnswerRun, state: TurnState) -> None:
        """Let a repeat know that it need not wait for this run; where that fails, it learns it from the silence."""
        if run.stopped == "taken_over":
            return
        try:
            await run_sync(self._running().leave, state.conversation_id, state.seq, run.attempt)
        except Exception as error:
            logger.warning("end of a run not noted: %s", type(error).__name__)

    async def _break_off(self, run: AnswerRun, request: TurnRequest, state: TurnState) -> Exception | None:
        """What a run that was stopped leaves; the error to tell of, if there is one."""
        match run.stopped:
            case "cancelled":
                try:
                    run.add(await self._turn.cancelled(request, state))
                except Exception as error:
                    return error
                return None
            case "client_gone":
                await self._turn.left(request, state, "ClientGone")
                return None
            case "taken_over":
                state.stored = True  # by who has taken over
                return AnsweredElsewhereError()
            case _:
                return TurnTimeoutError(state.deadline.seconds)

    def _tell(self, run: AnswerRun, state: TurnState, ending: Ending, error: Exception | None) -> None:
        if self._observe is None:
            return
        decision, finished = state.decision, state.finished
        general = decision is None or decision.is_general
        outcome = TurnOutcome(
            ending=ending,
            total_ms=run.elapsed_ms,
            first_token_ms=run.first_token_ms,
            error=type(error).__name__ if error else "",
            kb_prefix=decision.kb_prefix if decision else "",
            model=finished.model if finished else "",
            general=general,
            unanswered=ending == "done" and not general and not state.citations,
            evidence=len(state.cited_from),
            **({"usage": finished.usage} if finished else {}),
            steps_ms=dict(state.timings),
        )
        try:
            self._observe(outcome)
        except Exception:
            logger.exception("turn not observed")


class _Elsewhere:
    """The answer to a message that was sent before: stored, or being given to another request.

    After ``events``, ``ended`` tells whether the client has the whole of it; else it is to be given here.
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

    async def events(self) -> Batches:
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
                    if news := [each for each in batch if not self._has_start(each)]:
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

    def _has_start(self, event: StreamEvent) -> bool:
        """A client has the one ``start`` of a new stream; one that comes back is told so that it begins anew."""
        return isinstance(event.event, events.Start) and self._after is None

    async def _take_over(self, dead: str) -> bool:
        place = self._state.conversation_id, self._state.seq
        return await run_sync(self._running.take_over, *place, self._run.attempt, dead)
