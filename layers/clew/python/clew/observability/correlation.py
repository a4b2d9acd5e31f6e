"""The id under which one request is found in the logs of all functions, in its trace and in its answer."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final
from uuid import uuid4

from clew.errors import InvalidRequestError
from clew.identifiers import check_outside_id
from clew.problem import REQUEST_PREFIX

ANSWER_HEADER: Final = "X-Request-Id"
GATEWAY_CONTEXT: Final = "x-amzn-request-context"  # set by the Web Adapter, over whatever a client sends

# A context variable and not a key of the process's logger: many requests run at once in the answer function.
_KEYS: ContextVar[Mapping[str, Any]] = ContextVar("log_keys", default={})  # noqa: B039  (never changed in place)
# Of the one call that a function under Lambda's own runtime serves at a time.
_OF_THE_PROCESS: dict[str, Any] = {}


def correlation_of(headers: Mapping[str, str]) -> str:
    """API Gateway's id of a request, else the one that the client sent if it is an id, else a new one.

    ``headers`` have lower-case names, or do not mind the case.
    """
    return fitting(_gateway_id(headers.get(GATEWAY_CONTEXT, "")) or headers.get(ANSWER_HEADER.lower()))


def fitting(candidate: object) -> str:
    """``candidate`` if it may go into logs and headers as it is, else a new id."""
    try:
        return check_outside_id(candidate if isinstance(candidate, str) else "", "id")
    except InvalidRequestError:
        return uuid4().hex


def correlation_id() -> str:
    """The id of the request that this context serves; empty outside of any."""
    return str(keys().get("correlation_id", ""))


def instance() -> str:
    """How a problem document names the request that this context serves."""
    return REQUEST_PREFIX + (correlation_id() or "unknown")


def keys() -> Mapping[str, Any]:
    """What every line of the log carries in this context."""
    return _KEYS.get() or _OF_THE_PROCESS


@contextmanager
def bound(**values: Any) -> Iterator[None]:
    """Let the lines of the log in this block, and in the tasks and threads that inherit its context, carry ``values``.

    They are ids and names, never texts.
    """
    token = _KEYS.set({**_KEYS.get(), **values})
    try:
        yield
    finally:
        _KEYS.reset(token)


@contextmanager
def bound_alone(**values: Any) -> Iterator[None]:
    """``bound`` in a process that does nothing else: threads that have no context of their own carry them too."""
    _OF_THE_PROCESS.update(values)
    try:
        with bound(**values):
            yield
    finally:
        _OF_THE_PROCESS.clear()


def _gateway_id(context: str) -> str:
    try:
        found = json.loads(context).get("requestId")
    except (ValueError, AttributeError):
        return ""
    return found if isinstance(found, str) else ""
