"""Giving answers: one generation for a message, however often it is asked for and wherever the request comes in."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace

from clew.answering import events
from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.elsewhere import Elsewhere
from clew.answering.running.event_id import OWN_KEY, EventId, new_attempt, new_key
from clew.answering.running.giving import Giving, OnClientGone
from clew.answering.running.looking_out import LookingOut
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.deadline import Deadline
from clew.answering.turn.outcome import Observe
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.turn.turn import Turn
from clew.conversation.running_answers import RunningAnswers
from clew.errors import InvalidRequestError

Batches = AsyncGenerator[list[StreamEvent], None]


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
        self._giving = Giving(turn, running, LookingOut(running), on_client_gone, observe)

    async def stream(self, request: TurnRequest, after: EventId | None = None, seconds: float = 0) -> Batches:
        """``start`` first, then what happens, then exactly one ``done`` or ``error``, in lists as they come.

        A message that was sent before gets its answer, or reads along with the one that is being given. ``after``
        is the last event that the client has of an earlier stream of the same request: what it has is not sent
        again, except where the answer has to be given anew, which ``start`` tells. Closing the generator early
        breaks the answer off, unless it shall be finished all the same. ``seconds`` are what this process has left
        for it, if that may be less than an answer may take.
        """
        limit = min(self._seconds, seconds or self._seconds)
        if after and (after.key == OWN_KEY) != bool(request.client_message_id):
            after = None  # of another client's request
        request, run, state = _begin(request, after.key if after else "", limit)
        begun = after is None
        if begun:
            yield list(run.events)
        try:
            await self._turn.open(request, state)
            if state.repeated and state.said != request.message:
                if not after or run.key == OWN_KEY:
                    raise _sent_otherwise(request)
                # The last event is of another message: this one is new.
                after, (request, run, state) = None, _begin(replace(request, client_message_id=""), "", limit)
                await self._turn.open(request, state)
        except Exception as error:
            await self._giving.fail(run, request, state, error)
            yield run.events[begun:]
            return
        if state.repeated:
            elsewhere = Elsewhere(self._turn, self._running(), request, state, run, after)
            async with aclosing(elsewhere.events()) as batches:
                async for batch in batches:
                    yield batch
            if elsewhere.ended:
                return
            # Who has a part of another attempt is told by ``start`` that the answer begins anew.
            begun = begun and elsewhere.nothing_sent
            state.deadline = Deadline(limit)
        async with aclosing(self._giving.events(run, request, state, followed=state.repeated)) as batches:
            sent = int(begun)
            async for batch in batches:
                if news := batch[sent:]:
                    yield news
                sent = max(0, sent - len(batch))


def _begin(request: TurnRequest, key: str, seconds: float) -> tuple[TurnRequest, AnswerRun, TurnState]:
    """The request with an id of its message, ``key`` or a new one where it has none; its run, which has begun."""
    key = OWN_KEY if request.client_message_id else (key or new_key())
    request = replace(request, client_message_id=request.client_message_id or key)
    run = AnswerRun(key, new_attempt(), debug=request.debug)
    run.add(events.Start(message_id=request.client_message_id))
    return request, run, TurnState(deadline=Deadline(seconds), attempt=run.attempt)


def _sent_otherwise(request: TurnRequest) -> InvalidRequestError:
    told = "was sent before with another message"
    return InvalidRequestError(
        f"message_id {request.client_message_id!r} {told}. Give each message an id of its own.", {"message_id": told}
    )
