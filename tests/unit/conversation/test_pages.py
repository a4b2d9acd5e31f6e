"""Pages of messages, in either direction, and of conversations."""

import pytest

from clew.errors import InvalidRequestError


@pytest.fixture
def ten(fill, conversation_id) -> str:
    fill(conversation_id, 10)
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


def test_pages_join_from_the_beginning_too(store, ten) -> None:
    start = f"{ten}.0000000000"
    first = store.list_messages(ten, limit=4, after=start)
    second = store.list_messages(ten, limit=4, after=first.next_after)
    third = store.list_messages(ten, limit=4, after=second.next_after)
    assert [numbers(each) for each in (first, second, third)] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]
    assert (first.next_before, third.next_after) == ("", "")


def test_one_can_turn_round_on_any_page(store, ten) -> None:
    older = store.list_messages(ten, limit=3, before=f"{ten}.0000000008")
    assert numbers(older) == [5, 6, 7]
    newer = store.list_messages(ten, limit=3, after=older.next_after)
    assert numbers(newer) == [8, 9, 10]
    assert numbers(store.list_messages(ten, limit=3, before=newer.next_before)) == [5, 6, 7]


def test_newest_page_has_nothing_after_it_until_somebody_speaks(store, ten) -> None:
    newest = store.list_messages(ten, limit=3)
    assert newest.next_after == ""
    last = newest.messages[-1].message_id
    assert store.list_messages(ten, after=last).messages == ()
    store.append_message(ten, "user", "more")
    assert numbers(store.list_messages(ten, after=last)) == [11]


def test_before_and_after_do_not_go_together(store, ten) -> None:
    with pytest.raises(InvalidRequestError):
        store.list_messages(ten, before=f"{ten}.0000000008", after=f"{ten}.0000000002")


def test_pages_of_a_cleared_conversation_begin_after_the_clear(store, fill, ten) -> None:
    store.clear_messages(ten)
    fill(ten, 4)
    assert numbers(store.list_messages(ten)) == [11, 12, 13, 14]
    page = store.list_messages(ten, limit=2, after=f"{ten}.0000000003")
    assert (numbers(page), page.next_before) == ([11, 12], "")


def test_list_of_conversations_comes_in_pages(store, clock) -> None:
    for number in range(7):
        clock.move(minutes=number % 2)  # some at the same moment
        store.begin("ann", f"s{number}", "hello")
    whole = [each.session_id for each in store.list_conversations("ann").conversations]
    seen: list[str] = []
    before = ""
    for _ in range(3):
        page = store.list_conversations("ann", limit=3, before=before)
        seen += [each.session_id for each in page.conversations]
        before = page.next_before
    assert seen == whole
    assert before == ""
    with pytest.raises(InvalidRequestError) as caught:
        store.list_conversations("ann", before="nonsense")
    assert "before" in caught.value.fields


@pytest.mark.parametrize("end", ["before", "after"])
@pytest.mark.parametrize("place", ["nonsense", "c" + "0" * 31 + ".0000000003", "3", "{}.3", "{}.000000000三"])
def test_a_page_ends_at_a_message_of_the_conversation(store, ten, end: str, place: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        store.list_messages(ten, **{end: place.format(ten)})
    assert end in caught.value.fields


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
