"""The memory function, through the events that the table's stream sends."""

import base64
import copy
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from boto3.dynamodb.types import TypeSerializer

from clew import wiring
from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.errors import GraphUnavailableError, ModelError
from clew.memory.episode import Episode
from clew.table_keys import head_key, message_key, session_key, summary_key
from tests.unit.memory.keeping import NotedEpisodes, NotingSummariser, Talk

Event = dict[str, Any]
Follow = Callable[..., list[int]]


@pytest.fixture
def talk(table) -> Talk:
    return Talk(ConversationStore(table, "acme"))


@pytest.fixture
def other(table) -> Talk:
    return Talk(ConversationStore(table, "acme"), "bob")


@pytest.fixture
def episodes(monkeypatch) -> NotedEpisodes:
    noted = NotedEpisodes()
    monkeypatch.setattr(wiring.memory, "episodes", lambda settings, tenant_id: noted)
    return noted


@pytest.fixture
def summariser(monkeypatch) -> NotingSummariser:
    noting = NotingSummariser()
    monkeypatch.setattr(wiring.memory, "summariser", lambda settings: noting)
    return noting


@pytest.fixture
def record(read_event, table) -> Callable[..., Event]:
    """The recorded insertion of a message, as that of an item as it is in the table now."""
    (recorded,) = read_event("dynamodb_stream")["Records"]
    serialize = TypeSerializer().serialize

    def make(key: tuple[str, str], name: str = "INSERT", age: float = 0.0) -> Event:
        item = table.get_item(Key={"pk": key[0], "sk": key[1]})["Item"]
        image = {attribute: serialize(value) for attribute, value in item.items()}
        for value in image.values():
            if "B" in value:  # as JSON carries binary
                value["B"] = base64.b64encode(value["B"]).decode()
        one = copy.deepcopy(recorded)
        one["eventName"] = name
        one["dynamodb"] |= {
            "Keys": {"pk": image["pk"], "sk": image["sk"]},
            "NewImage": image,
            "ApproximateCreationDateTime": time.time() - age,
        }
        return one

    return make


@pytest.fixture
def inserted(record) -> Callable[..., list[Event]]:
    """The insertions of messages, in their order."""

    def make(messages: Sequence[Message], **values: Any) -> list[Event]:
        return [record(message_key(each.conversation_id, each.seq), **values) for each in messages]

    return make


@pytest.fixture
def follow(load_handler, context, episodes, summariser) -> Follow:
    """Hand records to the function; the places of those that it gives back."""
    module = None

    def send(records: Sequence[Event], remaining_ms: int = 300_000) -> list[int]:
        nonlocal module
        module = module or load_handler("memory", CLEW_NEO4J_SECRET="graph")
        numbered = copy.deepcopy(list(records))
        for place, each in enumerate(numbered):
            each["dynamodb"]["SequenceNumber"] = f"44215845000000000174504390{place:02d}"
        answer = module.handler({"Records": numbered}, replace(context, remaining_ms=remaining_ms))
        return [int(each["itemIdentifier"][-2:]) for each in answer["batchItemFailures"]]

    return send


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


def metrics(lines: list[dict[str, Any]]) -> dict[str, float]:
    """The one set of metrics among the lines, by name."""
    (found,) = [line for line in lines if "_aws" in line]
    names = [each["Name"] for each in found["_aws"]["CloudWatchMetrics"][0]["Metrics"]]
    return {name: found[name][0] for name in names}


def test_recorded_event_of_an_earlier_version_is_taken_in(follow, read_event, episodes) -> None:
    assert follow(read_event("dynamodb_stream")["Records"]) == []
    assert episodes.stored == {}, "it is a question, with which no turn ends"


def test_turns_are_indexed_from_the_images_alone(follow, talk, inserted, episodes, table) -> None:
    records = inserted(talk.turns(2))
    for message in talk.changes:
        table.delete_item(Key=message_key(talk.id, message.seq)._asdict())
    assert follow(records) == []
    assert {seq: episode.question for (_, seq), episode in episodes.stored.items()} == {
        2: "Question 1?",
        4: "Question 2?",
    }


def test_a_batch_delivered_twice_changes_nothing_more(follow, talk, inserted, episodes, table) -> None:
    records = inserted(talk.turns(6))
    assert follow(records) == []
    after_once = talk.summary(), dict(episodes.stored)
    assert follow(records) == []
    assert (talk.summary(), episodes.stored) == after_once
    assert talk.summary()[1] == 4


def test_a_cleared_conversation_is_forgotten(follow, talk, inserted, record, episodes) -> None:
    records = inserted(talk.turns(2))
    follow(records)
    talk.store.clear_messages(talk.id)
    assert follow([record(summary_key(talk.id), name="MODIFY")]) == []
    assert episodes.stored == {}
    assert follow(records) == []
    assert episodes.stored == {}, "what comes once more stays out"


def fail_on(episodes: NotedEpisodes, *broken: tuple[str, int], error: Exception | None = None) -> None:
    def fail(new: Sequence[Episode]) -> None:
        if any((each.conversation_id, each.seq) in broken for each in new):
            raise error or GraphUnavailableError("The knowledge graph does not answer.")

    episodes.fails = fail


def test_after_a_failure_the_rest_of_its_conversation_waits(follow, talk, other, inserted, episodes) -> None:
    mine, others = inserted(talk.turns(3)), inserted(other.turns(2))
    fail_on(episodes, (talk.id, 4))
    batch = [*mine[:2], others[0], *mine[2:4], others[1], *mine[4:], *others[2:]]
    given_back = follow(batch)
    assert [batch[place] for place in given_back] == [mine[3], *mine[4:]]
    assert episodes.numbers() == [2, 2, 4], "the other conversation goes on"
    fail_on(episodes)
    assert follow(batch[given_back[0] :]) == [], "the stream goes on from the first that failed"
    assert sorted(seq for conversation, seq in episodes.stored if conversation == talk.id) == [2, 4, 6]


def test_a_clear_does_not_wait(follow, talk, inserted, record, episodes) -> None:
    follow(inserted(talk.turns(1)))
    late = inserted(talk.turns(1))
    fail_on(episodes, (talk.id, 4))
    talk.store.clear_messages(talk.id)
    assert follow([*late, record(summary_key(talk.id), name="MODIFY")]) == [1]
    assert episodes.stored == {}


def test_a_batch_that_fails_as_a_whole_is_given_back_as_a_whole(follow, talk, inserted, episodes) -> None:
    fail_on(episodes, (talk.id, 2))
    assert follow(inserted(talk.turns(2))[1:]) == [0, 1, 2]
    assert episodes.stored == {}


def test_with_no_time_left_the_records_are_left_to_another_call(follow, talk, inserted, episodes) -> None:
    records = inserted(talk.turns(2))
    assert follow(records, remaining_ms=89_000) == [0, 1, 2, 3]
    assert episodes.stored == {}
    assert follow(records, remaining_ms=90_000) == []


def test_what_the_filter_keeps_away_is_passed_over(follow, talk, inserted, record, episodes, capsys) -> None:
    """An operator who hands in lost records takes them from the stream as they are."""
    messages = inserted(talk.turns(5))
    follow(messages)
    others = [record(head_key(talk.id), name="MODIFY"), record(summary_key(talk.id), name="MODIFY")]
    others.append(record(session_key("acme", "ann", "s1")))
    changed = [copy.deepcopy(messages[1]) | {"eventName": name} for name in ("MODIFY", "REMOVE")]
    assert follow([*others, *changed]) == []
    assert episodes.numbers() == [2, 4, 6, 8, 10]


def test_an_item_that_cannot_be_read_fails_alone(follow, talk, other, inserted, episodes) -> None:
    broken, fine = inserted(talk.turns(1))[1], inserted(other.turns(1))[1]
    broken["dynamodb"]["NewImage"]["packed"] = {"B": "AAAA"}
    nameless = copy.deepcopy(fine)
    nameless["dynamodb"]["NewImage"].pop("tenant_id")
    assert follow([broken, fine]) == [0]
    assert follow([nameless]) == [0]
    assert len(episodes.stored) == 1


def test_metrics_tell_lag_and_what_was_kept(follow, talk, inserted, episodes, capsys) -> None:
    records = inserted(talk.turns(5))
    records[3]["dynamodb"]["ApproximateCreationDateTime"] -= 7
    follow(records)
    lines = logged(capsys)
    found = metrics(lines)
    assert 7_000 <= found.pop("MemoryLag") < 60_000  # a busy machine adds its own
    assert found == {
        "TurnsIndexed": 5,
        "TurnsRecovered": 0,
        "SummariesMade": 1,
        "EpisodesForgotten": 0,
        "RecordsFailed": 0,
        "LongTermMemoryFailed": 0,
    }
    (emf,) = [line["_aws"]["CloudWatchMetrics"][0] for line in lines if "_aws" in line]
    assert emf["Namespace"] == "Clew"
    assert sorted(emf["Dimensions"][0]) == ["service", "stage"]
    assert {"service": "clew-memory", "stage": "dev"}.items() <= next(x for x in lines if "_aws" in x).items()


def test_metrics_count_failures_and_not_what_waits_for_them(follow, talk, inserted, episodes, capsys) -> None:
    fail_on(episodes, (talk.id, 2))
    follow(inserted(talk.turns(3)))
    lines = logged(capsys)
    found = metrics(lines)
    assert (found["RecordsFailed"], found["TurnsIndexed"]) == (1, 0)
    (summary,) = [line for line in lines if line.get("message") == "stream followed"]
    assert (summary["records"], summary["failures"], summary["not_taken_in"]) == (6, 1, 5)


@pytest.mark.parametrize("error", [ModelError("It refuses."), RuntimeError("It broke at: 卧虎藏龙")])
def test_logs_hold_no_text_of_messages(follow, talk, inserted, episodes, capsys, error: Exception) -> None:
    talk.user("谁导演了《卧虎藏龙》？")
    talk.assistant("《卧虎藏龙》由李安执导。", {"question": "谁导演了《卧虎藏龙》？"})
    fail_on(episodes, (talk.id, 2), error=error)
    follow(inserted(talk.changes))
    output = capsys.readouterr()
    assert f"record failed: {type(error).__name__}" in output.out
    assert "MSG#0000000002" in output.out
    for text in ("卧虎藏龙", "李安", "\\u5367"):
        assert text not in output.out + output.err
