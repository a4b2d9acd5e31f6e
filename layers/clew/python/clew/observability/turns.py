"""Watching turns: what the answer function tells of each one that is over."""

import logging
from typing import TYPE_CHECKING

from clew.observability.metrics import TurnMetrics
from clew.observability.tracing import trace_turn

if TYPE_CHECKING:
    from clew.answering.turn.outcome import Observe, TurnOutcome

logger = logging.getLogger(__name__)


def observe_turns(stage: str) -> "Observe":
    """An observer that writes metrics and, where the stage traces, the turn's part of the trace; it never raises."""
    metrics = TurnMetrics(stage)

    def observe(outcome: "TurnOutcome") -> None:
        try:
            metrics(outcome)
            trace_turn(outcome)
        except Exception:  # the answer has been given, whatever is wrong with watching it
            logger.exception("turn not observed")

    return observe
