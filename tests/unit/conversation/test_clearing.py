"""Clearing takes all that was said in one conversation, and nothing else."""

import json

import pytest

from clew.conversation.message import Feedback
from clew.conversation.pending import PendingIntent, PendingIntents
from clew.conversation.sessions import clear_session
from clew.errors import ConversationNotFoundError, StoreUnavailableError, ThrottledError


def items_of(table, conversation_id: str) -> list[str]:
    return sorted(item["sk"] for item in table.scan()["Items"] if item["pk"] == f"CONV#{conversation_id}")


def test_clearing_over_a_hundred_messages_leaves_other_sessions_alone(store, conversation_id, table) -> None:
    other = store.get_or_create_conversation_id("ann", "s2")
    kept = store.append_message(other, "user", "stay")
    store.put_feedback(other, Feedback(message_id=kept.message_id, is_positive=True))
    PendingIntents(table, "acme").put(other, PendingIntent(intent="ask"))
    others = items_of(table, other)
    for number in range(110):
        message = store.append_message(conversation_id, "user", f"m{number}")
        if number % 4 == 0:
            store.put_feedback(conversation_id, Feedback(message_id=message.message_id, is_positive=True))
    PendingIntents(table, "acme").put(conversation_id, PendingIntent(intent="ask"))

    assert store.clear_messages(conversation_id) == 110
    assert items_of(table, conversation_id) == ["HEAD"]
    assert store.list_messages(conversation_id).messages == ()
    assert items_of(table, other) == others


def test_clearing_again_finds_nothing_left(store, conversation_id) -> None:
    store.append_message(conversation_id, "user", "hello")
    assert store.clear_messages(conversation_id) == 1
    assert store.clear_messages(conversation_id) == 0


def test_numbers_are_never_given_out_again(store, conversation_id) -> None:
    store.append_message(conversation_id, "user", "one", client_message_id="1")
    store.clear_messages(conversation_id)
    again = store.append_message(conversation_id, "user", "one", client_message_id="1")
    assert again.seq == 2


def test_cleared_conversation_starts_over_with_a_new_title_and_count(store, conversation_id) -> None:
    for text in ("first", "second"):
        store.append_message(conversation_id, "user", text)
    store.clear_messages(conversation_id)
    cleared = store.find_conversation("ann", "s1")
    assert (cleared.title, cleared.message_count) == ("", 0)
    store.append_message(conversation_id, "user", "afresh")
    begun = store.find_conversation("ann", "s1")
    assert (begun.title, begun.message_count) == ("afresh", 1)


def test_clear_that_broke_off_is_finished_by_the_next(store, conversation_id, lose_connection) -> None:
    for number in range(60):
        store.append_message(conversation_id, "user", f"m{number}")
    lose_connection("BatchWriteItem")
    with pytest.raises(StoreUnavailableError):
        store.clear_messages(conversation_id)
    assert store.clear_messages(conversation_id) == 60


def test_message_appended_during_a_clear_stays(store, conversation_id, table) -> None:
    store.append_message(conversation_id, "user", "old")
    events = table.meta.client.meta.events

    def append_meanwhile(**_) -> None:
        events.unregister("before-call.dynamodb.Query", append_meanwhile)
        store.append_message(conversation_id, "user", "new")

    events.register("before-call.dynamodb.Query", append_meanwhile)
    assert store.clear_messages(conversation_id) == 1
    assert [each.content for each in store.list_messages(conversation_id).messages] == ["new"]
    kept = store.find_conversation("ann", "s1")
    assert (kept.title, kept.message_count) == ("new", 1)


def leave_undone(table, at_most: int) -> list[int]:
    """A DynamoDB that does at most so many of a batch's writes; the sizes of the batches it is asked for."""
    events, asked, undone = table.meta.client.meta.events, [], {}

    def take_some(params, **_) -> None:
        request = json.loads(params["body"])
        ((name, writes),) = request["RequestItems"].items()
        asked.append(len(writes))
        undone.clear()
        if len(writes) > at_most:
            undone[name] = writes[at_most:]
        params["body"] = json.dumps({"RequestItems": {name: writes[:at_most] or writes[:1]}}).encode()

    def report(parsed, **_) -> None:
        parsed["UnprocessedItems"] = dict(undone)

    events.register("before-call.dynamodb.BatchWriteItem", take_some)
    events.register_first("after-call.dynamodb.BatchWriteItem", report)  # before values become plain
    return asked


def test_deletions_left_undone_are_asked_for_again(store, conversation_id, table, monkeypatch) -> None:
    for number in range(30):
        store.append_message(conversation_id, "user", f"m{number}")
    pauses: list[float] = []
    monkeypatch.setattr(store._table, "_sleep", pauses.append)
    asked = leave_undone(table, at_most=10)
    assert store.clear_messages(conversation_id) == 30
    assert items_of(table, conversation_id) == ["HEAD"]
    assert asked == [25, 15, 5, 5]
    assert pauses == [0.05, 0.1]


def test_deletions_that_stay_undone_end_in_an_error(store, conversation_id, table, monkeypatch) -> None:
    store.append_message(conversation_id, "user", "hello")
    pauses: list[float] = []
    monkeypatch.setattr(store._table, "_sleep", pauses.append)
    leave_undone(table, at_most=0)
    with pytest.raises(ThrottledError):
        store.clear_messages(conversation_id)
    assert len(pauses) == 8


def test_unknown_conversation_cannot_be_cleared_but_an_unknown_session_has_nothing_to_clear(store, table) -> None:
    with pytest.raises(ConversationNotFoundError):
        store.clear_messages("c" + "0" * 31)
    assert clear_session(store, "ann", "never") == 0
    assert table.scan()["Items"] == []
