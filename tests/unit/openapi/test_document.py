"""The OpenAPI document: the file is current, its routes are the REST API's, its problems and events the code's."""

import ast
import json
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest

from clew.answering import events
from clew.edge.openapi import openapi_document
from clew.openapi.__main__ import written
from clew.openapi.document import document
from clew.problem import MEDIA_TYPE, TYPE_PREFIX
from tests.documented import undocumented

INFRA = Path(__file__).parents[3] / "infra"


def assigned(source: str, name: str) -> ast.expr:
    """What a module of infra assigns to ``name``, without importing it: that would start Node.js."""
    for node in ast.parse((INFRA / source).read_text(encoding="utf-8")).body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                return value
    raise AssertionError(f"{source} assigns nothing to {name}")


def routes(*names: str) -> set[tuple[str, str]]:
    listed = [ast.literal_eval(assigned("api.py", name)) for name in names]
    return {(method, f"/api/v1/{path}") for each in listed for method, path in each}


def operations() -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (method.upper(), path): operation
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def test_published_file_is_what_the_code_describes() -> None:
    assert openapi_document() == written(), "run make openapi"


def test_operations_are_the_routes_of_the_rest_api() -> None:
    assert set(operations()) == routes("STREAMED", "TO_ROUTER", "TO_API", "OPEN")


def test_open_routes_ask_for_no_token_and_all_others_for_one_where_there_are_tokens() -> None:
    open_routes = {route for route, operation in operations().items() if operation.get("security") == []}
    assert open_routes == routes("OPEN")
    assert document()["security"] == [{"token": []}, {}]


def test_operations_have_ids_of_their_own() -> None:
    ids = [operation["operationId"] for operation in operations().values()]
    assert len(set(ids)) == len(ids)


def test_schemas_are_schemas() -> None:
    for schema in document()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema | {"$schema": "https://json-schema.org/draft/2020-12/schema"})


def test_events_are_those_of_a_stream() -> None:
    described = document()["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    assert set(described) == {get_args(event.model_fields["status"].annotation)[0] for event in get_args(events.Event)}


def test_every_route_may_be_refused_as_the_gateways_refuse() -> None:
    refusals = [each for each in ast.walk(assigned("refusals.py", "_REFUSALS")) if isinstance(each, ast.Call)]
    answered = {(ast.literal_eval(each.args[1]), TYPE_PREFIX + ast.literal_eval(each.args[2])) for each in refusals}
    of_a_request = {(status, type) for status, type in answered if status and not type.endswith("not-found")}
    for route, operation in operations().items():
        told = {
            (int(status), type)
            for status, response in operation["responses"].items()
            if status not in ("200", "default")
            for type in response["content"][MEDIA_TYPE]["schema"]["allOf"][1]["properties"]["type"]["enum"]
        }
        needed = {each for each in of_a_request if each[0] != 401 or route not in routes("OPEN")}
        assert needed <= told, route


def test_examples_fit() -> None:
    for route, operation in operations().items():
        for media_type in operation.get("requestBody", {}).get("content", {}).values():
            validator = jsonschema_rs.Draft202012Validator(
                media_type["schema"] | {"components": document()["components"]}
            )
            for example in media_type.get("examples", {}).values():
                assert validator.is_valid(example["value"]), route


PROBLEM = {"type": "urn:clew:problem:invalid-request", "title": "No", "status": 400, "detail": "No."}
START = {"status": "start", "message_id": "m1"}
FAILED = {"status": "error", "message": "No.", "type": "urn:clew:problem:model-failed", "instance": ""}


def stream(*told: dict[str, Any]) -> str:
    return "".join(f"data: {json.dumps(each)}\n\n" for each in told)


@pytest.mark.parametrize(
    ("status", "media_type", "body"),
    [
        (200, "text/event-stream; charset=utf-8", stream(START, FAILED)),
        (400, MEDIA_TYPE, json.dumps(PROBLEM)),
    ],
)
def test_answers_that_the_document_has(status: int, media_type: str, body: str) -> None:
    assert list(undocumented("POST", "/api/v1/chat/stream", status, media_type, body)) == []


@pytest.mark.parametrize(
    ("status", "media_type", "body"),
    [
        (200, "text/event-stream", stream(START)),
        (200, "text/event-stream", stream(FAILED)),
        (200, "text/event-stream", stream(START, FAILED, FAILED)),
        (200, "text/event-stream", stream(START, FAILED | {"trace": "secret"})),
        (200, "text/event-stream", stream(START, FAILED | {"type": "ValueError"})),
        (200, "text/event-stream", ""),
        (200, "application/json", "{}"),
        (201, "text/event-stream", stream(START, FAILED)),
        (400, "text/plain", "No."),
        (400, MEDIA_TYPE, "No."),
        (400, MEDIA_TYPE, json.dumps(PROBLEM | {"status": 404})),
        (400, MEDIA_TYPE, json.dumps(PROBLEM | {"type": "urn:clew:problem:message-not-found"})),
        (400, MEDIA_TYPE, json.dumps(PROBLEM | {"trace": "secret"})),
        (418, MEDIA_TYPE, json.dumps(PROBLEM | {"status": 418})),
    ],
)
def test_answers_that_the_document_does_not_have(status: int, media_type: str, body: str) -> None:
    assert list(undocumented("POST", "/api/v1/chat/stream", status, media_type, body))
