"""A turn recalls summary, window and follow-up question with one query, and sees when it was given too little."""

from collections.abc import Callable
from typing import Any

import pytest

from clew.conversation.pending import PendingIntent
from clew.conversation.recollection import Recollection
from clew.conversation.store import ConversationStore
from clew.conversation.summary import Summary
from tests.unit.conversation.counting import Requests

Lag = Callable[[Callable[[str], bool]], None]


@pytest.fixture
def lag(table) -> Lag:
    """Copies of the table, which inconsistent reads go to, lack the items whose sort keys are said to be missing."""

    def arrange(missing: Callable[[str], bool]) -> None:
        consistent = False

        def note(params: dict[str, Any], **_: Any) -> None:
            nonlocal consistent
            consistent = b'"ConsistentRead": true' in params["body"]

        def drop(parsed: dict[str, Any], **_: Any) -> None:
            if not consistent:
                parsed["Items"] = [item for item in parsed["Items"] if not missing(item["sk"]["S"])]

        events = table.meta.client.meta.events
        events.register("before-call.dynamodb.Query", note)
        events.register_first("after-call.dynamodb.Query", drop)  # before values become plain

    return arrange


def ask(store: ConversationStore) -> tuple[int, Recollection]:
    """The number of a new message, and what is recalled before it."""
    begun = store.begin("ann", "s1", "and now?")
    return begun.message.seq, store.recollect(begun.conversation_id, begun.message.seq, begun.cleared_seq)


def seqs(seen: Recollection) -> list[int]:
    return [each.seq for each in seen.messages]


def test_new_conversation_has_no_past(store) -> None:
    assert ask(store) == (1, Recollection())


def test_short_conversation_is_recalled_whole(store, fill, conversation_id) -> None:
    fill(conversation_id, 8)
    seq, seen = ask(store)
    assert seq == 9
    assert [each.content for each in seen.messages] == [f"m{number}" for number in range(1, 9)]
    assert (seen.summary, seen.pending, seen.left_out) == (Summary(), None, 0)


@pytest.mark.parametrize("covered", [14, 12, 10])
def test_after_a_summary_the_rest_is_verbatim_and_costs_one_query(
    store, fill, table, conversation_id, covered: int
) -> None:
    fill(conversation_id, 20)
    assert store.summaries.extend(conversation_id, "They talked.", covered, Summary())
    begun = store.begin("ann", "s1", "and now?")
    with Requests(table) as requests:
        seen = store.recollect(begun.conversation_id, begun.message.seq, begun.cleared_seq)
    assert requests.names == ["Query"]
    assert seen.summary == Summary(text="They talked.", covered_seq=covered)
    assert seqs(seen) == list(range(covered + 1, 21))


def test_open_question_comes_with_the_rest(store, fill, conversation_id, clock) -> None:
    fill(conversation_id, 2)
    asked = PendingIntent(intent="deadline", original_query="截止日期是哪天？", asked_seq=1)
    store.pending.put(conversation_id, asked)
    _, seen = ask(store)
    assert seen.pending == asked
    clock.move(hours=24)
    _, later = ask(store)
    assert later.pending is None


def test_question_that_this_very_message_had_led_to_is_not_answered_by_its_repeat(store) -> None:
    begun = store.begin("ann", "s1", "When is the deadline?", "m-1")
    store.pending.put(begun.conversation_id, PendingIntent(intent="deadline"), begun.message.seq)
    again = store.begin("ann", "s1", "When is the deadline?", "m-1")
    assert store.recollect(again.conversation_id, again.message.seq, again.cleared_seq).pending is None


@pytest.mark.parametrize("missing", ["MSG#0000000021", "MSG#0000000020", "MSG#0000000016"])
def test_copy_that_lacks_a_message_is_not_believed(store, fill, conversation_id, lag: Lag, missing: str) -> None:
    fill(conversation_id, 20)
    store.summaries.extend(conversation_id, "They talked.", 14, Summary())
    begun = store.begin("ann", "s1", "and now?")
    lag(lambda sk: sk == missing)
    assert seqs(store.recollect(conversation_id, begun.message.seq, 0)) == list(range(15, 21))


def test_copy_with_an_older_summary_only_means_more_messages(store, fill, conversation_id, lag: Lag) -> None:
    fill(conversation_id, 20)
    store.summaries.extend(conversation_id, "They talked.", 14, Summary())
    begun = store.begin("ann", "s1", "and now?")
    lag(lambda sk: sk == "SUMMARY")
    seen = store.recollect(conversation_id, begun.message.seq, 0)
    assert (seen.summary, seqs(seen)) == (Summary(), list(range(1, 21)))


def test_number_that_was_never_written_costs_one_more_reading_and_no_more(store, fill, table, conversation_id) -> None:
    fill(conversation_id, 4)
    table.delete_item(Key={"pk": f"CONV#{conversation_id}", "sk": "MSG#0000000003"})
    begun = store.begin("ann", "s1", "and now?")
    with Requests(table) as requests:
        seen = store.recollect(conversation_id, begun.message.seq, 0)
    assert seqs(seen) == [1, 2, 4]
    assert requests.names == ["Query", "Query"]


@pytest.mark.parametrize(
    ("name", "value"), [("packed", b"\xff" * 9), ("packed", b""), ("role", "stranger"), ("content", 7)]
)
def test_message_that_cannot_be_read_is_left_out_with_a_warning(
    store, fill, table, conversation_id, spoil, caplog, name: str, value: Any
) -> None:
    fill(conversation_id, 4)
    spoil(conversation_id, 3, name, value)
    begun = store.begin("ann", "s1", "and now?")
    with Requests(table) as requests:
        seen = store.recollect(conversation_id, begun.message.seq, 0)
    assert seqs(seen) == [1, 2, 4]
    assert requests.names == ["Query"]
    (warning,) = caplog.records
    assert (warning.levelname, warning.conversation_id, warning.seq) == ("WARNING", conversation_id, 3)
    assert "m3" not in warning.getMessage()


def test_when_the_summary_lags_the_rest_is_read_up_to_a_bound(store, fill, conversation_id) -> None:
    fill(conversation_id, 90)
    store.summaries.extend(conversation_id, "Long ago.", 4, Summary())
    _, seen = ask(store)
    assert seqs(seen) == list(range(31, 91))
    assert (seen.summary.covered_seq, seen.left_out) == (4, 26)


def test_long_messages_are_read_up_to_a_size_but_the_last_six_always(store, conversation_id) -> None:
    for _ in range(12):
        store.append_message(conversation_id, "user", "字" * 30_000)
    _, seen = ask(store)
    assert seqs(seen) == [7, 8, 9, 10, 11, 12]
    assert seen.left_out == 6


def test_message_that_is_repeated_after_a_long_time_has_its_own_past(store, fill, conversation_id) -> None:
    fill(conversation_id, 8)
    begun = store.begin("ann", "s1", "old", client_message_id="m-9")
    fill(conversation_id, 21)
    store.summaries.extend(conversation_id, "They talked.", 24, Summary())
    again = store.begin("ann", "s1", "old", client_message_id="m-9")
    assert (again.repeated, again.message.seq) == (True, 9)
    assert seqs(store.recollect(conversation_id, begun.message.seq, 0)) == [3, 4, 5, 6, 7, 8]


def test_what_was_cleared_is_out_of_bounds_though_its_items_are_still_there(
    store, fill, break_off_clear, conversation_id
) -> None:
    fill(conversation_id, 12)
    store.summaries.extend(conversation_id, "Secrets.", 6, Summary())
    store.pending.put(conversation_id, PendingIntent(intent="deadline"), 11)
    break_off_clear(conversation_id)
    seq, seen = ask(store)
    assert seq == 13
    assert seen == Recollection(summary=Summary(covered_seq=12))
    store.append_message(conversation_id, "assistant", "a")
    _, later = ask(store)
    assert seqs(later) == [13, 14]


def test_another_tenants_conversation_is_as_none(store, fill, table, clock, conversation_id) -> None:
    fill(conversation_id, 12)
    store.summaries.extend(conversation_id, "Secrets.", 6, Summary())
    store.pending.put(conversation_id, PendingIntent(intent="deadline"))
    assert ConversationStore(table, "other", clock).recollect(conversation_id, 13, 0) == Recollection()
