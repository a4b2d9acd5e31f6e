"""One turn: the steps from a message to a stored answer, as a stream of events."""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from anyio.to_thread import run_sync

from clew.answering import events
from clew.answering.chat_model import ChatModel, TextDelta
from clew.answering.follow_up.following_up import AskUser, Continued, Dropped, continue_with
from clew.answering.prompting.budget import ContextBudget
from clew.answering.prompting.context import assemble
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.prompting.report import ContextReport
from clew.answering.prompting.token_counter import CalibratedCounter
from clew.answering.rewriting.rewriter import Past, Rewriter
from clew.answering.turn.previous_turns import previous_turns
from clew.answering.turn.reporting import step_log
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.searching import Searching, open_question
from clew.answering.turn.state import TurnState
from clew.answering.turn.storing import Storing
from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.errors import ModelError, WorkflowError
from clew.knowledge.profile_cache import ProfileCache
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.problem import REQUEST_PREFIX, problem_of
from clew.text.citation_marks import MarkFilter
from clew.text.language import detect_language

THEMES: Final = 3  # summaries of communities in the prompt: a few hundred tokens

logger = logging.getLogger(__name__)


class Turn:
    """Answers messages; holds what every turn of a process shares.

    ``model`` is called when the answer is to be written, with the name of the model that the request asks for, so
    that a model whose import is slow does not delay the first event.
    """

    def __init__(
        self,
        *,
        store: Callable[[str], ConversationStore],
        knowledge_bases: Callable[[str], KnowledgeBaseRegistry],
        rewriter: Callable[[], Rewriter],
        searching: Searching,
        model: Callable[[str], ChatModel],
        counter: Callable[[ChatModel], CalibratedCounter],
        budget: ContextBudget,
    ) -> None:
        self._knowledge_bases = knowledge_bases
        self._rewriter = rewriter
        self._searching = searching
        self._model = model
        self._counter = counter
        self._budget = budget
        self._profiles = ProfileCache()
        self._storing = Storing(store)

    async def open(self, request: TurnRequest, state: TurnState) -> None:
        """Store the user's message, which makes it this turn's to answer, and read what was said before it."""
        await run_sync(self._storing.open, request, state)
        state.lap("remember")

    def answered(self, request: TurnRequest, state: TurnState) -> Message | None:
        """The stored answer of a message that was sent before; to be called in a thread."""
        return self._storing.answered(request, state)

    async def failed(self, request: TurnRequest, state: TurnState, error: Exception) -> events.Failed:
        """Store what was sent of a turn that broke; the event that tells of it."""
        problem = problem_of(error)
        ours = problem.status >= 500
        cause = {"cause": error.error} if isinstance(error, WorkflowError) else {}
        logger.log(
            logging.ERROR if ours else logging.WARNING,
            "turn failed: %s",
            type(error).__name__,
            exc_info=error if ours else None,
            extra={"session_id": request.session_id, **cause},
        )
        await self._storing.broken(request, state, type(error).__name__)
        instance = REQUEST_PREFIX + request.correlation_id if request.correlation_id else ""
        return events.Failed(message=problem.detail, type=problem.type, instance=instance)

    async def cancelled(self, request: TurnRequest, state: TurnState) -> events.Done:
        """Store what was sent of a turn that the user has cancelled; its last event."""
        return events.Done(content=await self._storing.cancelled(request, state))

    async def left(self, request: TurnRequest, state: TurnState, why: str) -> None:
        """Store what was sent of a turn that nobody reads any more."""
        await self._storing.broken(request, state, why)

    async def steps(self, request: TurnRequest, state: TurnState) -> AsyncGenerator[events.Event, None]:
        """All events between ``start`` and the end, and ``done``; what breaks is raised."""
        if state.past.pending:
            await run_sync(self._storing.take_follow_up, request, state)
        yield step_log("remember", {"session_id": request.session_id}, _remembered(state))
        said = self._follow_up(request, state)
        if state.past.pending:
            yield step_log("follow_up", {"message": request.message}, _followed_up(state, said))
        if not said:
            if not state.question:
                state.question = await run_sync(self._rewrite, request, state, abandon_on_cancel=True)
            state.lap("rewrite")
            yield step_log("rewrite", {"message": request.message}, {"question": state.question})

            async with aclosing(self._searching.steps(request, state)) as steps:
                async for event in steps:
                    yield event
            said = state.asking.text if state.asking else ""

        yield events.Progress(content=events.ProgressContent(stage="generation", completed=0, total=1))
        async with aclosing(_say(state, said) if said else self._generate(request, state)) as tokens:
            async for token in tokens:
                yield token
        state.whole = True
        state.lap("generate")
        yield events.Progress(content=events.ProgressContent(stage="generation", completed=1, total=1))

        done = await run_sync(self._storing.finish, request, state)
        state.lap("persist")
        yield step_log("persist", {"message_id": done.message_id}, {"timings_ms": state.timings})
        yield events.Done(content=done)

    def _follow_up(self, request: TurnRequest, state: TurnState) -> str:
        """What the message does to the open question, if there is one; what to say at once, where that is clear."""
        pending = state.past.pending
        if pending is None:
            return ""
        match continue_with(pending, request.message, requested_kb_prefix=request.kb_prefix):
            case AskUser() as asking:
                state.question, state.asking = pending.original_query, asking
                state.decision = open_question(pending, "The reply leaves open what was asked.")
                return asking.text
            case Continued() as continued:
                state.question, state.continued = continued.question, continued
                return ""
            case Dropped(text=text):
                state.dropped = True
                if text:
                    state.question = request.message
                    state.decision = open_question(pending, "The user has dropped the question.")
                return text

    def _rewrite(self, request: TurnRequest, state: TurnState) -> str:
        past = Past(previous_turns(state.past.messages), self._searching.recall_for_rewriting(request, state))
        return self._rewriter().rewrite(request.message, past)

    async def _generate(self, request: TurnRequest, state: TurnState) -> AsyncGenerator[events.Event, None]:
        model = await run_sync(self._model, request.model, abandon_on_cancel=True)
        counter = self._counter(model)
        prompt, report = await run_sync(self._prompt, request, state, counter, abandon_on_cancel=True)
        state.cited_from = prompt.evidence
        yield step_log("context", {"question": state.question}, report.as_dict())
        if state.continued and state.continued.note:
            async with aclosing(_say(state, f"{state.continued.note} ")) as noted:
                async for token in noted:
                    yield token
        begun = len(state.answer)
        async with aclosing(_written(model, prompt, state)) as pieces:
            async for piece in pieces:
                state.answer += piece
                yield events.Token(content=piece)
        if not state.answer[begun:].strip():
            raise ModelError("The model gave an empty answer. Ask again.")
        # Pictures have no words to reckon with, and another model has another vocabulary.
        if state.finished and state.finished.model == model.name and not prompt.images:
            counter.learn(render(prompt), state.finished.usage)

    def _prompt(
        self, request: TurnRequest, state: TurnState, counter: CalibratedCounter
    ) -> tuple[Prompt, ContextReport]:
        general = state.decision is None or state.decision.is_general
        listed = self._profiles.profiles(self._knowledge_bases(request.tenant_id)) if general else []
        prompt, report = assemble(
            question=request.message,
            standalone_question=state.question,
            language=state.continued.language if state.continued else detect_language(request.message),
            evidence=state.evidence.passages,
            themes=state.evidence.reference.communities[:THEMES],
            messages=state.past.messages,
            summary=state.past.summary.text,
            episodes=state.episodes,
            known_of_user=state.known_of_user,
            general=general,
            knowledge_bases=tuple(listed),
            budget=self._budget,
            counter=counter,
        )
        return replace(prompt, images=request.images), report


async def _written(model: ChatModel, prompt: Prompt, state: TurnState) -> AsyncGenerator[str, None]:
    """The model's text piece by piece, without numbers that cite nothing; ``state`` gets how it ended."""
    marks = MarkFilter(len(prompt.evidence))
    broke: Exception | None = None
    try:
        async with aclosing(model.stream(prompt)) as deltas:
            async for delta in deltas:
                if not isinstance(delta, TextDelta):
                    state.finished = delta
                elif piece := marks.take(delta.text):
                    yield piece
    except Exception as error:
        broke = error
    if rest := marks.end():
        yield rest
    if broke:
        raise broke


async def _say(state: TurnState, text: str) -> AsyncGenerator[events.Event, None]:
    """Words of our own, such as a question to the user, as a model's would come."""
    state.answer += text
    yield events.Token(content=text)


def _remembered(state: TurnState) -> dict[str, object]:
    past = state.past
    return {
        "window": len(past.messages),
        "summary_covers": past.summary.covered_seq,
        "pending_intent": past.pending.intent if past.pending else "",
    }


def _followed_up(state: TurnState, said: str) -> dict[str, object]:
    continued = state.continued
    return {
        "question": state.question,
        "filled": list(continued.filled) if continued else [],
        "known": dict(continued.pending.known) if continued else {},
        "said": said,
    }
