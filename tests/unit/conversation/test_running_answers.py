"""What others want of a running answer, and its events, in the table."""

from datetime import UTC, datetime

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from clew.conversation import running_answers
from clew.conversation.running_answers import PublishedEvent, RunningAnswers, Wanted

CONVERSATION = "c" + "0" * 31
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def running(table: Table) -> RunningAnswers:
    return RunningAnswers(table, lambda: NOW)


def event(number: int) -> PublishedEvent:
    return PublishedEvent(f"0-aaaaaa-{number}-0", f'{{"status":"token","content":"字{number}"}}')


def test_nothing_is_wanted_of_an_answer_that_nobody_asks_about(running: RunningAnswers) -> None:
    assert running.wanted(CONVERSATION, 1) == Wanted()
    assert running.published(CONVERSATION, 1).events == {}


def test_what_is_wanted_adds_up_and_concerns_one_answer(running: RunningAnswers) -> None:
    running.cancel(CONVERSATION, 1)
    running.follow(CONVERSATION, 1)
    assert running.wanted(CONVERSATION, 1) == Wanted(cancelled=True, followed=True)
    assert running.wanted(CONVERSATION, 2) == Wanted()


def test_a_beat_tells_who_is_alive_and_what_is_wanted(running: RunningAnswers) -> None:
    running.follow(CONVERSATION, 1)
    assert running.beat(CONVERSATION, 1, "aaaaaa") == Wanted(followed=True, attempt="aaaaaa", beat=1)
    assert running.beat(CONVERSATION, 1, "aaaaaa") == Wanted(followed=True, attempt="aaaaaa", beat=2)


def test_who_was_taken_over_from_gives_the_answer_no_more(running: RunningAnswers) -> None:
    running.beat(CONVERSATION, 1, "aaaaaa")
    assert not running.take_over(CONVERSATION, 1, "bbbbbb", "")
    assert running.take_over(CONVERSATION, 1, "bbbbbb", "aaaaaa")
    assert running.beat(CONVERSATION, 1, "aaaaaa") is None
    assert not running.take_over(CONVERSATION, 1, "cccccc", "aaaaaa")


def test_who_has_left_is_waited_for_no_more(running: RunningAnswers) -> None:
    running.leave(CONVERSATION, 1, "aaaaaa")
    assert running.wanted(CONVERSATION, 1).is_abandoned
    assert running.take_over(CONVERSATION, 1, "bbbbbb", "")
    assert not running.wanted(CONVERSATION, 1).is_abandoned
    running.leave(CONVERSATION, 1, "bbbbbb")
    assert running.wanted(CONVERSATION, 1).is_abandoned


def test_events_are_read_from_behind_the_last_one_that_is_known(running: RunningAnswers) -> None:
    running.publish(CONVERSATION, 1, "aaaaaa", 0, [event(0), event(1)])
    running.publish(CONVERSATION, 1, "aaaaaa", 2, [event(2)])
    running.publish(CONVERSATION, 1, "bbbbbb", 0, [event(7)])
    assert running.published(CONVERSATION, 1).events == {
        "aaaaaa": [event(0), event(1), event(2)],
        "bbbbbb": [event(7)],
    }
    assert running.published(CONVERSATION, 1, "aaaaaa", 1).events == {"aaaaaa": [event(2)]}


def test_many_events_take_several_items(running: RunningAnswers, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_answers, "BATCH_BYTES", 100)
    events = [event(number) for number in range(10)]
    running.publish(CONVERSATION, 1, "aaaaaa", 0, events)
    assert running.published(CONVERSATION, 1, "aaaaaa", -1).events == {"aaaaaa": events}
    assert len(table.scan()["Items"]) > 1


def test_all_of_it_is_gone_after_an_hour(running: RunningAnswers, table: Table) -> None:
    running.cancel(CONVERSATION, 1)
    running.publish(CONVERSATION, 1, "aaaaaa", 0, [event(0)])
    running.beat(CONVERSATION, 1, "aaaaaa")
    assert {int(item["expires_at"]) for item in table.scan()["Items"]} == {int(NOW.timestamp()) + 3600}
