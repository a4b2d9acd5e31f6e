"""An append happens once, in order, whatever breaks on the way."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.conversation.store import ConversationStore
from clew.errors import (
    ConversationClearedError,
    ConversationNotFoundError,
    StoreError,
    StoreUnavailableError,
    ThrottledError,
)
from tests.unit.conversation.counting import Requests


def remember(table, conversation_id: str, appends: int) -> None:
    """As after so many appends, without the messages."""
    table.update_item(
        Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"},
        UpdateExpression="SET last_seq = :last, recent = :tokens",
        ExpressionAttributeValues={
            ":last": appends,
            ":tokens": {f"token{number:03}": number for number in range(1, appends + 1)},
        },
    )


def contents(store, conversation_id: str) -> list[str]:
    return [each.content for each in store.list_messages(conversation_id, 100).messages]


def head(table, conversation_id: str) -> dict:
    return table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"})["Item"]


@pytest.mark.usefixtures("one_at_a_time")
def test_fifty_appends_at_once_leave_no_gap(store, conversation_id) -> None:
    def append(number: int) -> int:
        return store.append_message(conversation_id, "user", f"m{number}", client_message_id=f"id{number}").seq

    with ThreadPoolExecutor(16) as pool:
        numbers = list(pool.map(append, range(50)))
    assert sorted(numbers) == list(range(1, 51))
    messages = store.list_messages(conversation_id, 100).messages
    assert [each.seq for each in messages] == list(range(1, 51))
    assert {each.content for each in messages} == {f"m{number}" for number in range(50)}


@pytest.mark.usefixtures("one_at_a_time")
def test_one_message_sent_twenty_times_at_once_is_stored_once(store, conversation_id) -> None:
    def append(_: int) -> str:
        return store.append_message(conversation_id, "user", "hello", client_message_id="same").message_id

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(append, range(20)))
    assert len(ids) == 1
    assert contents(store, conversation_id) == ["hello"]


def test_repeated_append_returns_the_stored_message(store, conversation_id, clock) -> None:
    first = store.append_message(conversation_id, "user", "hello", client_message_id="m-1")
    store.append_message(conversation_id, "assistant", "hi")
    clock.move(seconds=5)
    assert store.append_message(conversation_id, "user", "changed", client_message_id="m-1") == first
    assert contents(store, conversation_id) == ["hello", "hi"]


def test_appends_without_a_client_id_are_all_stored(store, conversation_id) -> None:
    for _ in range(2):
        store.append_message(conversation_id, "user", "same words")
    assert contents(store, conversation_id) == ["same words", "same words"]


def test_append_that_died_between_its_two_writes_is_healed_by_its_repeat(
    store, conversation_id, lose_connection
) -> None:
    store.append_message(conversation_id, "user", "one", client_message_id="1")
    lose_connection("PutItem")
    with pytest.raises(StoreUnavailableError):
        store.append_message(conversation_id, "user", "two", client_message_id="2")
    store.append_message(conversation_id, "user", "three", client_message_id="3")
    assert contents(store, conversation_id) == ["one", "three"]
    assert store.append_message(conversation_id, "user", "two", client_message_id="2").seq == 2
    assert contents(store, conversation_id) == ["one", "two", "three"]


@pytest.mark.parametrize("operation", ["UpdateItem", "PutItem"])
def test_append_whose_answer_was_lost_is_not_repeated(store, conversation_id, lose_answer, operation: str) -> None:
    lose_answer(operation)
    with pytest.raises(StoreUnavailableError):
        store.append_message(conversation_id, "user", "one", client_message_id="1")
    assert store.append_message(conversation_id, "user", "one", client_message_id="1").seq == 1
    assert store.append_message(conversation_id, "user", "two").seq == 2


def test_only_the_newest_client_ids_are_remembered(store, conversation_id, table) -> None:
    for number in range(66):
        store.append_message(conversation_id, "user", f"m{number}", client_message_id="x" * 120 + str(number))
    remembered = head(table, conversation_id)["recent"]
    assert 32 <= len(remembered) <= 64
    assert {int(seq) for seq in remembered.values()} == set(range(67 - len(remembered), 67))
    assert store.append_message(conversation_id, "user", "again", client_message_id="x" * 120 + "65").seq == 66
    assert store.append_message(conversation_id, "user", "long ago", client_message_id="x" * 120 + "0").seq == 67


@pytest.mark.parametrize(
    ("user_id", "session_id", "question"),
    [
        ("6f1c2d9e-3b4a-4c5d-8e7f-0a1b2c3d4e5f", "0a1b2c3d-3b4a-4c5d-8e7f-6f1c2d9e4e5f", "谁导演了这部电影？" * 20),
        ("ann", "s1", "Who directed the film that won the prize in the year of the flood? " * 5),
    ],
)
def test_head_stays_within_one_write_unit(store, table, user_id: str, session_id: str, question: str) -> None:
    conversation_id = store.begin(user_id, session_id, question).conversation_id
    remember(table, conversation_id, 40)
    with Requests(table) as requests:
        for _ in range(24):
            store.append_message(conversation_id, "assistant", "a")
    assert requests.write_units == len(requests.names)
    assert len(requests.names) <= 50  # the head's and the message's, and now and then a trim


def test_head_with_long_ids_is_trimmed_every_few_appends_all_the_same(store, table) -> None:
    conversation_id = store.begin("u" * 128, "s" * 128, "谁？" * 50).conversation_id
    remember(table, conversation_id, 39)
    with Requests(table) as requests:
        for _ in range(17):
            store.append_message(conversation_id, "assistant", "a")
    assert len(requests.names) == 2 * 17 + 3
    assert len(head(table, conversation_id)["recent"]) == 32


def test_append_stands_when_trimming_is_refused(store, conversation_id, table, lose_connection) -> None:
    remember(table, conversation_id, 64)
    lose_connection_on_trim(table)
    assert store.append_message(conversation_id, "user", "last").seq == 65
    assert len(head(table, conversation_id)["recent"]) == 65
    store.append_message(conversation_id, "user", "next")
    assert len(head(table, conversation_id)["recent"]) == 32


def lose_connection_on_trim(table) -> None:
    """The next update that only removes is lost."""
    from botocore.exceptions import ConnectTimeoutError

    events = table.meta.client.meta.events

    def fail(params, **_) -> None:
        if b"REMOVE" in params["body"]:
            events.unregister("before-call.dynamodb.UpdateItem", fail)
            raise ConnectTimeoutError(endpoint_url="https://dynamodb.example")

    events.register("before-call.dynamodb.UpdateItem", fail)


def test_foreign_message_at_a_number_is_never_taken_for_ones_own(store, conversation_id, table) -> None:
    store.append_message(conversation_id, "user", "one")
    table.update_item(  # as after a restore of the head alone
        Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"},
        UpdateExpression="SET last_seq = :zero",
        ExpressionAttributeValues={":zero": 0},
    )
    with pytest.raises(StoreError, match="another one"):
        store.append_message(conversation_id, "user", "two")
    assert contents(store, conversation_id) == ["one"]


def reply(store, conversation_id: str, to: int, client_message_id: str = "") -> int:
    return store.append_message(
        conversation_id, "assistant", "a", client_message_id=client_message_id, in_reply_to=to
    ).seq


def test_answer_to_a_message_that_was_cleared_meanwhile_is_not_stored(store, table, conversation_id) -> None:
    asked = store.begin("ann", "s1", "a secret?").message.seq
    store.clear_messages(conversation_id)
    before = head(table, conversation_id)
    with pytest.raises(ConversationClearedError, match="was cleared while"):
        reply(store, conversation_id, asked)
    assert contents(store, conversation_id) == []
    assert head(table, conversation_id) == before, "no number was taken"
    assert reply(store, conversation_id, store.begin("ann", "s1", "and now?").message.seq) == 3


def test_answer_is_one_write_of_head_and_message_whatever_it_replies_to(store, table, conversation_id) -> None:
    asked = store.begin("ann", "s1", "who?").message.seq
    with Requests(table) as requests:
        reply(store, conversation_id, asked)
    assert requests.names == ["UpdateItem", "PutItem"]


def test_answer_of_a_later_message_is_stored_though_earlier_ones_were_cleared(store, conversation_id) -> None:
    store.begin("ann", "s1", "old")
    store.clear_messages(conversation_id)
    asked = store.begin("ann", "s1", "new").message.seq
    assert reply(store, conversation_id, asked, "m-1") == reply(store, conversation_id, asked, "m-1")
    assert contents(store, conversation_id) == ["new", "a"]


def test_strangers_learn_nothing_of_a_clear(store, table, conversation_id) -> None:
    store.begin("ann", "s1", "old")
    store.clear_messages(conversation_id)
    with pytest.raises(ConversationNotFoundError):
        reply(ConversationStore(table, "other"), conversation_id, 1)


@pytest.mark.parametrize(
    "code", ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"]
)
def test_throttling_is_an_error_worth_another_try(store, conversation_id, refuse, code: str) -> None:
    refuse("UpdateItem", code)
    with pytest.raises(ThrottledError):
        store.append_message(conversation_id, "user", "hello")


def test_other_refusals_are_ours_to_mend_and_tell_no_details(store, conversation_id, refuse) -> None:
    refuse("UpdateItem", "AccessDeniedException")
    with pytest.raises(StoreError, match=r"refused UpdateItem \(AccessDeniedException\)") as caught:
        store.append_message(conversation_id, "user", "hello")
    assert "arn:" not in str(caught.value)
