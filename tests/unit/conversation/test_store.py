"""The conversation store's contract."""

import json
from typing import Any

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from clew.conversation.message import ConversationPage, Feedback
from clew.conversation.store import ConversationStore
from clew.errors import (
    ConversationNotFoundError,
    InvalidRequestError,
    MessageNotFoundError,
    MessageTooLargeError,
    StoreError,
)
from clew.retrieval.evidence import Citation


def item_count(table: Table) -> int:
    return table.scan(Select="COUNT")["Count"]


def test_same_user_and_session_always_have_the_same_conversation(store, table) -> None:
    first = store.get_or_create_conversation_id("ann", "s1")
    assert store.get_or_create_conversation_id("ann", "s1") == first
    assert item_count(table) == 2


def test_conversations_differ_by_tenant_user_and_session(table) -> None:
    acme, other = ConversationStore(table, "acme"), ConversationStore(table, "other")
    ids = {
        acme.get_or_create_conversation_id("ann", "s1"),
        acme.get_or_create_conversation_id("ann", "s2"),
        acme.get_or_create_conversation_id("bob", "s1"),
        other.get_or_create_conversation_id("ann", "s1"),
    }
    assert len(ids) == 4


def test_parts_of_an_identity_do_not_run_into_each_other(store) -> None:
    assert store.get_or_create_conversation_id("a", "b:c") != store.get_or_create_conversation_id("a:b", "c")


def test_creation_that_broke_off_is_finished_by_the_next(store, lose_connection, table) -> None:
    lose_connection("PutItem")
    with pytest.raises(Exception, match="cannot be reached"):
        store.get_or_create_conversation_id("ann", "s1")
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    assert store.append_message(conversation_id, "user", "hello").seq == 1
    assert [each.conversation_id for each in store.list_conversations("ann").conversations] == [conversation_id]


@pytest.mark.parametrize("bad", ["", "a b", "a#b", "a/b", "中文", "x" * 129, "a\n"])
def test_ids_that_could_forge_a_key_are_refused(store, table, bad: str) -> None:
    with pytest.raises(InvalidRequestError):
        store.get_or_create_conversation_id(bad, "s1")
    with pytest.raises(InvalidRequestError):
        store.find_conversation("ann", bad)
    with pytest.raises(InvalidRequestError):
        ConversationStore(table, bad)
    assert item_count(table) == 0


def test_finding_never_creates(store, table) -> None:
    assert store.find_conversation("ann", "s1") is None
    assert item_count(table) == 0


def test_message_comes_back_as_it_was_given(store, conversation_id) -> None:
    citations = (Citation(number=1, passage_id="p1", document_id="d1", title="盗梦空间", quote="诺兰执导"),)
    debug = {"scores": [0.1, 1e-320, 3], "deep": {"none": None, "yes": True}, "词": "字"}
    given = store.append_message(conversation_id, "assistant", '诺兰 [1]\n"quoted" 🎬', citations, debug)
    (read,) = store.list_messages(conversation_id).messages
    assert read == given
    assert (read.content, read.citations, read.debug) == ('诺兰 [1]\n"quoted" 🎬', citations, debug)
    assert read.message_id == f"{conversation_id}.0000000001"
    assert read.created_at == "2026-03-01T12:00:00.000+00:00"


def test_message_carries_its_tenant_for_the_stream_and_repeats_nothing_of_its_key(
    store, conversation_id, table
) -> None:
    store.append_message(conversation_id, "user", "hello")
    item = table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000001"})["Item"]
    assert set(item) == {"pk", "sk", "tenant_id", "role", "content", "created_at", "token"}
    assert item["tenant_id"] == "acme"


def test_an_answer_that_asks_back_comes_back_as_such(store, conversation_id) -> None:
    given = store.append_message(
        conversation_id, "assistant", "哪一年？", is_ask_user=True, pending_intent="deadline", summary_seq=14
    )
    (read,) = store.list_messages(conversation_id).messages
    assert read == given
    assert (read.is_ask_user, read.pending_intent, read.summary_seq) == (True, "deadline", 14)


def test_whose_a_conversation_is_can_be_told_from_its_id(store, conversation_id, table) -> None:
    found = store.get_conversation(conversation_id)
    assert (found.user_id, found.session_id) == ("ann", "s1")
    assert ConversationStore(table, "other").get_conversation(conversation_id) is None
    assert store.get_conversation("c" + "0" * 31) is None


def test_title_is_of_the_first_user_message(store, conversation_id) -> None:
    store.append_message(conversation_id, "assistant", "Welcome")
    store.append_message(conversation_id, "user", "谁导演了\n《卧虎藏龙》？")
    store.append_message(conversation_id, "user", "another")
    assert store.find_conversation("ann", "s1").title == "谁导演了 《卧虎藏龙》？"


def test_conversations_are_listed_newest_first(store, clock) -> None:
    ids = []
    for number in range(3):
        clock.move(minutes=1)
        ids.append(store.get_or_create_conversation_id("ann", f"s{number}"))
    store.get_or_create_conversation_id("bob", "s0")
    clock.move(minutes=1)
    store.append_message(ids[0], "user", "again")
    listed = store.list_conversations("ann", limit=2).conversations
    assert [each.session_id for each in listed] == ["s0", "s2"]
    assert [each.message_count for each in listed] == [1, 0]


def test_more_conversations_than_one_read_takes_are_all_listed(store) -> None:
    for number in range(105):
        store.get_or_create_conversation_id("ann", f"s{number}")
    assert len(store.list_conversations("ann", limit=1000).conversations) == 105


def test_user_without_conversations_has_an_empty_list(store) -> None:
    assert store.list_conversations("nobody") == ConversationPage(conversations=())


def test_recent_gives_the_last_messages_in_order(store, conversation_id) -> None:
    for number in range(8):
        store.append_message(conversation_id, "user", f"m{number}")
    assert [each.content for each in store.recent(conversation_id, 3)] == ["m5", "m6", "m7"]
    assert len(store.recent(conversation_id, 100)) == 8
    assert store.recent(conversation_id, 0) == []


@pytest.mark.parametrize("where", ["content", "debug", "together"])
def test_message_over_the_limit_is_refused_before_anything_is_written(
    store, conversation_id, table, where: str
) -> None:
    before = table.scan()["Items"]
    content = {"content": "字" * 102_401, "debug": "x", "together": "字" * 60_000}[where]
    debug = {"content": {}, "debug": {"k": "x" * 310_000}, "together": {"k": "x" * 130_000}}[where]
    with pytest.raises(MessageTooLargeError) as caught:
        store.append_message(conversation_id, "user", content, debug=debug)
    assert caught.value.size > caught.value.limit == 307_200
    assert table.scan()["Items"] == before


def test_message_at_the_limit_is_stored(store, conversation_id) -> None:
    content = "x" * (307_200 - len("[]") - len("{}"))
    assert store.append_message(conversation_id, "user", content).seq == 1
    assert store.recent(conversation_id, 1)[0].content == content


def test_half_a_surrogate_pair_is_refused(store, conversation_id) -> None:
    with pytest.raises(InvalidRequestError):
        store.append_message(conversation_id, "user", "\ud800")
    with pytest.raises(InvalidRequestError):
        store.append_message(conversation_id, "user", "x", debug={"k": "\ud800"})
    assert store.append_message(conversation_id, "user", "fine").seq == 1


def test_unknown_conversation_takes_no_message(store, table) -> None:
    with pytest.raises(ConversationNotFoundError):
        store.append_message("c" + "0" * 31, "user", "hello")
    assert item_count(table) == 0


def test_one_tenant_cannot_touch_another_tenants_conversation_by_its_id(store, conversation_id, table) -> None:
    message = store.append_message(conversation_id, "user", "secret")
    before = sorted(table.scan()["Items"], key=lambda item: item["sk"])
    stranger = ConversationStore(table, "other")
    with pytest.raises(ConversationNotFoundError):
        stranger.append_message(conversation_id, "user", "hi")
    with pytest.raises(ConversationNotFoundError):
        stranger.list_messages(conversation_id)
    with pytest.raises(ConversationNotFoundError):
        stranger.recent(conversation_id, 5)
    with pytest.raises(ConversationNotFoundError):
        stranger.clear_messages(conversation_id)
    with pytest.raises(MessageNotFoundError):
        stranger.put_feedback(conversation_id, Feedback(message_id=message.message_id, is_positive=False))
    assert stranger.find_conversation("ann", "s1") is None
    assert stranger.list_conversations("ann").conversations == ()
    assert sorted(table.scan()["Items"], key=lambda item: item["sk"]) == before


@pytest.mark.parametrize("broken", [b"", b"\x01nonsense", b"\xff" * 9])
def test_message_that_cannot_be_read_is_listed_with_its_text(
    store, fill, conversation_id, spoil, caplog, broken: bytes
) -> None:
    fill(conversation_id, 3)
    spoil(conversation_id, 2, value=broken)
    listed = store.list_messages(conversation_id).messages
    assert [(each.seq, each.role, each.content) for each in listed] == [
        (1, "user", "m1"),
        (2, "assistant", "m2"),
        (3, "user", "m3"),
    ]
    assert [each.debug for each in listed] == [{}, {"unreadable": True}, {}]
    assert f"message 2 of {conversation_id}" in caplog.text
    assert "m2" not in caplog.text


@pytest.mark.parametrize(("name", "value"), [("content", 7), ("role", "stranger"), ("created_at", None)])
def test_message_of_which_little_is_left_is_listed_as_that(
    store, fill, conversation_id, spoil, name: str, value: Any
) -> None:
    fill(conversation_id, 2)
    spoil(conversation_id, 1, name, value)
    first, second = store.list_messages(conversation_id).messages
    left = {"content": "m1", "role": "user", "created_at": "2026-03-01T12:00:00.000+00:00"}
    left |= {name: {"content": "", "role": "system", "created_at": ""}[name]}
    assert {each: getattr(first, each) for each in left} == left
    assert (first.debug, second.content) == ({"unreadable": True}, "m2")


@pytest.mark.parametrize("broken", [b"", b"\x01nonsense", b"\xff" * 9])
def test_message_that_is_asked_for_and_cannot_be_read_is_an_error_without_its_text(
    store, conversation_id, spoil, broken: bytes
) -> None:
    store.append_message(conversation_id, "user", "a private sentence", debug={"secret": "thing"})
    spoil(conversation_id, 1, value=broken)
    with pytest.raises(StoreError, match="message 1 of") as caught:
        store.recent(conversation_id, 1)
    assert "private" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_reads_left_undone_are_asked_for_again(store, table, monkeypatch) -> None:
    for number in range(5):
        store.get_or_create_conversation_id("ann", f"s{number}")
    events, asked, undone = table.meta.client.meta.events, [], {}

    def take_two(params, **_) -> None:
        ((name, wanted),) = json.loads(params["body"])["RequestItems"].items()
        asked.append(len(wanted["Keys"]))
        undone.clear()
        if wanted["Keys"][2:]:
            undone[name] = wanted | {"Keys": wanted["Keys"][2:]}
        some = {name: wanted | {"Keys": wanted["Keys"][:2]}}
        params["body"] = json.dumps({"RequestItems": some}).encode()

    def report(parsed, **_) -> None:
        parsed["UnprocessedKeys"] = dict(undone)

    events.register("before-call.dynamodb.BatchGetItem", take_two)
    events.register_first("after-call.dynamodb.BatchGetItem", report)  # before values become plain
    monkeypatch.setattr(store._table, "_sleep", lambda _: None)
    assert {each.session_id for each in store.list_conversations("ann").conversations} == {
        f"s{number}" for number in range(5)
    }
    assert asked == [5, 3, 1]
