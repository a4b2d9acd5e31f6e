"""Metrics, written as lines of the log that CloudWatch takes them from (embedded metric format)."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from clew import errors
from clew.observability.correlation import correlation_id

if TYPE_CHECKING:
    from clew.answering.turn.outcome import TurnOutcome

NAMESPACE: Final = "Clew"
UNEXPECTED: Final = "Unexpected"

Value = tuple[MetricUnit, float]


def milliseconds(value: float) -> Value:
    return MetricUnit.Milliseconds, round(value, 1)


def count(value: float) -> Value:
    return MetricUnit.Count, value


def write(stage: str, values: Mapping[str, Value], facts: Mapping[str, str] | None = None, **dimensions: str) -> None:
    """One line with ``values`` by name, under the function, the stage and ``dimensions``.

    Every combination of dimensions is a metric of its own, and paid for: their values come from closed sets, never
    from outside. ``facts`` are found in the log alone.
    """
    metrics = EphemeralMetrics(namespace=NAMESPACE, default_dimensions={"stage": stage, **dimensions})
    for name, (unit, value) in values.items():
        metrics.add_metric(name, unit, value)
    for name, fact in {"correlation_id": correlation_id(), **(facts or {})}.items():
        if fact:
            metrics.add_metadata(name, fact)
    # In one piece, since other threads write too.
    sys.stdout.write(json.dumps(metrics.serialize_metric_set(), separators=(",", ":")) + "\n")


def kind_of(error: str) -> str:
    """The name of an error's class as a dimension: one of ours, or ``Unexpected`` for all others."""
    found = getattr(errors, error, None)
    return error if isinstance(found, type) and issubclass(found, errors.ClewError) else UNEXPECTED


class TurnMetrics:
    """The metrics of a turn, written when it is over; holds nothing, so any number may end at once."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def __call__(self, outcome: "TurnOutcome") -> None:
        facts = {"ending": outcome.ending, "kb_prefix": outcome.kb_prefix, "model": outcome.model}
        write(self._stage, _values(outcome), facts)
        if outcome.ending == "error":
            write(self._stage, {"Errors": count(1)}, {"raised": outcome.error}, error=kind_of(outcome.error))


def _values(outcome: "TurnOutcome") -> dict[str, Value]:
    """Rates are 0 or 1 a turn, so that the average over any time is the rate."""
    values = {
        "TurnDuration": milliseconds(outcome.total_ms),
        "Errors": count(outcome.ending == "error"),
        "Aborts": count(outcome.ending == "client_gone"),
        "Cancelled": count(outcome.ending == "cancelled"),
    }
    if outcome.first_token_ms is not None:
        values["TimeToFirstToken"] = milliseconds(outcome.first_token_ms)
    for step, took_ms in outcome.steps_ms.items():
        values[f"{step.title().replace('_', '')}Duration"] = milliseconds(took_ms)
    usage = outcome.usage
    if usage.input_tokens or usage.output_tokens:
        values["TokensIn"] = count(usage.input_tokens)
        values["TokensOut"] = count(usage.output_tokens)
        values["CacheReadTokens"] = count(usage.cache_read_tokens)
    if outcome.ending == "done" and not outcome.general:
        values["EvidenceFound"] = count(outcome.evidence)
        values["DontKnow"] = count(outcome.unanswered)
    return values
