"""The summary's item: extended by whoever saw it last, and emptied by a clear whatever happens beside it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.conversation.store import ConversationStore
from clew.conversation.summary import Summary
from clew.conversation.summary_item import put_tombstone
from tests.unit.conversation.counting import Requests


def test_summary_is_extended_step_by_step(store, conversation_id) -> None:
    summaries = store.summaries
    assert summaries.find(conversation_id) == Summary()
    assert summaries.extend(conversation_id, "李安拍了什么。", 4, Summary())
    first = summaries.find(conversation_id)
    assert first == Summary(text="李安拍了什么。", covered_seq=4)
    assert summaries.extend(conversation_id, "李安拍了什么，在哪里上学。", 10, first)
    assert summaries.find(conversation_id).covered_seq == 10


def test_what_is_not_the_last_summary_is_not_extended(store, conversation_id) -> None:
    summaries = store.summaries
    assert summaries.extend(conversation_id, "one", 4, Summary())
    assert not summaries.extend(conversation_id, "another one", 4, Summary())
    assert not summaries.extend(conversation_id, "from elsewhere", 10, Summary(text="other", covered_seq=5))
    assert not summaries.extend(conversation_id, "from long ago", 10, Summary())
    assert summaries.find(conversation_id) == Summary(text="one", covered_seq=4)


@pytest.mark.usefixtures("one_at_a_time")
def test_of_many_at_once_one_extends(store, conversation_id) -> None:
    def extend(number: int) -> bool:
        return store.summaries.extend(conversation_id, f"by {number}", 4, Summary())

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(extend, range(16)))
    assert done.count(True) == 1
    assert store.summaries.find(conversation_id).text == f"by {done.index(True)}"


def test_extending_backwards_is_a_mistake_of_the_caller(store, conversation_id) -> None:
    with pytest.raises(ValueError, match="not extended"):
        store.summaries.extend(conversation_id, "text", 4, Summary(covered_seq=4))


def test_extending_is_one_write(store, table, conversation_id) -> None:
    with Requests(table) as requests:
        store.summaries.extend(conversation_id, "text", 4, Summary())
    assert requests.names == ["UpdateItem"]


def test_the_last_six_stay_outside(store, fill, conversation_id) -> None:
    fill(conversation_id, 16)
    found = store.summaries.uncovered(conversation_id, Summary(text="x", covered_seq=4), 16)
    assert [each.seq for each in found] == [5, 6, 7, 8, 9, 10]
    assert store.summaries.uncovered(conversation_id, Summary(covered_seq=10), 16) == ()
    assert store.summaries.uncovered(conversation_id, Summary(), 5) == ()


def test_what_is_far_behind_comes_in_steps(store, conversation_id, table) -> None:
    with table.batch_writer() as batch:
        for seq in range(1, 151):
            message = {"tenant_id": "acme", "role": "user", "content": f"m{seq}", "created_at": "2026"}
            batch.put_item(Item={"pk": f"CONV#{conversation_id}", "sk": f"MSG#{seq:010d}", **message})
    first = store.summaries.uncovered(conversation_id, Summary(), 150)
    assert [each.seq for each in first] == list(range(1, 101))
    rest = store.summaries.uncovered(conversation_id, Summary(text="x", covered_seq=100), 150)
    assert [each.seq for each in rest] == list(range(101, 145))


def test_gap_is_looked_at_twice_and_then_passed_over(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 16)
    table.delete_item(Key={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000007"})
    with Requests(table) as requests:
        found = store.summaries.uncovered(conversation_id, Summary(covered_seq=4), 16)
    assert [each.seq for each in found] == [5, 6, 8, 9, 10]
    assert requests.names == ["Query", "Query"]


def test_clear_leaves_a_tombstone_from_which_memory_learns_what_to_forget(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 12)
    store.summaries.extend(conversation_id, "Secrets.", 6, Summary())
    store.clear_messages(conversation_id)
    item = table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "SUMMARY"})["Item"]
    assert (item["text"], item["covered_seq"], item["tenant_id"]) == ("", 12, "acme")
    assert item["cleared_at"] == "2026-03-01T12:00:00.000+00:00"
    assert store.summaries.find(conversation_id) == Summary(covered_seq=12)


def test_summary_that_was_being_made_while_all_was_cleared_is_not_written(store, fill, conversation_id) -> None:
    fill(conversation_id, 16)
    store.summaries.extend(conversation_id, "Secrets.", 4, Summary())
    seen = store.summaries.find(conversation_id)
    store.clear_messages(conversation_id)
    assert not store.summaries.extend(conversation_id, "More secrets.", 10, seen)
    assert store.summaries.find(conversation_id).text == ""


def test_first_summary_that_was_being_made_while_all_was_cleared_is_not_written(store, fill, conversation_id) -> None:
    fill(conversation_id, 12)
    store.clear_messages(conversation_id)
    assert not store.summaries.extend(conversation_id, "Secrets.", 6, Summary())


def test_after_a_clear_the_summary_begins_anew(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 12)
    store.clear_messages(conversation_id)
    fill(conversation_id, 12)
    seen = store.summaries.find(conversation_id)
    assert [each.seq for each in store.summaries.uncovered(conversation_id, seen, 24)] == [13, 14, 15, 16, 17, 18]
    assert store.summaries.extend(conversation_id, "A new talk.", 18, seen)
    begun = store.begin("ann", "s1", "and now?")
    recalled = store.recollect(conversation_id, begun.message.seq, begun.cleared_seq)
    assert recalled.summary == Summary(text="A new talk.", covered_seq=18, since=12)
    assert "cleared_at" not in table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "SUMMARY"})["Item"]


def test_conversation_that_an_earlier_version_cleared_is_summed_up_from_there(
    store, fill, table, conversation_id
) -> None:
    fill(conversation_id, 12)
    store.clear_messages(conversation_id)
    table.delete_item(Key={"pk": f"CONV#{conversation_id}", "sk": "SUMMARY"})  # which that version did not know
    fill(conversation_id, 12)
    seen = store.summaries.find(conversation_id)
    assert seen == Summary(covered_seq=12)
    assert store.summaries.extend(conversation_id, "A new talk.", 18, seen)
    begun = store.begin("ann", "s1", "and now?")
    recalled = store.recollect(conversation_id, begun.message.seq, begun.cleared_seq)
    assert recalled.summary == Summary(text="A new talk.", covered_seq=18, since=12)


def test_summary_from_before_a_clear_that_broke_off_is_never_shown(
    store, fill, conversation_id, lose_connection
) -> None:
    fill(conversation_id, 16)
    store.summaries.extend(conversation_id, "Secrets.", 4, Summary())
    seen = store.summaries.find(conversation_id)
    lose_connection("PutItem")  # the tombstone's
    with pytest.raises(Exception, match="cannot be reached"):
        store.clear_messages(conversation_id)
    fill(conversation_id, 8)
    assert store.summaries.extend(conversation_id, "More secrets.", 18, seen)  # reaches over the clear
    begun = store.begin("ann", "s1", "and now?")
    recalled = store.recollect(conversation_id, begun.message.seq, begun.cleared_seq)
    assert recalled.summary == Summary(covered_seq=16)
    assert [each.seq for each in recalled.messages] == list(range(17, 25))
    store.clear_messages(conversation_id)
    assert store.summaries.find(conversation_id) == Summary(covered_seq=25)


def test_summary_works_again_after_a_clear_that_broke_off(store, fill, conversation_id, break_off_clear) -> None:
    fill(conversation_id, 16)
    store.summaries.extend(conversation_id, "Secrets.", 10, Summary())
    before = store.summaries.find(conversation_id)
    break_off_clear(conversation_id)
    fill(conversation_id, 12)
    seen = store.summaries.find(conversation_id)
    assert seen == Summary(covered_seq=16), "the text from before the clear is not extended"
    assert [each.seq for each in store.summaries.uncovered(conversation_id, seen, 28)] == list(range(17, 23))
    assert store.summaries.extend(conversation_id, "A new talk.", 22, seen)
    assert not store.summaries.extend(conversation_id, "Another.", 22, seen), "another was faster"
    assert not store.summaries.extend(conversation_id, "Secrets. And more.", 23, before)
    again = Summary(text="A new talk.", covered_seq=22, since=16)
    assert store.summaries.find(conversation_id) == again
    begun = store.begin("ann", "s1", "and now?")
    assert store.recollect(conversation_id, begun.message.seq, begun.cleared_seq).summary == again
    assert store.summaries.extend(conversation_id, "A new talk. More.", 23, again)
    assert store.summaries.find(conversation_id) == Summary(text="A new talk. More.", covered_seq=23, since=16)


def test_text_from_before_a_clear_never_passes_for_one_that_covers_as_much(
    store, fill, conversation_id, break_off_clear
) -> None:
    fill(conversation_id, 16)
    store.summaries.extend(conversation_id, "Secrets.", 4, Summary())
    seen = store.summaries.find(conversation_id)
    break_off_clear(conversation_id)
    fill(conversation_id, 12)
    assert store.summaries.extend(conversation_id, "More secrets.", 20, seen)  # reaches over the clear
    late = Summary(text="More secrets.", covered_seq=20)
    assert store.summaries.extend(conversation_id, "A new talk.", 20, store.summaries.find(conversation_id))
    assert not store.summaries.extend(conversation_id, "Still more secrets.", 22, late)
    assert store.summaries.find(conversation_id) == Summary(text="A new talk.", covered_seq=20, since=16)


def test_text_that_is_gone_is_not_extended(store, table, conversation_id) -> None:
    store.summaries.extend(conversation_id, "Secrets.", 4, Summary())
    seen = store.summaries.find(conversation_id)
    table.delete_item(Key={"pk": f"CONV#{conversation_id}", "sk": "SUMMARY"})
    assert not store.summaries.extend(conversation_id, "More secrets.", 10, seen)


def test_message_that_cannot_be_read_is_passed_over(store, fill, table, conversation_id, spoil, caplog) -> None:
    fill(conversation_id, 16)
    spoil(conversation_id, 7)
    with Requests(table) as requests:
        found = store.summaries.uncovered(conversation_id, Summary(covered_seq=4), 16)
    assert [each.seq for each in found] == [5, 6, 8, 9, 10]
    assert requests.names == ["Query"], "it is there, so no copy lags"
    (warning,) = caplog.records
    assert (warning.levelname, warning.conversation_id, warning.seq) == ("WARNING", conversation_id, 7)
    assert "m7" not in warning.getMessage()


def test_late_tombstone_of_an_earlier_clear_changes_nothing(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 12)
    store.clear_messages(conversation_id)
    put_tombstone(store._table, "acme", conversation_id, 8, "2026-03-01T11:59:59.000+00:00")
    assert store.summaries.find(conversation_id) == Summary(covered_seq=12)


def test_another_tenant_sees_and_changes_nothing(store, table, conversation_id) -> None:
    store.summaries.extend(conversation_id, "Secrets.", 4, Summary())
    stranger = ConversationStore(table, "other").summaries
    assert stranger.find(conversation_id) == Summary()
    assert not stranger.extend(conversation_id, "Mine.", 8, Summary(covered_seq=4))
    assert stranger.uncovered(conversation_id, Summary(), 20) == ()
