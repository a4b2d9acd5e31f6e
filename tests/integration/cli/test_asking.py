"""``clew ask`` and ``clew chat`` over HTTP."""

import json
from typing import Any

import pytest

from clew.cli import service
from clew.local.ports import free_port
from tests.integration.cli.conftest import ANSWER, DONE, Command, Stage

SAID = "Christopher Nolan [1]\n诺兰 [/x]."


def test_the_answer_comes_with_its_citations_and_route(clew: Command) -> None:
    result = clew("ask", "Who directed Inception?")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(SAID)
    after = result.stdout.removeprefix(SAID)
    assert "[1] Inception (盗梦空间)" in after
    assert "demo/movie" in after
    assert "movie by heuristic: The message names 'Inception'." in after
    assert "[x]" not in result.stdout  # what steps did is told with --trace alone


def test_the_options_reach_the_service(clew: Command, stage: Stage) -> None:
    clew("ask", "谁？", "--kb", "movie", "--agent", "graph_agent", "--session", "s1", "--user", "ann")
    (asked,) = stage.asked
    assert (asked.method, asked.path) == ("POST", "/api/v1/chat/stream")
    assert asked.body.pop("message_id")
    assert asked.body == {
        "user_id": "ann",
        "session_id": "s1",
        "message": "谁？",
        "kb_prefix": "movie",
        "agent_type": "graph_agent",
        "debug": False,
    }


def test_two_questions_are_two_sessions_unless_one_is_named(clew: Command, stage: Stage) -> None:
    for _ in range(2):
        clew("ask", "Who?")
    one, other = (asked.body["session_id"] for asked in stage.asked)
    assert one != other


def test_with_a_token_the_token_says_who_asks(clew: Command, stage: Stage) -> None:
    clew("ask", "Who?", "--token", "abc", "--user", "ann")
    (asked,) = stage.asked
    assert asked.headers["authorization"] == "Bearer abc"
    assert "user_id" not in asked.body


def test_trace_shows_each_step(clew: Command, stage: Stage) -> None:
    result = clew("ask", "Who?", "--trace")
    assert stage.asked[0].body["debug"] is True
    assert 'route {"q": "[x]"} → {"kb": "movie"}' in result.stdout
    assert SAID in result.stdout


def test_json_is_one_object(clew: Command) -> None:
    result = clew("ask", "Who?", "--json")
    body = json.loads(result.stdout)
    assert body["answer"] == SAID
    assert body["citations"] == DONE["citations"]
    assert [entry["node"] for entry in body["execution_log"]] == ["route"]


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_a_stream_that_ends_in_an_error_fails_the_command(
    clew: Command, stage: Stage, options: tuple[str, ...]
) -> None:
    stage.streams(*ANSWER[:4], {"status": "error", "message": "The graph does not answer.", "type": "urn:x"})
    assert clew.fails("ask", "Who?", *options) == "clew: The graph does not answer."


@pytest.mark.parametrize(
    ("status", "body", "content_type", "told"),
    [
        (
            400,
            {"type": "urn:x", "detail": "session_id is missing."},
            "application/problem+json",
            "session_id is missing.",
        ),
        (403, {"message": "Missing Authentication Token"}, "application/json", "Missing Authentication Token"),
        (502, b"<html>Bad gateway</html>", "text/html", "502"),
        (500, b"", "text/plain", "500"),
        (500, [1], "application/json", "500"),
    ],
    ids=["problem", "gateway", "html", "empty", "list"],
)
def test_a_refusal_is_told_in_one_line(
    clew: Command, stage: Stage, status: int, body: Any, content_type: str, told: str
) -> None:
    stage.says(body, status, content_type)
    assert told in clew.fails("ask", "Who?")


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("events", [ANSWER[:1], ANSWER[:5]], ids=["start alone", "half an answer"])
def test_a_stream_that_ends_before_the_answer_does_is_a_failure(
    clew: Command, stage: Stage, events: list[dict[str, Any]], options: tuple[str, ...]
) -> None:
    stage.streams(*events)
    assert "ended before the answer" in clew.fails("ask", "Who?", *options)


def test_an_answer_that_is_no_stream_is_a_failure(clew: Command, stage: Stage) -> None:
    stage.says(b"<html>Welcome</html>", 200, "text/html")
    clew.fails("ask", "Who?")


@pytest.mark.parametrize("words", [("ask", "Who?"), ("kb", "list")], ids=" ".join)
def test_a_service_that_is_not_there_is_told_with_its_address(
    clew: Command, stage: Stage, words: tuple[str, ...]
) -> None:
    stage.url = f"http://127.0.0.1:{free_port()}"
    assert stage.url in clew.fails(*words)


def test_a_conversation_stays_in_its_session_until_an_empty_line(clew: Command, stage: Stage) -> None:
    result = clew("chat", "--session", "monday", says="Who directed Inception?\nAnd Dune?\n\nNever asked\n")
    assert result.exit_code == 0
    assert [asked.body["message"] for asked in stage.asked] == ["Who directed Inception?", "And Dune?"]
    assert {asked.body["session_id"] for asked in stage.asked} == {"monday"}
    assert result.stdout.count(SAID) == 2
    assert "monday" in result.stdout


def test_a_connection_that_is_lost_is_made_anew_and_the_answer_goes_on(clew: Command, stage: Stage) -> None:
    stage.breaks_off(*ANSWER[:4])
    stage.streams(*ANSWER[4:])
    assert SAID in clew("ask", "Who?").stdout
    first, second = stage.asked
    assert "last-event-id" not in first.headers
    assert second.headers["last-event-id"] == "3"
    assert first.body == second.body


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_an_answer_that_begins_anew_is_shown_from_its_beginning(
    clew: Command, stage: Stage, options: tuple[str, ...]
) -> None:
    stage.breaks_off(*ANSWER[:4])
    shown = clew("ask", "Who?", *options).stdout
    if options:
        assert json.loads(shown)["answer"] == SAID
    else:
        assert shown.index("Christopher") < shown.index("begins anew") < shown.index(SAID)


def test_a_connection_that_is_lost_again_and_again_is_a_failure(
    clew: Command, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RECONNECT_AFTER", 0.01)
    stage.breaks_off(ANSWER[0], times=1 + service.RECONNECTS)
    assert stage.url in clew.fails("ask", "Who?")


def test_an_answer_that_is_left_is_cancelled(stage: Stage) -> None:
    events = service.Service(stage.url, user_id="me").stream("Who?", "s1")
    assert next(events)["status"] == "start"
    events.close()
    asking, cancelling = stage.asked
    assert cancelling.path == "/api/v1/chat/cancel"
    assert cancelling.body == {"user_id": "me", "session_id": "s1", "message_id": asking.body["message_id"]}


def test_the_end_of_the_input_ends_the_conversation(clew: Command, stage: Stage) -> None:
    result = clew("chat", says="Who?")
    assert result.exit_code == 0
    assert len(stage.asked) == 1


def test_a_question_that_fails_does_not_end_the_conversation(clew: Command, stage: Stage) -> None:
    stage.says({"detail": "The graph does not answer."}, 503, "application/problem+json")
    result = clew("chat", says="Who?\nWho then?\n")
    assert result.exit_code == 0
    assert len(stage.asked) == 2
    assert result.stderr.count("clew: The graph does not answer.") == 2
