"""A turn with the real store in process, a workflow that answers as told, and a model that says what it is told."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from mypy_boto3_dynamodb.service_resource import Table

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.events import Event
from clew.answering.prompting.budget import ContextBudget
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.token_counter import CalibratedCounter
from clew.answering.rewriting.rule import RuleRewriter
from clew.answering.running.answers import Answers, OnClientGone
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.lookup import LookupInput, LookupResult
from clew.answering.turn.outcome import TurnOutcome
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.searching import Searching
from clew.answering.turn.turn import Turn
from clew.answering.usage import Usage
from clew.conversation.message import Message
from clew.conversation.running_answers import RunningAnswers
from clew.conversation.store import ConversationStore
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.memory.episode import Episode
from clew.memory.long_term import LongTermMemory
from clew.retrieval.evidence import EntityRef, Passage, Reference, RetrievalRun, RunError
from clew.retrieval.run_notes import RunNotes
from clew.routing.decision import RagRunSpec, RouteDecision
from clew.routing.knowledge_base import KnowledgeBaseProfile

WORKER = "movie:graph_agent:retrieve_only"
INCEPTION = EntityRef(id="inception", name="Inception", aliases=("盗梦空间",))
NOLAN = EntityRef(id="nolan", name="Christopher Nolan", aliases=("克里斯托弗·诺兰",))
PASSAGES = (
    Passage(
        id="c1",
        document_id="inception",
        title="Inception",
        text="Inception was directed by Christopher Nolan.",
        source="demo/movie",
        score=2.0,
        entities=(INCEPTION, NOLAN),
        found_by=("graph_agent",),
    ),
    Passage(
        id="c2",
        document_id="nolan",
        title="Christopher Nolan",
        text="He was born in London.",
        entities=(NOLAN,),
        score=1.0,
    ),
)
GENERAL = LookupResult(
    decision=RouteDecision(
        kb_prefix="general", confidence=1.0, method="default", reason="Nothing fits.", worker_name=""
    )
)


def run(worker_name: str = WORKER, *, error: str = "") -> RetrievalRun:
    agent_type = worker_name.split(":")[1]
    if error:
        problem = RunError(type=error, message="The worker failed.")
        return RetrievalRun(worker_name=worker_name, agent_type=agent_type, error=problem)
    reference = Reference(linked=(INCEPTION,))
    return RetrievalRun(worker_name=worker_name, agent_type=agent_type, passages=PASSAGES, reference=reference)


def found(*runs: RetrievalRun) -> LookupResult:
    """A lookup that was routed to the films and had these runs."""
    plan = tuple(RagRunSpec(agent_type=each.agent_type, worker_name=each.worker_name) for each in runs)
    return LookupResult(
        decision=RouteDecision(
            routed_kb_prefix="movie",
            kb_prefix="movie",
            confidence=0.9,
            method="heuristic",
            reason="The message names 'Inception'.",
            worker_name=plan[0].worker_name,
            plan=plan,
        ),
        runs=runs,
    )


class Workflow:
    """Answers with ``outcome``, after it with each of ``later``; or breaks. Its workers leave no notes."""

    def __init__(self, outcome: LookupResult | BaseException, *later: LookupResult | BaseException) -> None:
        self.asked: list[LookupInput] = []
        self.executions: list[str] = []
        self.outcome = outcome
        self.later = list(later)

    def run(self, lookup: LookupInput, execution: str) -> LookupResult:
        self.asked.append(lookup)
        self.executions.append(execution)
        outcome = self.outcome
        if self.later:
            self.outcome = self.later.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


class Model:
    """Says its pieces one by one; an exception among them is raised in its place."""

    name = "scripted"
    reads_images = True

    def __init__(self, *script: str | BaseException) -> None:
        self.script = script
        self.prompts: list[Prompt] = []
        self.closed = False

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.prompts.append(prompt)
        try:
            for piece in self.script:
                if isinstance(piece, BaseException):
                    raise piece
                yield TextDelta(piece)
            yield Finished(Usage(input_tokens=30, output_tokens=7), model=self.name)
        finally:
            self.closed = True


class Halting(Model):
    """Says its pieces and then nothing for ever, or until ``go_on`` is set: then it ends."""

    def __init__(self, *script: str | BaseException) -> None:
        super().__init__(*script)
        self.halted = asyncio.Event()
        self.go_on = asyncio.Event()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        async with aclosing(super().stream(prompt)) as deltas:
            async for delta in deltas:
                if isinstance(delta, Finished):
                    self.halted.set()
                    await self.go_on.wait()
                yield delta


class Recalled:
    """Episodes that are found whatever is asked, or a graph that breaks or is slow."""

    def __init__(self, *found: Episode, error: Exception | None = None, seconds: float = 0) -> None:
        self.found = found
        self.error = error
        self.seconds = seconds
        self.asked: list[tuple[str, int, int]] = []

    def best(
        self, conversation_id: str, question: str, *, after_seq: int, before_seq: int, top: int = 3
    ) -> list[Episode]:
        self.asked.append((question, after_seq, before_seq))
        time.sleep(self.seconds)
        if self.error:
            raise self.error
        return [each for each in self.found if after_seq < each.seq < before_seq][:top]


class Asked:
    """A turn whose answers are asked for one at a time, event by event."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers

    async def stream(self, request: TurnRequest, after: EventId | None = None) -> AsyncGenerator[Event, None]:
        async with aclosing(self.sent(request, after)) as sent:
            async for each in sent:
                yield each.event

    async def sent(self, request: TurnRequest, after: EventId | None = None) -> AsyncGenerator[StreamEvent, None]:
        """The events with their ids."""
        async with aclosing(self.answers.stream(request, after)) as batches:
            async for batch in batches:
                for each in batch:
                    yield each


class Stage:
    """A turn, what it stands on, and what it has stored."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.workflow = Workflow(found(run()))
        self.model = Model("Christopher ", "Nolan [1]", ".")
        self.episodes = Recalled()
        self.long_term_memory: LongTermMemory | None = None
        self.outcomes: list[TurnOutcome] = []

    def turn(self, *, seconds: float = 60, on_client_gone: OnClientGone = "stop", **replaced: Any) -> Asked:
        parts: dict[str, Any] = {
            "store": lambda tenant_id: ConversationStore(self.table, tenant_id),
            "knowledge_bases": lambda tenant_id: KnowledgeBaseRegistry(self.table, tenant_id),
            "rewriter": RuleRewriter,
            "model": lambda _: self.model,
            "counter": lambda model: CalibratedCounter(),
            "budget": ContextBudget(),
        }
        looked_up: dict[str, Any] = {
            "workflow": lambda: self.workflow,
            "notes": lambda: RunNotes(self.table),
            "episodes": lambda tenant_id: self.episodes,
            "user_memory": lambda: self.long_term_memory,
        }
        searching = Searching(**{name: replaced.pop(name, part) for name, part in looked_up.items()})
        turn = Turn(**(parts | {"searching": searching} | replaced))
        return Asked(
            Answers(
                turn,
                lambda: RunningAnswers(self.table),
                seconds=seconds,
                on_client_gone=on_client_gone,
                observe=self.outcomes.append,
            )
        )

    async def events(
        self,
        message: str = "Who directed Inception?",
        turn: Asked | None = None,
        after: EventId | None = None,
        **fields: Any,
    ) -> list[Event]:
        return [event async for event in (turn or self.turn()).stream(request(message, **fields), after)]

    def stored(self, session_id: str = "s1", tenant_id: str = "acme") -> list[Message]:
        store = ConversationStore(self.table, tenant_id)
        conversation = store.find_conversation("ann", session_id)
        return store.recent(conversation.conversation_id, 100) if conversation else []

    def know(self, prefix: str) -> None:
        """Put a knowledge base where general answers look for them."""
        KnowledgeBaseRegistry(self.table, "acme").put(KnowledgeBaseProfile(prefix=prefix, title=prefix.title()))


def request(message: str, **fields: Any) -> TurnRequest:
    return TurnRequest(**({"tenant_id": "acme", "user_id": "ann", "session_id": "s1", "message": message} | fields))


def statuses(events: list[Event]) -> list[str]:
    return [event.status for event in events]
