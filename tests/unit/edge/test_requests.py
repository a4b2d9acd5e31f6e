"""Bodies and queries: what is taken, and what is said of what is not."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from clew.edge.requests import (
    ChatRequest,
    ClearRequest,
    ConversationsQuery,
    FeedbackRequest,
    MessagesQuery,
    RouteRequest,
    decode_body,
    parse_body,
    parse_fields,
)
from clew.errors import InvalidRequestError, MessageTooLongError

CHAT = {"user_id": "ann", "session_id": "s1", "message": "谁导演了《卧虎藏龙》？"}
JUDGED = {"user_id": "ann", "session_id": "s1", "message_id": "m1", "is_positive": True}


@dataclass(frozen=True)
class Bad:
    id: str
    body: Any
    field: str = ""
    model: type[BaseModel] = ChatRequest
    says: str = ""


def chat(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in (CHAT | changes).items() if value is not ...}


BAD = [
    Bad("nothing", None, says="empty"),
    Bad("empty", "", says="empty"),
    Bad("empty bytes", b"", says="empty"),
    Bad("not json", "message=hi", says="not JSON"),
    Bad("cut off", '{"message": "hi', says="not JSON"),
    Bad("two values", '{"a":1}{"b":2}', says="not JSON"),
    Bad("not a number", '{"a": NaN}', says="not JSON"),
    Bad("not utf-8", b'{"message": "\xff\xfe"}', says="not JSON"),
    Bad("half a surrogate pair", '{"message": "\\ud800"}', says="not JSON"),
    Bad("a hundred thousand levels of lists", "[" * 100_000, says="not JSON"),
    Bad("a hundred thousand levels of objects", '{"a":' * 100_000, says="not JSON"),
    Bad("a number of five thousand digits", "9" * 5_000, says="not JSON"),
    Bad("a list", "[]", says="object"),
    Bad("a string", '"hi"', says="object"),
    Bad("null", "null", says="object"),
    Bad("a number", "1", says="object"),
    Bad("no message", chat(message=...), "message", says="is missing"),
    Bad("empty message", chat(message=""), "message", says="is empty"),
    Bad("blank message", chat(message=" \n\t　"), "message", says="is empty"),
    Bad("message a number", chat(message=7), "message"),
    Bad("message null", chat(message=None), "message"),
    Bad("message a list", chat(message=["hi"]), "message"),
    Bad("no session", chat(session_id=...), "session_id", says="is missing"),
    Bad("empty session", chat(session_id=""), "session_id", says="is not an id"),
    Bad("session with a hash", chat(session_id="a#b"), "session_id", says="is not an id"),
    Bad("session with a line end", chat(session_id="a\n"), "session_id", says="is not an id"),
    Bad("session too long", chat(session_id="x" * 129), "session_id"),
    Bad("session a number", chat(session_id=1), "session_id"),
    Bad("user a number", chat(user_id=1), "user_id"),
    Bad("debug a word", chat(debug="true"), "debug"),
    Bad("debug a number", chat(debug=1), "debug"),
    Bad("kb a list", chat(kb_prefix=["movie"]), "kb_prefix"),
    Bad("kb too long", chat(kb_prefix="x" * 129), "kb_prefix"),
    Bad("agent too long", chat(agent_type="x" * 129), "agent_type"),
    Bad("client id no id", chat(message_id="a b"), "message_id", says="is not an id"),
    Bad("route without a message", {"user_id": "ann"}, "message", RouteRequest),
    Bad("clear without a session", {"user_id": "ann"}, "session_id", ClearRequest),
    Bad("feedback without a verdict", {**JUDGED, "is_positive": None}, "is_positive", FeedbackRequest),
    Bad("feedback with a word for a verdict", {**JUDGED, "is_positive": "no"}, "is_positive", FeedbackRequest),
    Bad("feedback without a message", {**JUDGED, "message_id": ""}, "message_id", FeedbackRequest),
    Bad("feedback on two sessions", {**JUDGED, "thread_id": "s2"}, "", FeedbackRequest, "differ"),
    Bad("feedback with a list for metadata", {**JUDGED, "metadata": []}, "metadata", FeedbackRequest),
    Bad(
        "feedback with much metadata",
        {**JUDGED, "metadata": {"k": "x" * 40_000}},
        "",
        FeedbackRequest,
        "metadata",
    ),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_bad_body_is_refused_with_the_field_named(bad: Bad) -> None:
    raw = bad.body if bad.body is None or isinstance(bad.body, str | bytes) else json.dumps(bad.body)
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(bad.model, raw)
    assert bad.says in str(caught.value)
    if bad.field:
        assert list(caught.value.fields) == [bad.field]


def test_all_wrong_fields_are_named_at_once() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ChatRequest, '{"message": "", "debug": 1}')
    assert set(caught.value.fields) == {"message", "debug", "session_id"}


def test_what_was_sent_is_not_repeated_in_the_error() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ChatRequest, json.dumps(chat(session_id="my private thought", message=["another one"])))
    assert "private" not in str(caught.value)
    assert "private" not in str(caught.value.__cause__)
    assert "another" not in str(caught.value.__cause__)


def test_chat_request_has_its_defaults_and_its_message_trimmed() -> None:
    request = parse_body(ChatRequest, json.dumps(chat(message="  你好 \n", kb_prefix=" movie ", unknown=1)).encode())
    assert request.message == "你好"
    assert (request.kb_prefix, request.agent_type, request.debug, request.message_id) == (
        "movie",
        "",
        False,
        "",
    )


def test_user_may_be_left_to_the_token() -> None:
    assert parse_body(ChatRequest, json.dumps(chat(user_id=...))).user_id == ""


def test_message_may_have_32000_characters_of_any_script_after_trimming() -> None:
    body = json.dumps(chat(message=" " + "字" * 32_000 + " "))
    assert len(parse_body(ChatRequest, body).message) == 32_000


@pytest.mark.parametrize("model", [ChatRequest, RouteRequest])
def test_longer_message_has_an_error_of_its_own(model: type[BaseModel]) -> None:
    with pytest.raises(MessageTooLongError) as caught:
        parse_body(model, json.dumps(chat(message="字" * 32_001, debug="wrong as well")))
    assert (caught.value.length, caught.value.limit) == (32_001, 32_000)
    assert list(caught.value.fields) == ["message"]


def test_thread_id_names_the_session_of_feedback() -> None:
    sent = {name: value for name, value in JUDGED.items() if name != "session_id"} | {"thread_id": "s1"}
    assert parse_body(FeedbackRequest, json.dumps(sent)).session_id == "s1"
    assert parse_body(FeedbackRequest, json.dumps({**JUDGED, "thread_id": "s1"})).session_id == "s1"


def test_queries_read_numbers_from_text() -> None:
    assert parse_fields(MessagesQuery, {"user_id": "ann", "limit": "7"}).limit == 7
    assert parse_fields(ConversationsQuery, {}) == ConversationsQuery(user_id="", limit=20)


@pytest.mark.parametrize("limit", ["0", "101", "-1", "ten", "", "1.5", "9" * 50])
def test_limits_beyond_reason_are_refused(limit: str) -> None:
    for model in (MessagesQuery, ConversationsQuery):
        with pytest.raises(InvalidRequestError) as caught:
            parse_fields(model, {"user_id": "ann", "limit": limit})
        assert list(caught.value.fields) == ["limit"]


def test_binary_bodies_are_decoded() -> None:
    assert decode_body("eyJhIjoxfQ==", True) == b'{"a":1}'
    assert decode_body('{"a":1}', False) == '{"a":1}'
    assert decode_body(None, True) is None
    with pytest.raises(InvalidRequestError):
        decode_body("é not base64", True)
