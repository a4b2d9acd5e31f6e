"""The planner: looks at what a round has brought and says what to ask next."""

from dataclasses import dataclass, field
from typing import Protocol

from clew.retrieval.evidence import EntityRef, Fact, Passage


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question for the next round; ``entity`` is the name of the thing that it follows, if it follows one."""

    query: str
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rounds so far have brought: passages best first, and the relations that led to them.

    ``asked`` are the queries of all rounds and ``followed`` the names that they followed. ``last`` tells that no
    round can follow: what is missing is only noted then.
    """

    question: str
    linked: tuple[EntityRef, ...]
    passages: tuple[Passage, ...]
    facts: tuple[Fact, ...]
    asked: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()
    last: bool = False


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is still missing, in words, and what to ask for it; nothing to ask ends the research."""

    missing: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = field(default=())


class Planner(Protocol):
    """Decides after each round."""

    def assess(self, findings: Findings) -> Assessment:
        """What the findings leave open. A TransientError or ModelError ends the research with what there is."""
        ...
