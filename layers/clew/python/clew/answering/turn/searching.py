"""Searching for a turn: the look-up, what is recalled beside it, and the verify step that may send it back once."""

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Final
from uuid import uuid4

import anyio

from clew.answering import events
from clew.answering.follow_up.following_up import ask_user
from clew.answering.turn.following import follow
from clew.answering.turn.lookup import LookupInput, LookupResult, RetrievalWorkflow
from clew.answering.turn.recalling import BEFORE_LOOK_UP, Recalling, within
from clew.answering.turn.reporting import evidence_summary, retrieval_progress, run_summary, step_log
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.verifying.dependence import of_known_values
from clew.answering.verifying.verify import Verdict, verify
from clew.conversation.pending import PendingIntent
from clew.errors import ClewError, RetrievalFailedError
from clew.memory.episode import Episode
from clew.memory.episodes import Episodes
from clew.memory.long_term import LongTermMemory
from clew.retrieval.evidence import Evidence, RetrievalRun
from clew.retrieval.merge import merge
from clew.retrieval.run_notes import RunNote, RunNotes
from clew.routing.decision import RouteDecision
from clew.routing.router import AUTO

RECALLED: Final = 8  # turns: enough to leave three where the window holds the others
LOOK_UP_PART: Final = 0.6  # of what is left of the turn's time; the rest is for the answer
LOOK_UP_SECONDS: Final = 65.0  # the workflow itself gives up after 60
LOOK_UPS_AT_ONCE: Final = 4
"""Of one process. On AWS it has one request at a time; on a laptop, each one more is one more process of each function,
and of ten that start at once on two cores most are not done when their time is over."""
SURELY_FITS: Final = 3_000  # bytes of messages that no budget throws out of the window: a thousand tokens at most

logger = logging.getLogger(__name__)


class Searching:
    """Looks up and recalls; shared by all turns of a process."""

    def __init__(
        self,
        *,
        workflow: Callable[[], RetrievalWorkflow],
        notes: Callable[[], RunNotes],
        episodes: Callable[[str], Episodes],
        user_memory: Callable[[], LongTermMemory | None] | None = None,
    ) -> None:
        self._workflow = workflow
        self._notes = notes
        self._episodes = episodes
        self._user_memory = user_memory
        self._at_once = anyio.CapacityLimiter(LOOK_UPS_AT_ONCE)

    async def steps(self, request: TurnRequest, state: TurnState) -> AsyncGenerator[events.Event, None]:
        """Fill ``state`` with decision, evidence, episodes and, where the user has to be asked, the question."""
        recalling = Recalling(self._recall_episodes(request, state), self._recall_user(request, state))
        try:
            runs: list[RetrievalRun] = []
            async with aclosing(self._round(_first(request, state), state, runs)) as first:
                async for event in first:
                    yield event
            verdict = _verified(request, state)
            if verdict and verdict.action == "again":
                yield _verify_log(state, verdict)
                async with aclosing(self._second_round(request, state, runs, verdict)) as second:
                    async for event in second:
                        yield event
                verdict = _verified(request, state, may_look_again=False)
            if verdict:
                yield _verify_log(state, verdict)
                _act(request, state, verdict)
            state.lap("verify")
            recalled = await recalling.result()
            state.episodes, state.known_of_user = recalled.episodes, recalled.known_of_user
            state.lap("recall")
            yield step_log("recall", {"question": state.question}, _recalled(state))
        finally:
            recalling.leave()

    def recall_for_rewriting(self, request: TurnRequest, state: TurnState) -> Callable[[str], Sequence[Episode]]:
        """A recall for a message that leans on what the window does not hold; nothing where all is in the window."""
        if not _has_older(state):
            return lambda _: ()

        def recall(text: str) -> Sequence[Episode]:
            return within(BEFORE_LOOK_UP, lambda: self._recalled(request, state, text), "episodes") or ()

        return recall

    async def _round(
        self, lookup: LookupInput, state: TurnState, runs: list[RetrievalRun]
    ) -> AsyncGenerator[events.Event, None]:
        """One look-up; its runs join ``runs``, and ``state`` has the evidence of all of them."""
        yield retrieval_progress(0)
        completed = 0
        execution = uuid4().hex  # also the notes' address, so nothing that could be guessed
        following = follow(
            lambda: self._workflow().run(lookup, execution),
            lambda: self._notes().finished(execution),
            state.deadline.share(LOOK_UP_PART, LOOK_UP_SECONDS),
            self._at_once,
        )
        async with aclosing(following) as found:
            async for each in found:
                if isinstance(each, RunNote):
                    completed += 1
                    yield retrieval_progress(completed, each)
                else:
                    result: LookupResult = each
        state.lap("lookup")
        if state.decision is None:
            state.decision = result.decision
        yield step_log("route", {"question": lookup.message}, result.decision.model_dump(mode="json"))
        for run in result.runs:
            yield step_log("retrieve", {"worker_name": run.worker_name}, run_summary(run))
        runs += result.runs
        state.evidence = evidence_of(runs)
        yield step_log("merge", {"runs": len(runs)}, evidence_summary(state.evidence))

    async def _second_round(
        self, request: TurnRequest, state: TurnState, runs: list[RetrievalRun], verdict: Verdict
    ) -> AsyncGenerator[events.Event, None]:
        """Look once more with the worker that verify names; what the first round found holds if this breaks."""
        assert state.decision is not None and verdict.agent_type is not None  # noqa: S101, PT018
        first = _first(request, state)
        lookup = first.model_copy(
            update={"requested_kb_prefix": state.decision.kb_prefix, "agent_type": verdict.agent_type}
        )
        try:
            async with aclosing(self._round(lookup, state, runs)) as steps:
                async for event in steps:
                    yield event
        except ClewError as error:
            logger.warning("second look-up failed: %s", type(error).__name__)

    def _recall_episodes(self, request: TurnRequest, state: TurnState) -> Callable[[], list[Episode]] | None:
        if not _has_older(state):
            return None
        return lambda: self._recalled(request, state, state.question)

    def _recall_user(self, request: TurnRequest, state: TurnState) -> Callable[[], tuple[str, ...]] | None:
        if self._user_memory is None:
            return None
        find = self._user_memory

        def recall() -> tuple[str, ...]:
            memory = find()
            return memory.recall(request.tenant_id, request.user_id, state.question) if memory else ()

        return recall

    def _recalled(self, request: TurnRequest, state: TurnState, text: str) -> list[Episode]:
        return self._episodes(request.tenant_id).best(
            state.conversation_id, text, after_seq=state.cleared_seq, before_seq=state.seq, top=RECALLED
        )


def evidence_of(runs: list[RetrievalRun]) -> Evidence:
    """The merged evidence of all runs that succeeded; RetrievalFailedError if there were runs and none did."""
    failed = {run.worker_name: run.error for run in runs if run.error}
    if runs and all(run.error for run in runs):
        raise RetrievalFailedError({name: error.type for name, error in failed.items()})
    return merge([run for run in runs if run.error is None])


def open_question(pending: PendingIntent, reason: str) -> RouteDecision:
    """The decision of a turn that stays with an open question and looks nothing up."""
    return RouteDecision(kb_prefix=pending.kb_prefix, confidence=1.0, method="override", reason=reason, worker_name="")


def _first(request: TurnRequest, state: TurnState) -> LookupInput:
    common = {
        "tenant_id": request.tenant_id,
        "session_id": request.session_id,
        "message": state.question,
        "correlation_id": request.correlation_id,
    }
    if state.continued is None:
        return LookupInput(**common, requested_kb_prefix=request.kb_prefix, agent_type=request.agent_type)
    pending = state.continued.pending
    return LookupInput(
        **common,
        requested_kb_prefix=pending.kb_prefix,
        agent_type=request.agent_type or pending.agent_type,
        intent=pending.intent,
        known=pending.known,
    )


def _verified(request: TurnRequest, state: TurnState, *, may_look_again: bool = True) -> Verdict | None:
    """The verdict on what was found; None for a general message, which needs nothing."""
    if state.decision is None or state.decision.is_general:
        return None
    continued = state.continued
    asked_with = request.agent_type or (continued.pending.agent_type if continued else "")
    return verify(
        state.question,
        state.decision,
        state.evidence,
        may_ask=continued is None or continued.may_ask,
        may_look_again=may_look_again and asked_with in ("", AUTO),
    )


def _act(request: TurnRequest, state: TurnState, verdict: Verdict) -> None:
    if verdict.action == "ask" and verdict.slot is not None and state.decision is not None:
        state.asking = ask_user(
            verdict.slot, state.decision, state.question, agent_type=request.agent_type, continued=state.continued
        )
    elif verdict.action == "unknown":
        state.evidence = Evidence()
    elif state.decision is not None and state.decision.intent is not None:
        state.evidence = of_known_values(state.decision.intent, state.evidence)


def _has_older(state: TurnState) -> bool:
    """Whether there may be turns that the prompt does not see verbatim: read, or too long for it."""
    if state.window_begins > state.cleared_seq + 1:
        return True
    return sum(len(message.content.encode()) for message in state.past.messages) > SURELY_FITS


def _verify_log(state: TurnState, verdict: Verdict) -> events.Event:
    told = {"action": verdict.action, "reason": verdict.reason, "missing": list(verdict.missing)}
    asked = {"slot": verdict.slot.name} if verdict.slot else {}
    worker = {"agent_type": verdict.agent_type} if verdict.agent_type else {}
    return step_log("verify", {"question": state.question}, told | asked | worker)


def _recalled(state: TurnState) -> dict[str, object]:
    return {
        "episodes": [{"seq": each.seq, "created_at": each.created_at} for each in state.episodes],
        "known_of_user": len(state.known_of_user),
    }
