"""X-Ray: parts of a trace sent to the daemon that Lambda runs beside every function.

Imported where a stage traces, and nowhere else. The Web Adapter hands the trace header to the app with each
request, not through the environment as Lambda's runtimes do, and requests may run side by side: so what belongs to
which trace is kept in context variables, for all functions alike.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from aws_lambda_powertools import Tracer
from aws_xray_sdk.core.context import Context
from aws_xray_sdk.core.emitters.udp_emitter import UDPEmitter
from aws_xray_sdk.core.models.dummy_entities import DummySegment
from aws_xray_sdk.core.models.facade_segment import FacadeSegment
from aws_xray_sdk.core.models.subsegment import Subsegment
from aws_xray_sdk.core.models.trace_header import TraceHeader


@lru_cache(maxsize=1)
def recorder() -> Any:
    """X-Ray's recorder; from the first call on, calls of AWS are parts of the trace and pass it on."""
    tracer = Tracer(auto_patch=False, disabled=False)
    provider: Any = tracer.provider
    provider.configure(context=_ContextVariables(), emitter=_WithoutWords())
    tracer.patch(("botocore",))
    return provider


@contextmanager
def joined(header: str) -> Iterator[None]:
    """Let parts recorded in this block hang below the segment that ``header`` names as the parent."""
    with recorder().context.below(_segment(header)):
        yield


@contextmanager
def part(name: str) -> Iterator[None]:
    """A part of the trace that lasts as long as this block, and has failed if an error leaves it."""
    began = recorder().begin_subsegment(name)
    try:
        yield
    except Exception:
        began.add_fault_flag()
        raise
    finally:
        recorder().end_subsegment()


def annotate(names: Mapping[str, str]) -> None:
    entity = recorder().get_trace_entity()
    if isinstance(entity, Subsegment):
        _annotate(entity, names)


def write_past(
    name: str, total_ms: float, steps_ms: Mapping[str, float], names: Mapping[str, str], *, failed: bool
) -> None:
    """Send a part that has just ended, with its steps one after the other in the order in which they first ran."""
    segment = recorder().current_segment()
    if not isinstance(segment, FacadeSegment) or not segment.sampled:
        return
    ended = time.time()
    whole = _past(name, segment, ended - total_ms / 1000)
    whole.parent_id = segment.id
    _annotate(whole, names)
    if failed:
        whole.add_fault_flag()
    began = whole.start_time
    for step, took_ms in steps_ms.items():
        one = _past(step, segment, began)
        whole.add_subsegment(one)
        began += took_ms / 1000
        one.close(began)
    whole.close(ended)
    recorder().emitter.send_entity(whole)


def _segment(header: str) -> Any:
    """The segment of this function, which Lambda makes and ends itself; parts of one not sampled go nowhere."""
    given = TraceHeader.from_header_str(header)
    if not given.root or not given.parent or given.sampled not in (0, 1):
        return DummySegment()
    segment = FacadeSegment("facade", given.parent, given.root, bool(given.sampled))
    segment.save_origin_trace_header(given)
    return segment


def _past(name: str, segment: FacadeSegment, began: float) -> Subsegment:
    made = Subsegment(name, "local", segment)
    made.start_time = began
    return made


def _annotate(entity: Subsegment, names: Mapping[str, str]) -> None:
    for key, value in names.items():
        if value:
            entity.put_annotation(key, value)


class _ContextVariables(Context):  # type: ignore[misc]
    """The open parts of the trace of each context, the segment first.

    A thread that has no context of its own takes the segment that was joined last: Lambda gives an instance one
    request at a time.
    """

    def __init__(self) -> None:
        super().__init__("IGNORE_ERROR")
        self._open: ContextVar[tuple[Any, ...]] = ContextVar("trace_entities", default=())
        self._latest: Any = DummySegment()

    @contextmanager
    def below(self, segment: Any) -> Iterator[None]:
        self._latest = segment
        token = self._open.set((segment,))
        try:
            yield
        finally:
            self._open.reset(token)

    def get_trace_entity(self) -> Any:
        return next((each for each in reversed(self._open.get()) if each.in_progress), self._latest)

    def put_subsegment(self, subsegment: Any) -> None:
        self.get_trace_entity().add_subsegment(subsegment)
        self._open.set((*self._open.get(), subsegment))

    def end_subsegment(self, end_time: float | None = None) -> bool:
        entity = self.get_trace_entity()
        if not self._is_subsegment(entity):
            return False
        entity.close(end_time)
        self._open.set(tuple(each for each in self._open.get() if each is not entity))
        return True

    def set_trace_entity(self, trace_entity: Any) -> None:
        self._open.set((trace_entity,))

    def clear_trace_entities(self) -> None:
        self._open.set(())


class _WithoutWords(UDPEmitter):  # type: ignore[misc]
    """Sends errors by class and place alone: their messages may repeat what somebody wrote."""

    def send_entity(self, entity: Any) -> None:
        _take_words_out(entity)
        super().send_entity(entity)


def _take_words_out(entity: Any) -> None:
    if isinstance(entity.cause, dict):
        for error in entity.cause.get("exceptions", ()):
            error.message = ""
    for each in entity.subsegments:
        _take_words_out(each)
