"""Clearing takes all that was said in one conversation, and nothing else."""

import json

import pytest
from botocore.exceptions import ConnectTimeoutError

from clew.conversation.message import Feedback
from clew.conversation.pending import PendingIntent
from clew.conversation.sessions import clear_session
from clew.conversation.summary import Summary
from clew.errors import ConversationNotFoundError, StoreUnavailableError, ThrottledError


def items_of(table, conversation_id: str) -> list[str]:
    return sorted(item["sk"] for item in table.scan()["Items"] if item["pk"] == f"CONV#{conversation_id}")


CLEARED = ["HEAD", "SUMMARY"]
"""What stays: the counter, and that there is no summary."""


def test_clearing_over_a_hundred_messages_leaves_other_sessions_alone(store, fill, conversation_id, table) -> None:
    other = store.get_or_create_conversation_id("ann", "s2")
    fill(other, 12)
    store.put_feedback(other, Feedback(message_id=f"{other}.0000000012", is_positive=True))
    store.pending.put(other, PendingIntent(intent="ask"))
    store.summaries.extend(other, "Stays.", 6, Summary())
    others = [item for item in table.scan()["Items"] if item["pk"] == f"CONV#{other}"]
    fill(conversation_id, 110)
    for seq in range(1, 111, 10):
        store.put_feedback(conversation_id, Feedback(message_id=f"{conversation_id}.{seq:010d}", is_positive=True))
    store.pending.put(conversation_id, PendingIntent(intent="ask"), 109)
    store.summaries.extend(conversation_id, "Goes.", 104, Summary())

    assert store.clear_messages(conversation_id) == 110
    assert items_of(table, conversation_id) == CLEARED
    assert store.list_messages(conversation_id).messages == ()
    assert store.summaries.find(conversation_id).text == ""
    assert store.feedback.list("general", "2026-03-01").feedback[0].message_id == f"{other}.0000000012"
    assert [item for item in table.scan()["Items"] if item["pk"] == f"CONV#{other}"] == others


def test_hundreds_of_messages_go_completely(store, fill, conversation_id, table) -> None:
    fill(conversation_id, 600)
    assert store.clear_messages(conversation_id) == 600
    assert items_of(table, conversation_id) == CLEARED


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


@pytest.mark.parametrize("operation", ["PutItem", "Query", "BatchWriteItem", "DeleteItem"])
def test_clear_that_broke_off_anywhere_is_finished_by_the_next(
    store, fill, table, conversation_id, lose_connection, operation: str
) -> None:
    fill(conversation_id, 60)
    store.put_feedback(conversation_id, Feedback(message_id=f"{conversation_id}.0000000060", is_positive=True))
    store.pending.put(conversation_id, PendingIntent(intent="ask"))
    lose_connection(operation)
    with pytest.raises(StoreUnavailableError):
        store.clear_messages(conversation_id)
    assert store.list_messages(conversation_id).messages == ()  # out of bounds, whatever is left of them
    assert store.clear_messages(conversation_id) == (0 if operation == "DeleteItem" else 60)
    assert items_of(table, conversation_id) == CLEARED


def test_clear_that_broke_off_half_way_is_finished_by_the_next(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 60)
    sent = []

    def fail_the_second(**_) -> None:
        sent.append(1)
        if len(sent) == 2:
            raise ConnectTimeoutError(endpoint_url="https://dynamodb.example")

    table.meta.client.meta.events.register("before-call.dynamodb.BatchWriteItem", fail_the_second)
    with pytest.raises(StoreUnavailableError):
        store.clear_messages(conversation_id)
    assert len(items_of(table, conversation_id)) == 2 + 35
    assert store.clear_messages(conversation_id) == 35
    assert items_of(table, conversation_id) == CLEARED


def test_message_on_its_way_while_its_conversation_is_cleared_goes_too(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 30)
    events = table.meta.client.meta.events

    def arrive_late(**_) -> None:
        events.unregister("before-call.dynamodb.BatchWriteItem", arrive_late)
        table.put_item(Item={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000007", "tenant_id": "acme"})
        table.put_item(Item={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000000", "tenant_id": "acme"})

    events.register("before-call.dynamodb.BatchWriteItem", arrive_late)
    assert store.clear_messages(conversation_id) == 31
    assert items_of(table, conversation_id) == CLEARED


def test_question_that_a_turn_after_the_clear_has_put_stays(store, table, conversation_id) -> None:
    store.append_message(conversation_id, "user", "old")
    events = table.meta.client.meta.events

    def ask_meanwhile(**_) -> None:
        events.unregister("before-call.dynamodb.Query", ask_meanwhile)
        seq = store.begin("ann", "s1", "new").message.seq
        store.pending.put(conversation_id, PendingIntent(intent="ask"), seq)

    events.register("before-call.dynamodb.Query", ask_meanwhile)
    store.clear_messages(conversation_id)
    assert store.pending.find(conversation_id) == PendingIntent(intent="ask", asked_seq=2)


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


def test_deletions_left_undone_are_asked_for_again(store, fill, conversation_id, table, monkeypatch) -> None:
    fill(conversation_id, 30)
    pauses: list[float] = []
    monkeypatch.setattr(store._table, "_sleep", pauses.append)
    asked = leave_undone(table, at_most=10)
    assert store.clear_messages(conversation_id) == 30
    assert items_of(table, conversation_id) == CLEARED
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
