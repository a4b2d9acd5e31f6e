"""The name of a retrieval worker: ``{kb_prefix}:{agent_type}:{agent_mode}``."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from clew.errors import UnknownAgentTypeError, WorkerNameError

AgentType = Literal["naive_rag_agent", "graph_agent", "hybrid_agent", "fusion_agent", "deep_research_agent"]
AGENT_TYPES: Final[tuple[AgentType, ...]] = get_args(AgentType)
RETRIEVE_ONLY: Final = "retrieve_only"
GENERAL: Final = "general"


@dataclass(frozen=True, slots=True)
class WorkerName:
    """The parts of a worker's name; ``kb_prefix`` and ``agent_type`` are empty where a short form left them out."""

    kb_prefix: str = ""
    agent_type: str = ""
    agent_mode: str = RETRIEVE_ONLY

    def __str__(self) -> str:
        return f"{self.kb_prefix}:{self.agent_type}:{self.agent_mode}"


def parse_worker_name(text: str) -> WorkerName:
    """Read three parts, two (``kb:agent``), one (``agent``) or none.

    Raises WorkerNameError for a fourth part or any mode but ``retrieve_only``. Whether the agent type
    is a known one is not checked here: names of older clients must still parse.
    """
    parts = [part.strip() for part in text.strip().split(":")]
    match parts:
        case [""]:
            return WorkerName()
        case [agent_type]:
            return WorkerName(agent_type=agent_type)
        case [kb_prefix, agent_type]:
            return WorkerName(kb_prefix, agent_type)
        case [kb_prefix, agent_type, "" | "retrieve_only"]:
            return WorkerName(kb_prefix, agent_type)
        case [_, _, mode]:
            raise WorkerNameError(
                f"Worker name {text[:140]!r} has mode {mode[:40]!r}; the only mode is {RETRIEVE_ONLY!r}."
            )
        case _:
            raise WorkerNameError(
                f"Worker name {text[:140]!r} has {len(parts)} parts; write kb_prefix:agent_type:{RETRIEVE_ONLY}."
            )


def build_worker_name(kb_prefix: str, agent_type: str) -> str:
    """The three-part name, or the empty name when the knowledge base is general or none."""
    if kb_prefix in ("", GENERAL):
        return ""
    return str(WorkerName(kb_prefix, check_agent_type(agent_type)))


def check_agent_type(text: str) -> AgentType:
    """The agent type itself if it is one of the five, else UnknownAgentTypeError."""
    for known in AGENT_TYPES:
        if text == known:
            return known
    raise UnknownAgentTypeError(text, AGENT_TYPES)
