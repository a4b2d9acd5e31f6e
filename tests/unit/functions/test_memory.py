"""The memory function, through the events that the table's stream sends."""

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from clew import wiring
from clew.conversation.store import ConversationStore


@pytest.fixture
def store(table) -> ConversationStore:
    return ConversationStore(table, "acme")


@pytest.fixture
def conversation_id(store) -> str:
    return store.get_or_create_conversation_id("ann", "s1")


@pytest.fixture
def record(read_event, conversation_id) -> Callable[..., dict[str, Any]]:
    """The recorded insertion of a message, as that of another message, item or event."""
    (recorded,) = read_event("dynamodb_stream")["Records"]

    def make(seq: int, name: str = "INSERT", sk: str = "", conversation: str = conversation_id) -> dict[str, Any]:
        one = copy.deepcopy(recorded)
        keys = {"pk": {"S": f"CONV#{conversation}"}, "sk": {"S": sk or f"MSG#{seq:010d}"}}
        one["eventName"] = name
        one["dynamodb"] |= {"Keys": keys, "SequenceNumber": f"44215845000000000174504390{seq:02d}"}
        one["dynamodb"]["NewImage"] |= {**keys, "seq": {"N": str(seq)}}
        return one

    return make


@pytest.fixture
def follow(load_handler, context) -> Callable[..., list[str]]:
    """Hand records to the function; the sequence numbers that it gives back as failed."""
    module = None

    def send(*records: dict[str, Any]) -> list[str]:
        nonlocal module
        module = module or load_handler("memory")
        answer = module.handler({"Records": list(records)}, context)
        return [each["itemIdentifier"] for each in answer["batchItemFailures"]]

    return send


def mark(table, conversation_id: str) -> int | None:
    return table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"})["Item"].get("memory_seq")


def test_recorded_event_of_a_conversation_that_is_gone_is_taken_as_done(follow, read_event, table) -> None:
    assert follow(*read_event("dynamodb_stream")["Records"]) == []
    assert table.scan()["Items"] == []


def test_mark_follows_the_messages(follow, record, table, conversation_id) -> None:
    assert follow(record(1), record(2)) == []
    assert mark(table, conversation_id) == 2


def test_batch_delivered_twice_changes_nothing_more(follow, record, table, conversation_id) -> None:
    batch = [record(1), record(2), record(2), record(3)]
    assert follow(*batch) == []
    after_once = table.scan()["Items"]
    assert follow(*batch) == []
    assert table.scan()["Items"] == after_once
    assert mark(table, conversation_id) == 3


def test_messages_out_of_order_never_lower_the_mark(follow, record, table, conversation_id) -> None:
    assert follow(record(3), record(1)) == []
    assert follow(record(2)) == []
    assert mark(table, conversation_id) == 3


def test_conversations_are_followed_apart(follow, record, store, table, conversation_id) -> None:
    other = store.get_or_create_conversation_id("bob", "s1")
    assert follow(record(4), record(2, conversation=other)) == []
    assert (mark(table, conversation_id), mark(table, other)) == (4, 2)


def test_other_items_and_other_events_are_passed_over(follow, record, table, conversation_id) -> None:
    records = [
        record(5, name="MODIFY"),
        record(6, name="REMOVE"),
        record(7, sk="HEAD"),
        record(8, sk="PENDING"),
        record(9, sk=f"FEEDBACK#{conversation_id}.0000000009"),
    ]
    assert follow(*records) == []
    assert mark(table, conversation_id) is None


def refuse_updates_of(conversation_id: str) -> None:
    """The table that the handler uses throttles updates of one conversation."""

    def answer(params: dict[str, Any], **_: Any) -> tuple[SimpleNamespace, dict[str, Any]] | None:
        if conversation_id.encode() not in params["body"]:
            return None
        return SimpleNamespace(status_code=400), {"Error": {"Code": "ThrottlingException", "Message": "slow"}}

    events = wiring.dynamodb_table("clew-test").meta.client.meta.events
    events.register("before-call.dynamodb.UpdateItem", answer)


def test_only_the_records_that_failed_are_given_back(follow, record, store, table, conversation_id) -> None:
    other = store.get_or_create_conversation_id("bob", "s1")
    refuse_updates_of(other)
    failed = record(2, conversation=other)
    assert follow(record(1), failed, record(3)) == [failed["dynamodb"]["SequenceNumber"]]
    assert mark(table, conversation_id) == 3


def test_batch_that_fails_as_a_whole_is_given_back_as_a_whole(follow, record, table, conversation_id) -> None:
    refuse_updates_of(conversation_id)
    batch = [record(1), record(2)]
    assert follow(*batch) == [each["dynamodb"]["SequenceNumber"] for each in batch]
    assert mark(table, conversation_id) is None


def test_logs_hold_no_message_text(follow, record, capsys, conversation_id) -> None:
    refuse_updates_of(conversation_id)
    follow(record(1))
    logged = capsys.readouterr().out
    assert "stream followed" in logged
    assert "卧虎藏龙" not in logged
