"""Whether an answer is one that the OpenAPI document knows of its route."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import httpx
import jsonschema_rs
from httpx_sse import EventSource

from clew.edge.openapi import openapi_document
from clew.problem import MEDIA_TYPE

_BASE: Final = "urn:clew:openapi"
_NOWHERE: Final = {404: "not-found", 405: "method-not-allowed"}
"""What a path or a method that the document does not have is answered with."""


def assert_documented(method: str, path: str, status: int, media_type: str, body: str | bytes) -> None:
    assert list(undocumented(method, path, status, media_type, body)) == []


def undocumented(method: str, path: str, status: int, media_type: str, body: str | bytes) -> Iterator[str]:
    """What is not as the document says; ``path`` is without its query."""
    kind = media_type.partition(";")[0].strip()
    operation = route_of(method, path)
    if operation is None:
        yield from _problem_of_nowhere(status, kind, body)
        return
    pointer = f"#/paths/{_escaped(operation)}/{method.lower()}/responses/{status}/content/{_escaped(kind)}/schema"
    validator = _validator(pointer)
    if validator is None:
        yield f"{method} {operation} answers {status} with {kind or 'no media type'}, which the document does not have"
    elif kind == "text/event-stream":
        yield from _wrong_events(httpx.Response(status, headers={"content-type": media_type}, content=body))
    else:
        yield from _wrong(validator, body)


def _problem_of_nowhere(status: int, kind: str, body: str | bytes) -> Iterator[str]:
    if status not in _NOWHERE or kind != MEDIA_TYPE:
        yield f"a path or method that the document does not have is answered with {status} and {kind}"
        return
    problem = json.loads(body)
    if problem["type"] != f"urn:clew:problem:{_NOWHERE[status]}" or problem["status"] != status:
        yield f"{status} comes with {problem['type']} and {problem['status']}"
    yield from _wrong(_component("Problem"), body)


def _wrong_events(response: httpx.Response) -> Iterator[str]:
    events = [event.data for event in EventSource(response).iter_sse()]
    for data in events:
        yield from _wrong(_component("Event"), data)
    statuses = [json.loads(data)["status"] for data in events]
    if statuses[:1] != ["start"] or [each for each in statuses if each in ("done", "error")] != statuses[-1:]:
        yield f"a stream of {statuses[:3]} … {statuses[-3:]}"


def _wrong(validator: jsonschema_rs.Draft202012Validator, body: str | bytes) -> Iterator[str]:
    try:
        value = json.loads(body)
    except ValueError as error:
        yield f"no JSON: {error}"
        return
    for error in validator.iter_errors(value):
        yield f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"


def route_of(method: str, path: str) -> str | None:
    """The path of the document that ``path`` is an instance of, if it has the method.

    A slash at the end changes nothing.
    """
    for template, methods in _document()["paths"].items():
        pattern = re.sub(r"\\{.+?\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path.rstrip("/")) and method.lower() in methods:
            return str(template)
    return None


@cache
def _document() -> dict[str, Any]:
    """The document with each of its objects closed: nothing may be answered that it does not tell of."""
    document: dict[str, Any] = json.loads(openapi_document())
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return document


def _component(name: str) -> jsonschema_rs.Draft202012Validator:
    validator = _validator(f"#/components/schemas/{name}")
    assert validator is not None
    return validator


@cache
def _validator(pointer: str) -> jsonschema_rs.Draft202012Validator | None:
    registry = jsonschema_rs.Registry([(_BASE, _document())], draft=jsonschema_rs.Draft202012)
    try:
        return jsonschema_rs.Draft202012Validator({"$ref": _BASE + pointer}, registry=registry)
    except (jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError):
        return None


def _escaped(segment: str) -> str:
    """As a part of a JSON pointer that is part of an address."""
    return segment.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
