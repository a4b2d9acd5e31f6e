"""Pages of messages, from the newest back to the first."""

import pytest

from clew.errors import InvalidRequestError


@pytest.fixture
def ten(store, conversation_id) -> str:
    for number in range(1, 11):
        store.append_message(conversation_id, "user", f"m{number}")
    return conversation_id


def numbers(page) -> list[int]:
    return [each.seq for each in page.messages]


def test_pages_join_to_the_whole_conversation(store, ten) -> None:
    first = store.list_messages(ten, limit=4)
    second = store.list_messages(ten, limit=4, before=first.next_before)
    third = store.list_messages(ten, limit=4, before=second.next_before)
    assert [numbers(each) for each in (third, second, first)] == [[1, 2], [3, 4, 5, 6], [7, 8, 9, 10]]
    assert third.next_before == ""


def test_page_that_ends_at_the_first_message_says_that_there_is_no_more(store, ten) -> None:
    assert store.list_messages(ten, limit=10).next_before == ""
    assert store.list_messages(ten, limit=9).next_before == f"{ten}.0000000002"


@pytest.mark.parametrize("seq", ["0000000000", "0000000001"])
def test_nothing_comes_before_the_first_message(store, ten, seq: str) -> None:
    page = store.list_messages(ten, before=f"{ten}.{seq}")
    assert (page.messages, page.next_before) == ((), "")


def test_before_may_name_a_message_that_is_yet_to_come(store, ten) -> None:
    assert numbers(store.list_messages(ten, limit=2, before=f"{ten}.9999999999")) == [9, 10]


def test_empty_conversation_has_one_empty_page(store, conversation_id) -> None:
    page = store.list_messages(conversation_id)
    assert (page.messages, page.next_before) == ((), "")


@pytest.mark.parametrize("before", ["nonsense", "c" + "0" * 31 + ".0000000003", "3", "{}.3", "{}.000000000三"])
def test_before_must_be_a_message_of_the_conversation(store, ten, before: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        store.list_messages(ten, before=before.format(ten))
    assert "before" in caught.value.fields


@pytest.mark.parametrize("limit", [0, -1])
def test_limit_must_be_positive(store, ten, limit: int) -> None:
    with pytest.raises(InvalidRequestError):
        store.list_messages(ten, limit=limit)
    with pytest.raises(InvalidRequestError):
        store.list_conversations("ann", limit=limit)


def test_long_messages_make_short_pages_and_none_is_lost(store, conversation_id) -> None:
    for _ in range(8):
        store.append_message(conversation_id, "user", "字" * 100_000)
    seen: list[int] = []
    before, pages = "", 0
    while True:
        page = store.list_messages(conversation_id, before=before)
        assert sum(len(each.content.encode()) for each in page.messages) <= 1024 * 1024
        seen, before, pages = numbers(page) + seen, page.next_before, pages + 1
        if not before:
            break
    assert seen == list(range(1, 9))
    assert pages == 3
