"""How a turn ended, for those who watch the service: numbers and names, nothing of what anybody wrote."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from clew.answering.turn.state import TurnState
from clew.answering.usage import Usage

Ending = Literal["done", "asked_user", "cancelled", "client_gone", "error"]


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """One turn's end; times are milliseconds from the request's arrival.

    ``error`` is the class name of what broke it. ``evidence`` counts the passages that the prompt holds; a turn
    over a knowledge base whose answer cites none of them is ``unanswered``. ``general`` turns look nothing up.
    ``first_token_ms`` is None where nothing was sent. ``steps_ms`` are the turn's laps by name.
    """

    ending: Ending
    total_ms: float
    first_token_ms: float | None = None
    error: str = ""
    kb_prefix: str = ""
    model: str = ""
    general: bool = False
    unanswered: bool = False
    evidence: int = 0
    usage: Usage = field(default_factory=Usage)
    steps_ms: Mapping[str, float] = field(default_factory=dict)


Observe = Callable[[TurnOutcome], None]
"""Told of each turn's end; must not raise and must not block for long."""


def outcome_of(
    state: TurnState, ending: Ending, error: Exception | None, total_ms: float, first_token_ms: float | None
) -> TurnOutcome:
    """What there is to tell of a turn that has come to its end."""
    decision, finished = state.decision, state.finished
    general = decision is None or decision.is_general
    return TurnOutcome(
        ending=ending,
        total_ms=total_ms,
        first_token_ms=first_token_ms,
        error=type(error).__name__ if error else "",
        kb_prefix=decision.kb_prefix if decision else "",
        model=finished.model if finished else "",
        general=general,
        unanswered=ending == "done" and not general and not state.citations,
        evidence=len(state.cited_from),
        usage=finished.usage if finished else Usage(),
        steps_ms=dict(state.timings),
    )
