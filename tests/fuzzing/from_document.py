"""Requests that the OpenAPI document describes, and such that it does not allow."""

import json
import re
from typing import Any, Final

import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.generation.feedback import NO_FEEDBACK

from clew.edge.openapi import openapi_document
from clew.identifiers import OUTSIDE_ID
from tests.fuzzing.generation import drawn
from tests.fuzzing.names import CLEARED, SESSIONS, Names
from tests.fuzzing.request import Kind, Request

_KINDS: Final[dict[GenerationMode, Kind]] = {
    GenerationMode.POSITIVE: "fits",
    GenerationMode.NEGATIVE: "does not fit",
}
_ANSWERED: Final = frozenset({"/api/v1/chat", "/api/v1/chat/stream"})
_TENANT: Final = "X-Tenant-Id"
_ARGUMENTS: Final = ("method", "url", "headers", "params", "data", "json", "files", "cookies")
_NOT_SENT: Final = ("accept-encoding", "connection", "content-length", "user-agent", "x-schemathesis-testcaseid")


def requests_of_document(names: Names, each: int, answered: int, seed: int) -> list[Request]:
    """``each`` requests of either kind for every route; ``answered`` that fit where a message is answered by them."""
    document = json.loads(openapi_document())
    schemathesis.openapi.from_dict(document).validate()
    schema = schemathesis.openapi.from_dict(_quick_to_draw_from(document))
    found: list[Request] = []
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode, kind in _KINDS.items():
            count = answered if mode.is_positive and operation.path in _ANSWERED else each
            cases = operation.as_strategy(generation_mode=mode, feedback=NO_FEEDBACK)
            found += drawn(_with_names(cases, names, kind), count, seed)
    return found


@st.composite
def _with_names(draw: st.DrawFn, cases: st.SearchStrategy[Case], names: Names, kind: Kind) -> Request:
    """The run's users and, mostly, sessions in place of generated ones, so that requests meet each other's.

    A request that does not fit keeps all that may be wrong with it.
    """
    case = draw(cases)
    user, session = draw(names.user()), draw(st.sampled_from(CLEARED if case.path.endswith("/clear") else SESSIONS))
    mostly = draw(st.integers(0, 3)) > 0
    for fields in (case.body, case.query if case.method.upper() == "GET" else None):
        if isinstance(fields, dict) and (kind == "fits" or _is_id(fields.get("user_id", user))):
            fields["user_id"] = user
    if kind == "fits" and mostly:
        for fields in (case.body, case.path_parameters):
            if isinstance(fields, dict) and "session_id" in fields:
                fields["session_id"] = session
        case.headers.pop(_TENANT, None)
    return _prepared(case, kind)


def _quick_to_draw_from(document: dict[str, Any]) -> dict[str, Any]:
    """Without the patterns of long texts: with both, finding what does not fit takes seconds."""
    for schema in document["components"]["schemas"].values():
        for field in schema.get("properties", {}).values():
            if field.get("maxLength", 0) > 1_000:
                field.pop("pattern", None)
    return document


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(OUTSIDE_ID, value) is not None


def _prepared(case: Case, kind: Kind) -> Request:
    arguments = case.as_transport_kwargs(base_url="http://service")
    prepared = requests.Request(**{name: arguments[name] for name in _ARGUMENTS if name in arguments}).prepare()
    headers = tuple(
        (name, value.encode("latin-1", "replace") if isinstance(value, str) else value)
        for name, value in prepared.headers.items()
        if name.lower() not in _NOT_SENT
    )
    body = prepared.body or b""
    return Request(
        kind,
        prepared.method or case.method,
        prepared.path_url.encode("latin-1"),
        headers,
        body.encode() if isinstance(body, str) else body,
    )
