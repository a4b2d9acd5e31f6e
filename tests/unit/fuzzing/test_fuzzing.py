"""The judge of generated requests: what it lets pass, and that it sees what it is there to see."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.fuzzing.beyond_the_schema import TROUBLES, requests_beyond_the_schema
from tests.fuzzing.conversations import Conversations
from tests.fuzzing.judging import violations
from tests.fuzzing.names import Names
from tests.fuzzing.request import JSON, ROOT, Kind, Request
from tests.fuzzing.wire import Reply, Wire

PROBLEM = "application/problem+json"
CHAT = {"user_id": "ann", "session_id": "s1", "message": " Hello ", "message_id": "m1"}
ANSWER = {
    "message_id": "c.2",
    "conversation_id": "c",
    "route": {
        "requested_kb_prefix": "general",
        "routed_kb_prefix": "",
        "kb_prefix": "general",
        "confidence": 1.0,
        "method": "override",
        "reason": "Asked for.",
        "worker_name": "",
        "plan": [],
        "plan_reason": "",
        "intent": None,
    },
    "citations": [],
    "usage": {
        "input_tokens": 1,
        "output_tokens": 1,
        "cache_read_tokens": 0,
        "cache_write_tokens": 0,
        "estimated": True,
    },
    "model": "extractive",
    "stop_reason": "end",
    "is_ask_user": False,
    "pending_intent": "",
    "focus": {"asked": [], "answered": []},
    "answer": "Hi.",
    "progress": [],
    "execution_log": [],
}


def request(body: Any, path: str = "/chat", kind: Kind = "fits") -> Request:
    return Request(kind, "POST", f"{ROOT}{path}".encode(), JSON, json.dumps(body).encode())


def refusal(status: int = 400, slug: str = "invalid-request", detail: str = "No.") -> Reply:
    document = {"type": f"urn:clew:problem:{slug}", "title": "No", "status": status, "detail": detail}
    return Reply(status, PROBLEM, json.dumps(document).encode())


def answer(**changes: Any) -> Reply:
    return Reply(200, "application/json", json.dumps(ANSWER | changes).encode())


def test_an_answer_and_a_refusal_as_documented_are_let_pass() -> None:
    assert list(violations(request(CHAT), answer())) == []
    assert list(violations(request({}, kind="does not fit"), refusal())) == []


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(0, trouble="the answer does not end"), "does not end"),
        (Reply(500, "text/plain", b"Internal Server Error"), "answers 500"),
        (refusal(503, "store-unavailable"), "answers 503"),
        (Reply(400, "text/plain", b"No."), "document does not have"),
        (refusal(400, "no-such-type"), "no-such-type"),
        (refusal(detail="arn:aws:dynamodb:eu-west-1:1:table/x"), "arn:aws"),
        (refusal(detail='Traceback (most recent call last): File "app.py"'), "Traceback"),
        (refusal(detail="x" * 9_000), "bytes"),
        (answer(), "takes what does not fit"),
        (answer(secret="x"), "secret"),
    ],
)
def test_what_a_service_should_not_answer_is_seen(reply: Reply, told: str) -> None:
    assert told in " ".join(violations(request({}, kind="does not fit"), reply))


def test_an_error_of_ours_within_a_stream_is_seen() -> None:
    events = [
        {"status": "start", "message_id": "m1"},
        {"status": "error", "message": "No.", "type": "urn:clew:problem:retrieval-failed", "instance": ""},
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
    (found,) = violations(request(CHAT, "/chat/stream"), Reply(200, "text/event-stream", body))
    assert "retrieval-failed" in found


def message(seq: int, role: str, content: str) -> dict[str, Any]:
    unset = {"citations": [], "debug": {}, "is_ask_user": False, "pending_intent": "", "summary_seq": 0}
    fixed = {"conversation_id": "c", "created_at": "2026-11-21T22:46:59.413+00:00", "feedback": None}
    return {"message_id": f"c.{seq}", "seq": seq, "role": role, "content": content} | unset | fixed


KEPT = [message(1, "user", "Hello"), message(2, "assistant", "Hi.")]


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Wire]:
    """A service whose only conversation is ann's in ``session``, with these messages."""

    def serve(messages: list[dict[str, Any]], session: str = "s1") -> Wire:
        def read(asked: httpx.Request) -> httpx.Response:
            if asked.url.path == f"{ROOT}/conversations/{session}/messages":
                return httpx.Response(200, json={"messages": messages, "next_before": "", "next_after": ""})
            if asked.url.path == f"{ROOT}/conversations":
                named = {"conversation_id": "c", "user_id": "ann", "session_id": session, "title": ""}
                times = {"created_at": "2026-11-21", "updated_at": "2026-11-21", "message_count": len(messages)}
                return httpx.Response(200, json={"conversations": [named | times], "next_before": ""})
            missing = json.loads(refusal(404, "conversation-not-found").body)
            return httpx.Response(404, json=missing, headers={"content-type": PROBLEM})

        wire = Wire("http://service")
        monkeypatch.setattr(wire, "_http", httpx.Client(transport=httpx.MockTransport(read)))
        return wire

    return serve


def after(*exchanges: tuple[Request, Reply]) -> Conversations:
    followed = Conversations()
    for sent, reply in exchanges:
        followed.note(sent, reply)
    return followed


ASKED = (request(CHAT), answer())
REFUSED = (request(CHAT | {"session_id": "s2"}), refusal())
CLEARED = (request({"user_id": "ann", "session_id": "s1"}, "/clear"), Reply(200, "application/json", b"{}"))


def test_whole_conversations_are_let_pass(stored: Callable[..., Wire]) -> None:
    assert list(after(ASKED, REFUSED).violations(stored(KEPT), ["ann"])) == []
    assert list(after(ASKED, ASKED).violations(stored(KEPT), ["ann"])) == []  # the same own id
    assert list(after(ASKED, CLEARED).violations(stored([]), ["ann"])) == []


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        (KEPT[:1], "are not there as they were given"),
        (KEPT[1:], "'m1' is not there"),
        ([*KEPT, message(3, "user", "Hello")], "were not taken, or twice"),
        ([*KEPT, message(3, "assistant", "")], "are there and were not given"),
        ([KEPT[0], message(2, "assistant", "H")], "are not there as they were given"),
        ([KEPT[0], message(3, "assistant", "Hi.") | {"message_id": "c.2"}], "numbers [1, 3]"),
        ([KEPT[0] | {"unknown": 1}, KEPT[1]], "unknown"),
    ],
)
def test_halves_and_doubles_are_seen(stored: Callable[..., Wire], messages: list[dict[str, Any]], told: str) -> None:
    assert told in " ".join(after(ASKED).violations(stored(messages), ["ann"]))


def test_what_a_refused_request_stored_is_seen(stored: Callable[..., Wire]) -> None:
    found = list(after(REFUSED).violations(stored(KEPT, session="s2"), ["ann"]))
    assert "was refused" in found[0]
    assert "has the sessions ['s2'], not []" in found[1]


def test_a_seed_draws_the_same_requests_again_of_every_kind() -> None:
    drawn = requests_beyond_the_schema(Names("x"), 3, seed=1)
    assert drawn == requests_beyond_the_schema(Names("x"), 3, seed=1)
    assert drawn != requests_beyond_the_schema(Names("x"), 3, seed=2)
    assert len({each.what for each in drawn}) == len(TROUBLES)
