"""``clew feedback``: an operator's list of what users thought of answers."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from click.testing import Result
from mypy_boto3_dynamodb.service_resource import Table
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from clew.conversation.message import Feedback
from clew.conversation.store import ConversationStore

DAY = "2026-03-01"
AGENT = ("feedback", "--agent-type", "graph_agent")


@pytest.fixture
def clew(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    monkeypatch.setenv("CLEW_TABLE_NAME", table.name)
    wiring.stores.dynamodb_table.cache_clear()
    yield lambda *words: CliRunner().invoke(app, words)
    wiring.stores.dynamodb_table.cache_clear()


@pytest.fixture
def judged(table: Table) -> list[str]:
    """Three answers of a worker, the second judged bad; the ids of their messages."""
    store = ConversationStore(table, "default", lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    ids = []
    for number, question in enumerate(("Who directed it?", "那第二部呢？", "And\x1b [this]?\n")):
        debug = {"route": {"worker_name": "movie:graph_agent:retrieve_only"}}
        message = store.append_message(conversation_id, "assistant", "An answer.", debug=debug)
        feedback = Feedback(message_id=message.message_id, is_positive=number != 1, query=question, thread_id="s1")
        store.put_feedback(conversation_id, feedback)
        ids.append(message.message_id)
    return ids


def test_a_day_is_shown_newest_first(clew, judged) -> None:
    result = clew(*AGENT, "--day", DAY)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"12:00:00  good  {judged[2]}  s1  And [this]?",
        f"12:00:00  bad   {judged[1]}  s1  那第二部呢？",
        f"12:00:00  good  {judged[0]}  s1  Who directed it?",
    ]


def test_bad_ones_alone_as_json(clew, judged) -> None:
    result = clew(*AGENT, "--day", DAY, "--negative", "--json")
    (only,) = json.loads(result.stdout)["feedback"]
    assert (only["message_id"], only["query"], only["is_positive"]) == (judged[1], "那第二部呢？", False)
    assert only["agent_type"] == "graph_agent"


def test_as_many_as_asked_for_are_shown_though_others_lie_between(clew, judged, monkeypatch) -> None:
    monkeypatch.setattr("clew.cli.feedback.PAGE", 1)
    found = json.loads(clew(*AGENT, "--day", DAY, "--json").stdout)["feedback"]
    assert [each["message_id"] for each in found] == judged[::-1]
    found = json.loads(clew(*AGENT, "--day", DAY, "--limit", "1", "--negative", "--json").stdout)["feedback"]
    assert [each["message_id"] for each in found] == [judged[1]]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("words", [(), ("--day", DAY, "--tenant", "other"), ("--day", "2026-03-02")])
def test_where_nothing_was_judged_it_says_so(clew, words: tuple[str, ...]) -> None:
    result = clew(*AGENT, *words)
    assert (result.exit_code, result.stdout.strip()) == (0, "Nothing was judged.")


@pytest.mark.parametrize("words", [("--day", "yesterday"), ("--tenant", "a#b")])
def test_what_is_wrong_is_told_in_one_line(clew, words: tuple[str, ...]) -> None:
    result = clew(*AGENT, *words)
    assert result.exit_code == 1
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("clew: ")
