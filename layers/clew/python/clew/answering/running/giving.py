"""Giving an answer: the turn's steps in a task of their own, and the one end that they come to."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final, Literal

import anyio
from anyio.to_thread import run_sync

from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.attendant import Attendant
from clew.answering.running.looking_out import LookingOut
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.outcome import Ending, Observe, outcome_of
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.turn.turn import Turn
from clew.conversation.running_answers import RunningAnswers
from clew.errors import AnsweredElsewhereError, TurnTimeoutError

OnClientGone = Literal["stop", "finish"]

STOPPED: Final[dict[str, Ending]] = {"client_gone": "client_gone", "cancelled": "cancelled"}

logger = logging.getLogger(__name__)


class Giving:
    """Gives the answer of one run."""

    def __init__(
        self,
        turn: Turn,
        running: Callable[[], RunningAnswers],
        looking_out: LookingOut,
        on_client_gone: OnClientGone,
        observe: Observe | None,
    ) -> None:
        self._turn = turn
        self._running = running
        self._looking_out = looking_out
        self._on_client_gone = on_client_gone
        self._observe = observe

    async def events(
        self, run: AnswerRun, request: TurnRequest, state: TurnState, *, followed: bool
    ) -> AsyncGenerator[list[StreamEvent], None]:
        """The run's events; when the reader leaves, what becomes of the answer is as it was set.

        An answer that somebody else reads along goes on in any case.
        """
        attendant = Attendant(
            self._running(), self._looking_out, run, state.conversation_id, state.seq, followed=followed
        )
        tasks = {
            asyncio.create_task(self._produce(run, request, state)),
            asyncio.create_task(attendant.attend()),
        }
        try:
            async with aclosing(run.read()) as batches:
                async for batch in batches:
                    yield batch
        finally:
            if self._on_client_gone == "stop" and not attendant.followed:
                run.stop("client_gone")
            with anyio.CancelScope(shield=True):
                await asyncio.wait(tasks)
                if not run.answered and run.stopped != "taken_over":
                    await self._leave(run, state)

    async def fail(self, run: AnswerRun, request: TurnRequest, state: TurnState, error: Exception) -> None:
        """End a run that has not come to its steps."""
        run.add(await self._turn.failed(request, state, error))
        self._tell(run, state, "error", error)

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
                ending = STOPPED.get(run.stopped, "error")
            if broke is not None:
                ending = "error"
                run.add(await self._turn.failed(request, state, broke))
        except BaseException:  # the process ends
            with anyio.CancelScope(shield=True):
                await self._turn.left(request, state, "Interrupted")
            raise
        finally:
            run.answered = ending in ("done", "asked_user", "cancelled")
            run.end()
            self._tell(run, state, ending, broke)

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

    async def _leave(self, run: AnswerRun, state: TurnState) -> None:
        """Let a repeat know that it need not wait for this run; where that fails, it learns it from the silence."""
        try:
            await run_sync(self._running().leave, state.conversation_id, state.seq, run.attempt)
        except Exception as error:
            logger.warning("end of a run not noted: %s", type(error).__name__)

    def _tell(self, run: AnswerRun, state: TurnState, ending: Ending, error: Exception | None) -> None:
        if self._observe is not None:
            self._observe(outcome_of(state, ending, error, run.elapsed_ms, run.first_token_ms))
