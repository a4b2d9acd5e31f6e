"""Bad input: a problem document of a stable type, and nothing stored."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.e2e.client import Client, new_session, problem


@dataclass(frozen=True)
class Case:
    name: str
    status: int
    type: str
    changes: dict[str, Any] = field(default_factory=dict)
    without: str = ""


BODIES = (
    Case("unknown knowledge base", 404, "unknown-knowledge-base", {"kb_prefix": "physics"}),
    Case("unknown agent type", 400, "unknown-agent-type", {"agent_type": "oracle_agent"}),
    Case("empty message", 400, "invalid-request", {"message": ""}),
    Case("blank message", 400, "invalid-request", {"message": " \n\t "}),
    Case("oversized message", 413, "message-too-long", {"message": "长" * 32_001}),
    Case("message of another type", 400, "invalid-request", {"message": 7}),
    Case("no message", 400, "invalid-request", without="message"),
    Case("no user_id", 400, "invalid-request", without="user_id"),
    Case("no session_id", 400, "invalid-request", without="session_id"),
    Case("session_id that is no id", 400, "invalid-request", {"session_id": "a b#c"}),
    Case("user_id that is no id", 400, "invalid-request", {"user_id": "../me"}),
)


@pytest.mark.parametrize("case", BODIES, ids=lambda case: case.name)
@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
def test_a_request_that_does_not_fit_is_refused_and_not_stored(client: Client, path: str, case: Case) -> None:
    body = client.body("Who directed Parasite?") | case.changes
    body.pop(case.without, None)
    assert problem(client.post(path, body)) == (case.status, case.type)
    assert client.sessions() == []


@pytest.mark.parametrize("content", [b"{not json", b"", b'["a list"]', b"\xff\xfe"], ids=repr)
@pytest.mark.parametrize("path", ["/chat", "/chat/stream", "/route", "/clear", "/feedback"])
def test_a_malformed_body_is_refused(client: Client, path: str, content: bytes) -> None:
    assert problem(client.send("POST", path, content)) == (400, "invalid-request")
    assert client.sessions() == []


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/chat", "POST"),
        ("GET", "/chat/stream", "POST"),
        ("PUT", "/route", "POST"),
        ("DELETE", "/clear", "POST"),
        ("POST", "/conversations", "GET"),
        ("POST", "/knowledge-bases", "GET"),
    ],
)
def test_a_wrong_method_is_refused_with_the_right_one(client: Client, method: str, path: str, allowed: str) -> None:
    response = client.send(method, path)
    assert problem(response) == (405, "method-not-allowed")
    assert response.headers["allow"] == allowed


def test_an_unknown_path_is_not_found(client: Client) -> None:
    assert problem(client.get("/nothing/here")) == (404, "not-found")


def test_an_unknown_session_is_not_found(client: Client) -> None:
    assert problem(client.get(f"/conversations/{new_session()}/messages")) == (404, "conversation-not-found")


def test_a_listing_without_user_is_refused(client: Client) -> None:
    assert problem(client.send("GET", "/conversations")) == (400, "invalid-request")
    assert problem(client.get("/conversations", limit=0)) == (400, "invalid-request")


def test_a_page_before_something_else_is_refused(client: Client) -> None:
    session = new_session()
    client.stream("Hello", session, kb_prefix="general")
    response = client.get(f"/conversations/{session}/messages", before="not-an-id")
    assert problem(response) == (400, "invalid-request")
    assert "before" in json.dumps(response.json()["errors"])
