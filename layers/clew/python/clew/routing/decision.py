"""What the router decides: the knowledge base, why, and the plan of retrieval runs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from clew.routing.intent import IntentMatch
from clew.routing.worker_name import GENERAL

RouteMethod = Literal["override", "heuristic", "embedding", "llm", "default"]


class RagRunSpec(BaseModel):
    """One retrieval run of a plan; ``worker_name`` is authoritative, ``agent_type`` is for logs."""

    model_config = ConfigDict(frozen=True)

    agent_type: str
    worker_name: str


class RouteDecision(BaseModel):
    """The router's decision; ``confidence`` lies in [0, 1].

    ``requested_kb_prefix`` is what the caller asked for, ``routed_kb_prefix`` what was found without it,
    ``kb_prefix`` what holds after the override policy. ``reason`` tells a person why this knowledge base,
    ``plan_reason`` why these workers. ``intent`` is what the message wants, where the knowledge base declares
    such an intent, with what the message leaves open. A plan may reach into a second knowledge base that fits as well.
    """

    model_config = ConfigDict(frozen=True)

    requested_kb_prefix: str = ""
    routed_kb_prefix: str = ""
    kb_prefix: str
    confidence: float = Field(ge=0, le=1)
    method: RouteMethod
    reason: str
    worker_name: str
    plan: tuple[RagRunSpec, ...] = ()
    plan_reason: str = ""
    intent: IntentMatch | None = None

    @property
    def is_general(self) -> bool:
        """No retrieval: the knowledge base is general or empty, whatever the worker name says."""
        return self.kb_prefix in ("", GENERAL)
