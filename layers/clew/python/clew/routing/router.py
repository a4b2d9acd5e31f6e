"""The router: detect a knowledge base, apply the override policy, select workers."""

from typing import Final

from clew.errors import UnknownKnowledgeBaseError
from clew.routing.decision import RagRunSpec, RouteDecision
from clew.routing.detection import Detection, detect
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.worker_name import GENERAL, AgentType, build_worker_name, check_agent_type
from clew.text.embedding import Embedder

AUTO: Final = "auto"
# The graph finds what a second hop leads to, words and meaning what no name in the question links to.
AUTO_AGENTS: Final[tuple[AgentType, ...]] = ("graph_agent", "naive_rag_agent")


def route(
    message: str,
    *,
    requested_kb_prefix: str,
    agent_type: str,
    knowledge_bases: list[KnowledgeBaseProfile],
    embedder: Embedder,
    auto_route: bool,
) -> RouteDecision:
    """Decide for one message; ``agent_type`` empty or ``auto`` leaves the workers to the router.

    Raises UnknownKnowledgeBaseError for a requested knowledge base that does not exist and
    UnknownAgentTypeError for a type outside the contract.
    """
    agents = AUTO_AGENTS if agent_type in ("", AUTO) else (check_agent_type(agent_type),)
    # Where the answer is given already, names alone are looked at: they cost nothing.
    decided = bool(requested_kb_prefix) or not auto_route
    detection = detect(message, knowledge_bases, None if decided else embedder)
    final = _override(detection, requested_kb_prefix, knowledge_bases, auto_route)
    plan = _plan(final.kb_prefix, agents)
    return RouteDecision(
        requested_kb_prefix=requested_kb_prefix,
        routed_kb_prefix=detection.kb_prefix,
        kb_prefix=final.kb_prefix,
        confidence=final.confidence,
        method=final.method,
        reason=final.reason,
        worker_name=plan[0].worker_name if plan else "",
        plan=plan,
    )


def _override(
    detection: Detection, requested: str, knowledge_bases: list[KnowledgeBaseProfile], auto_route: bool
) -> Detection:
    known = [profile.prefix for profile in knowledge_bases]
    if requested and requested != GENERAL and requested not in known:
        raise UnknownKnowledgeBaseError(requested, known)
    if requested:
        return Detection(requested, 1.0, "override", f"The request names {requested!r}.")
    if not auto_route:
        return Detection(GENERAL, 1.0, "default", "Automatic routing is off and the request names no knowledge base.")
    return detection


def _plan(kb_prefix: str, agents: tuple[AgentType, ...]) -> tuple[RagRunSpec, ...]:
    if kb_prefix in ("", GENERAL):
        return ()
    return tuple(RagRunSpec(agent_type=agent, worker_name=build_worker_name(kb_prefix, agent)) for agent in agents)
