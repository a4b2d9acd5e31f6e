"""One turn: the seven steps from a message to a stored answer, as a stream of events."""

import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

import anyio
from anyio.to_thread import run_sync

from clew.answering import events
from clew.answering.chat_model import ChatModel, Finished, TextDelta
from clew.answering.citations import cited, without_marks
from clew.answering.focus import Focus, focus_of
from clew.answering.following import follow
from clew.answering.lookup import LookupInput, LookupResult, RetrievalWorkflow
from clew.answering.prompt import ChatMessage, Prompt
from clew.answering.reporting import evidence_summary, retrieval_progress, run_summary, step_log
from clew.answering.rewrite import PreviousTurn, standalone
from clew.answering.usage import Usage
from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.errors import ModelError, RetrievalFailedError
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.problem import problem_of
from clew.retrieval.evidence import Citation, Evidence
from clew.retrieval.merge import merge
from clew.retrieval.run_notes import RunNote, RunNotes
from clew.routing.decision import RouteDecision
from clew.text.language import detect_language

WINDOW: Final = 6  # messages of the conversation that the next prompt sees verbatim
THEMES: Final = 3  # summaries of communities in the prompt: a few hundred tokens

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message of a user, checked; ``client_message_id`` makes sending it twice harmless."""

    tenant_id: str
    user_id: str
    session_id: str
    message: str
    kb_prefix: str = ""
    agent_type: str = ""
    debug: bool = False
    client_message_id: str = ""


@dataclass(slots=True)
class _Progress:
    """What a turn has come to; what there is of it is stored even if the client leaves."""

    conversation_id: str = ""
    question: str = ""
    decision: RouteDecision | None = None
    evidence: Evidence = field(default_factory=Evidence)
    answer: str = ""
    finished: Finished | None = None
    timings: dict[str, float] = field(default_factory=dict)
    stored: bool = False


class Turn:
    """Answers messages; holds what every turn of a process shares.

    ``model`` is called when the answer is to be written, so that a model whose import is slow does not
    delay the first event.
    """

    def __init__(
        self,
        *,
        store: Callable[[str], ConversationStore],
        knowledge_bases: Callable[[str], KnowledgeBaseRegistry],
        workflow: Callable[[], RetrievalWorkflow],
        notes: Callable[[], RunNotes],
        model: Callable[[], ChatModel],
    ) -> None:
        self._store = store
        self._knowledge_bases = knowledge_bases
        self._workflow = workflow
        self._notes = notes
        self._model = model

    async def stream(self, request: TurnRequest) -> AsyncGenerator[events.Event, None]:
        """``start`` first, then what happens, then exactly one ``done`` or ``error``."""
        yield events.Start()
        progress = _Progress()
        try:
            async with aclosing(self._steps(request, progress)) as steps:
                async for event in steps:
                    if request.debug or not isinstance(event, events.ExecutionLog):
                        yield event
        except Exception as error:  # whatever breaks, the stream must end with an event and not tear
            problem = problem_of(error)
            log = logger.exception if problem.status >= 500 else logger.warning
            log("turn failed: %s", type(error).__name__, extra={"session_id": request.session_id})
            await self._store_partial(request, progress, type(error).__name__)
            yield events.Failed(message=problem.detail, type=problem.type)
        except BaseException:  # the client has gone: the task is cancelled or the generator closed
            with anyio.CancelScope(shield=True):
                await self._store_partial(request, progress, "ClientGone")
            raise

    async def _steps(self, request: TurnRequest, progress: _Progress) -> AsyncGenerator[events.Event, None]:
        clock = _Clock(progress.timings)

        conversation_id, before = await run_sync(lambda: _remember(self._store(request.tenant_id), request))
        progress.conversation_id = conversation_id
        clock.lap("remember")
        yield step_log("remember", {"session_id": request.session_id}, {"window": len(before)})

        progress.question = standalone(request.message, _previous_turn(before))
        clock.lap("rewrite")
        yield step_log("rewrite", {"message": request.message}, {"question": progress.question})

        yield retrieval_progress(0)
        completed = 0
        async with aclosing(self._look_up(request, progress.question)) as lookup:
            async for found in lookup:
                if isinstance(found, RunNote):
                    completed += 1
                    yield retrieval_progress(completed, found)
                else:
                    result = found
        progress.decision = decision = result.decision
        clock.lap("lookup")
        yield step_log("route", {"question": progress.question}, decision.model_dump(mode="json"))
        for run in result.runs:
            yield step_log("retrieve", {"worker_name": run.worker_name}, run_summary(run))

        progress.evidence = _evidence(result)
        clock.lap("merge")
        yield step_log("merge", {"runs": len(result.runs)}, evidence_summary(progress.evidence))

        yield events.Progress(content=events.ProgressContent(stage="generation", completed=0, total=1))
        async with aclosing(self._generate(request, progress, before)) as tokens:
            async for token in tokens:
                yield token
        clock.lap("generate")
        yield events.Progress(content=events.ProgressContent(stage="generation", completed=1, total=1))

        done = await run_sync(self._persist, request, progress)
        clock.lap("persist")
        yield step_log("persist", {"message_id": done.message_id}, {"timings_ms": progress.timings})
        yield events.Done(content=done)

    def _look_up(self, request: TurnRequest, question: str) -> AsyncGenerator[RunNote | LookupResult, None]:
        lookup = LookupInput(
            tenant_id=request.tenant_id,
            session_id=request.session_id,
            message=question,
            requested_kb_prefix=request.kb_prefix,
            agent_type=request.agent_type,
        )
        execution = uuid4().hex  # also the notes' address, so nothing that could be guessed
        return follow(lambda: self._workflow().run(lookup, execution), lambda: self._notes().finished(execution))

    async def _generate(
        self, request: TurnRequest, progress: _Progress, before: list[Message]
    ) -> AsyncGenerator[events.Event, None]:
        general = progress.decision is None or progress.decision.is_general
        listed = await run_sync(self._knowledge_bases(request.tenant_id).list) if general else []
        prompt = Prompt(
            question=request.message,
            standalone_question=progress.question,
            language=detect_language(request.message),
            evidence=progress.evidence.passages,
            themes=progress.evidence.reference.communities[:THEMES],
            history=tuple(_as_chat(message) for message in before),
            general=general,
            knowledge_bases=tuple(listed),
        )
        model = await run_sync(self._model)
        async with aclosing(model.stream(prompt)) as deltas:
            async for delta in deltas:
                if isinstance(delta, TextDelta):
                    progress.answer += delta.text
                    yield events.Token(content=delta.text)
                else:
                    progress.finished = delta
        if not progress.answer.strip():
            raise ModelError("The model gave an empty answer. Ask again.")

    def _persist(self, request: TurnRequest, progress: _Progress) -> events.DoneContent:
        assert progress.decision is not None  # noqa: S101  (set by the lookup, without which no answer exists)
        citations = cited(progress.answer, progress.evidence.passages)
        entities = [entity for passage in progress.evidence.passages for entity in passage.entities]
        focus = focus_of(progress.question, without_marks(progress.answer), entities)
        usage = progress.finished.usage if progress.finished else Usage()
        message = self._append(request, progress, citations, focus, {"usage": usage.model_dump()})
        progress.stored = True
        return events.DoneContent(
            message_id=message.message_id,
            conversation_id=progress.conversation_id,
            route=progress.decision,
            citations=citations,
            usage=usage,
            model=progress.finished.model if progress.finished else "",
            focus=focus,
        )

    async def _store_partial(self, request: TurnRequest, progress: _Progress, why: str) -> None:
        """Store what was sent of an answer that broke off; nothing is made up where nothing was sent."""
        if progress.stored or not progress.answer.strip():
            return
        progress.stored = True
        citations = cited(progress.answer, progress.evidence.passages)
        try:
            await run_sync(lambda: self._append(request, progress, citations, Focus(), {"partial": True, "why": why}))
        except Exception:  # the answer's own trouble is what the client must hear of
            logger.exception("partial answer not stored", extra={"session_id": request.session_id})

    def _append(
        self,
        request: TurnRequest,
        progress: _Progress,
        citations: tuple[Citation, ...],
        focus: Focus,
        debug: dict[str, Any],
    ) -> Message:
        about = {
            "question": progress.question,
            "focus": focus.model_dump(),
            "route": progress.decision.model_dump(mode="json") if progress.decision else {},
            "timings_ms": progress.timings,
            **debug,
        }
        # A repeated message whose answer broke off is answered anew, and that answer is another message.
        kind = "partial" if debug.get("partial") else "answer"
        answer_id = f"{request.client_message_id[:120]}.{kind}" if request.client_message_id else ""
        return self._store(request.tenant_id).append_message(
            progress.conversation_id, "assistant", progress.answer, citations, about, client_message_id=answer_id
        )


class _Clock:
    """Notes the milliseconds of each step."""

    def __init__(self, timings: dict[str, float]) -> None:
        self._timings = timings
        self._last = time.perf_counter()

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        self._timings[step] = round((now - self._last) * 1000, 1)
        self._last = now


def _remember(store: ConversationStore, request: TurnRequest) -> tuple[str, list[Message]]:
    """Store the user's message; the conversation's id and what was said before it."""
    conversation_id = store.get_or_create_conversation_id(request.user_id, request.session_id)
    message = store.append_message(
        conversation_id, "user", request.message, client_message_id=request.client_message_id
    )
    recent = store.recent(conversation_id, WINDOW + 1)
    return conversation_id, [each for each in recent if each.seq < message.seq][-WINDOW:]


def _previous_turn(before: list[Message]) -> PreviousTurn | None:
    for message in reversed(before):
        if message.role == "assistant" and message.debug.get("question"):
            return PreviousTurn(message.debug["question"], Focus.model_validate(message.debug.get("focus") or {}))
    return None


def _evidence(result: LookupResult) -> Evidence:
    """The evidence of all runs that succeeded; an error if there were runs and none did."""
    failed = {run.worker_name: run.error for run in result.runs if run.error}
    if failed and len(failed) == len(result.runs):
        raise RetrievalFailedError({name: error.type for name, error in failed.items()})
    return merge([run for run in result.runs if run.error is None])


def _as_chat(message: Message) -> ChatMessage:
    return ChatMessage(message.role, without_marks(message.content))
