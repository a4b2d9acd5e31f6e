"""Traces for X-Ray where the stage traces; elsewhere nothing of it is so much as imported."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from clew.observability.correlation import correlation_id

if TYPE_CHECKING:
    from clew.answering.turn.outcome import TurnOutcome

TRACE_HEADER: Final = "x-amzn-trace-id"
SWITCH: Final = "POWERTOOLS_TRACE_DISABLED"

_HEADER: ContextVar[str] = ContextVar("trace_header", default="")


def is_on() -> bool:
    """Whether this function's stage traces, which it has to say: unset means that it does not."""
    return os.environ.get(SWITCH, "").lower() in ("false", "0", "no", "off")


def prepare() -> None:
    """Load, while a function starts, what its first request would wait for."""
    if is_on():
        from clew.observability import xray

        xray.recorder()


def trace_id() -> str:
    """The trace that this context belongs to; empty outside of any."""
    parts = dict(part.strip().partition("=")[::2] for part in _HEADER.get().split(";"))
    return parts.get("Root", "")


@contextmanager
def in_trace(header: str) -> Iterator[None]:
    """Let what is recorded in this block join the trace of a header ``Root=…;Parent=…;Sampled=…``."""
    token = _HEADER.set(header)
    try:
        if header and is_on():
            from clew.observability import xray

            with xray.joined(header):
                yield
        else:
            yield
    finally:
        _HEADER.reset(token)


@contextmanager
def traced(name: str) -> Iterator[None]:
    """Record this block as a part of the trace; annotate it with ``annotate``."""
    if not is_on():
        yield
        return
    from clew.observability import xray

    with xray.part(name):
        annotate(correlation_id=correlation_id())
        yield


def annotate(**names: str) -> None:
    """Make the part of the trace that is being recorded findable by ids and names, never by texts."""
    if is_on():
        from clew.observability import xray

        xray.annotate(names)


def trace_turn(outcome: "TurnOutcome") -> None:
    """Record a turn that is over, with its steps, as a part of the trace that its request belongs to."""
    if not is_on():
        return
    from clew.observability import xray

    names = {"correlation_id": correlation_id(), "kb_prefix": outcome.kb_prefix, "ending": outcome.ending}
    xray.write_past("turn", outcome.total_ms, outcome.steps_ms, names, failed=outcome.ending == "error")
