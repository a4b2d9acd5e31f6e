"""A turn begins by storing the user's message: created once, numbered without a gap, repeated without harm."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.conversation.store import ConversationStore
from clew.errors import InvalidRequestError, MessageTooLargeError, StoreUnavailableError
from tests.unit.conversation.counting import Requests


def items(table) -> list[str]:
    return sorted(item["sk"] for item in table.scan()["Items"])


def test_first_message_makes_the_conversation(store, table) -> None:
    begun = store.begin("ann", "s1", "谁导演了《卧虎藏龙》？")
    assert (begun.message.seq, begun.message.role, begun.message.content) == (1, "user", "谁导演了《卧虎藏龙》？")
    assert (begun.cleared_seq, begun.repeated) == (0, False)
    assert begun.conversation_id == store.get_or_create_conversation_id("ann", "s1")
    (listed,) = store.list_conversations("ann").conversations
    assert (listed.conversation_id, listed.title, listed.message_count) == (
        begun.conversation_id,
        "谁导演了《卧虎藏龙》？",
        1,
    )
    assert items(table) == ["HEAD", "MSG#0000000001", "SESSION#s1"]


def test_later_messages_cost_two_writes_and_no_read(store, table) -> None:
    store.begin("ann", "s1", "one")
    with Requests(table) as requests:
        assert store.begin("ann", "s1", "two").message.seq == 2
    assert requests.names == ["UpdateItem", "PutItem"]


@pytest.mark.usefixtures("one_at_a_time")
def test_fifty_first_messages_at_once_make_one_conversation(store, table) -> None:
    with ThreadPoolExecutor(16) as pool:
        begun = list(pool.map(lambda number: store.begin("ann", "s1", f"m{number}", f"id{number}"), range(50)))
    assert len({each.conversation_id for each in begun}) == 1
    assert sorted(each.message.seq for each in begun) == list(range(1, 51))
    assert items(table) == ["HEAD", *(f"MSG#{seq:010d}" for seq in range(1, 51)), "SESSION#s1"]


def test_repeated_message_is_told_as_such_and_stored_once(store, table, clock) -> None:
    first = store.begin("ann", "s1", "hello", client_message_id="m-1")
    store.append_message(first.conversation_id, "assistant", "hi")
    clock.move(minutes=5)
    again = store.begin("ann", "s1", "hello", client_message_id="m-1")
    assert (again.repeated, again.message) == (True, first.message)
    assert [each.content for each in store.recent(first.conversation_id, 9)] == ["hello", "hi"]


def test_message_whose_write_never_came_is_no_repeat(store, lose_connection) -> None:
    store.begin("ann", "s1", "one")
    lose_connection("PutItem")
    with pytest.raises(StoreUnavailableError):
        store.begin("ann", "s1", "two", client_message_id="m-2")
    healed = store.begin("ann", "s1", "two", client_message_id="m-2")
    assert (healed.repeated, healed.message.seq) == (False, 2)


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_creation_that_broke_off_is_finished_by_the_next_message(store, lose_connection, lose_answer, lost) -> None:
    (lose_connection if lost == "request" else lose_answer)("PutItem")
    with pytest.raises(StoreUnavailableError):
        store.begin("ann", "s1", "hello")
    assert store.begin("ann", "s1", "hello").message.seq == 1
    assert len(store.list_conversations("ann").conversations) == 1


def test_turn_that_died_between_its_two_messages_is_whole_with_the_next(store) -> None:
    begun = store.begin("ann", "s1", "Who directed it?")  # and no answer was ever stored
    after = store.begin("ann", "s1", "Hello?")
    seen = store.recollect(after.conversation_id, after.message.seq, after.cleared_seq)
    assert [each.content for each in seen.messages] == ["Who directed it?"]
    store.append_message(after.conversation_id, "assistant", "Hello.")
    listed = store.list_messages(begun.conversation_id).messages
    assert [(each.seq, each.role) for each in listed] == [(1, "user"), (2, "user"), (3, "assistant")]


def test_message_after_a_clear_knows_what_is_out_of_bounds(store) -> None:
    begun = store.begin("ann", "s1", "one")
    store.append_message(begun.conversation_id, "assistant", "two")
    store.clear_messages(begun.conversation_id)
    after = store.begin("ann", "s1", "three")
    assert (after.message.seq, after.cleared_seq) == (3, 2)


def test_nothing_is_written_for_what_is_refused(store, table) -> None:
    with pytest.raises(MessageTooLargeError):
        store.begin("ann", "s1", "x" * 307_201)
    with pytest.raises(InvalidRequestError):
        store.begin("a#b", "s1", "hello")
    assert items(table) == []


def test_tenants_have_conversations_of_their_own(store, table) -> None:
    other = ConversationStore(table, "other").begin("ann", "s1", "hello")
    assert other.conversation_id != store.begin("ann", "s1", "hello").conversation_id
