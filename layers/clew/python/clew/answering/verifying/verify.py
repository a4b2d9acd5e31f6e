"""The verify step: what to do with what was found - answer, ask the user, look once more, or say that it is unknown."""

from dataclasses import dataclass
from typing import Final, Literal

from clew.answering.verifying.coverage import Coverage, coverage
from clew.answering.verifying.dependence import open_slot
from clew.retrieval.evidence import Evidence
from clew.routing.decision import RouteDecision
from clew.routing.intent import Slot
from clew.routing.worker_name import AgentType

Action = Literal["answer", "ask", "again", "unknown"]

# What looks again, the first that has not looked yet: step by step, by themes, and at last by words and meaning alone.
NEXT_WORKERS: Final[tuple[AgentType, ...]] = ("deep_research_agent", "hybrid_agent", "naive_rag_agent")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do; ``reason`` tells a person why, in one sentence.

    To ``ask``, ``slot`` is what to ask for. To look ``again``, ``agent_type`` is the worker to look with.
    ``missing`` are words of the question that no passage says. ``unknown`` is answered without evidence.
    """

    action: Action
    reason: str
    slot: Slot | None = None
    agent_type: AgentType | None = None
    missing: tuple[str, ...] = ()


def verify(
    question: str,
    decision: RouteDecision,
    evidence: Evidence,
    *,
    may_ask: bool = True,
    may_look_again: bool = True,
) -> Verdict:
    """Decide by the question as it was looked up, and by what has been found for it in all rounds, merged.

    ``may_ask`` is false after two asks without an answer, ``may_look_again`` in the second round and where
    the request names the worker. Pure. Ten passages of 400 tokens take 30 to 50 ms where the question's intent
    has slots, and 1 to 2 ms where it has none.
    """
    if decision.is_general:
        return Verdict("answer", "A general message needs no evidence.")
    if may_ask and decision.intent and (slot := open_slot(question, decision.intent, evidence)):
        return Verdict("ask", f"The answer depends on {slot.name!r}, which the user has not said.", slot=slot)
    found = coverage(question, evidence, decision.intent)
    if not found.enough and may_look_again and (worker := _next_worker(decision)):
        return Verdict("again", f"{_lack(found, evidence)}; {worker} looks again.", None, worker, found.missing)
    if not evidence.passages or not found.said_any:
        return Verdict("unknown", f"{_lack(found, evidence)}.", missing=found.missing)
    reason = "The passages say what is asked." if found.enough else f"{_lack(found, evidence)}, and the rest is said."
    return Verdict("answer", reason, missing=found.missing)


def _next_worker(decision: RouteDecision) -> AgentType | None:
    ran = {run.agent_type for run in decision.plan}
    return next((worker for worker in NEXT_WORKERS if worker not in ran), None)


def _lack(found: Coverage, evidence: Evidence) -> str:
    if not evidence.passages:
        return "No passage was found"
    words = found.names or found.missing
    return f"No passage says {', '.join(map(repr, words))}" if words else "No passage speaks of what the question names"
