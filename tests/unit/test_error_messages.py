"""Messages of errors are written for who reads them, and hold no other error's text: that goes into the log."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.edge.requests import ChatRequest, parse_body
from clew.errors import InvalidRequestError
from tests.unit.error_classes import PACKAGE

ROOT = Path(__file__).parents[2]

# Where one message takes in another, and why it may.
REPEATED = {
    "edge/requests.py: parse_body": "pydantic says where the JSON is broken, and repeats nothing of it",
    "conversation/codec.py: _json": "pydantic names a Python type that it cannot write",
    "routing/intent.py: _pattern_compiles": "a profile's file, read by the command line",
    "knowledge/profile_file.py: read_profile": "a profile's file, read by the command line",
    "cli/ingest.py: _read": "an error of ours, which the command line adds to",
    "functions/retrieval/handler.py: handler": "an error of ours, made to be shown",
}


def repeating(node: ast.AST, within: str = "", caught: frozenset[str] = frozenset()) -> Iterator[str]:
    """The functions in which an error is made that takes in the text of another, caught there."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            within = name
        case ast.ExceptHandler(name=str(name)):
            caught |= {name}
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called.endswith("Error"):
            if any(tells(each, caught) for each in ast.walk(node)):
                yield within
    for child in ast.iter_child_nodes(node):
        yield from repeating(child, within, caught)


def tells(node: ast.AST, caught: frozenset[str]) -> bool:
    """Whether ``node`` is the text of an error that was caught."""
    match node:
        case ast.FormattedValue(value=ast.Name(id=name)):
            return name in caught
        case ast.Call(func=ast.Name(id="str" | "repr" | "format"), args=[ast.Name(id=name)]):
            return name in caught
        case ast.Attribute(value=ast.Name(id=name), attr="args" | "message"):
            return name in caught
    return False


def test_no_message_repeats_another_errors_but_where_it_is_known_to_be_harmless() -> None:
    found = {
        f"{file.relative_to(PACKAGE if file.is_relative_to(PACKAGE) else ROOT).as_posix()}: {function}"
        for file in [*PACKAGE.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
        for function in repeating(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert found == set(REPEATED)


@pytest.mark.parametrize(
    "body",
    ['{"message": "hunter2"', '{"hunter2": }', '{"a": "\\ud800 hunter2"}', "hunter2", '["hunter2"', '{"hunter2": NaN}'],
)
def test_what_is_wrong_with_json_is_told_without_repeating_it(body: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        parse_body(ChatRequest, body)
    assert "hunter2" not in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "fields",
    [
        {"session_id": "hunter2 hunter2", "message": "Hi"},
        {"session_id": "s", "message": ["hunter2"]},
        {"session_id": "s", "message": "Hi", "kb_prefix": "hunter2" * 100, "debug": "hunter2"},
    ],
)
def test_what_is_wrong_with_a_field_is_told_without_repeating_it(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        parse_body(ChatRequest, json.dumps(fields))
    assert "hunter2" not in str(refused.value) + str(refused.value.fields)
