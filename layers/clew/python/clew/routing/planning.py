"""Which workers look at a question: the plan, and in one sentence why it is so."""

from dataclasses import dataclass
from typing import Final

from clew.routing.decision import RagRunSpec
from clew.routing.question_kind import QuestionKind, question_kind
from clew.routing.worker_name import GENERAL, AgentType, build_worker_name

MAX_PLAN: Final = 4  # runs; each bounds its evidence to 40 KB, and a workflow's state holds 256 KB

# The graph agent searches directly as well, so alone it serves a plain fact. What lies a step further, or has
# two sides, is also searched for step by step; the hybrid agent adds what whole themes are about.
WORKERS: Final[dict[QuestionKind, tuple[AgentType, ...]]] = {
    "fact": ("graph_agent",),
    "multi_hop": ("graph_agent", "deep_research_agent"),
    "comparison": ("graph_agent", "deep_research_agent"),
    "open": ("graph_agent", "hybrid_agent"),
    "overview": ("hybrid_agent",),
}
_KIND_SAID: Final[dict[QuestionKind, str]] = {
    "fact": "The question asks for a fact",
    "multi_hop": "The question asks about something that has to be found first",
    "comparison": "The question compares",
    "open": "The question asks why or how",
    "overview": "The question asks for an overview",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Retrieval runs, at most MAX_PLAN, the first knowledge base's first; none for a general message."""

    runs: tuple[RagRunSpec, ...]
    reason: str


def make_plan(message: str, kb_prefixes: tuple[str, ...], agent_type: AgentType | None) -> Plan:
    """Runs over one knowledge base, or over several that the router could not tell apart.

    ``agent_type`` None leaves the workers to the kind of the question; one that is given is the only one.
    """
    searched = tuple(prefix for prefix in kb_prefixes if prefix not in ("", GENERAL))
    if not searched:
        return Plan((), "Nothing is looked up for a general message.")
    if agent_type is None:
        kind = question_kind(message)
        agents, why = WORKERS[kind], _KIND_SAID[kind]
    else:
        agents, why = (agent_type,), "The request names the worker"
    agents = agents[: max(1, MAX_PLAN // len(searched))]
    runs = tuple(
        RagRunSpec(agent_type=agent, worker_name=build_worker_name(prefix, agent))
        for prefix in searched[:MAX_PLAN]
        for agent in agents
    )
    where = f", in {' and '.join(map(repr, searched))}" if len(searched) > 1 else ""
    return Plan(runs, f"{why}: {' and '.join(agents)}{where}.")
