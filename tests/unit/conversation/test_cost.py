"""What a turn asks of the table is the same at its tenth and at its five-hundredth round."""

import pytest

from clew.conversation.store import ConversationStore
from clew.conversation.summary import Summary
from tests.unit.conversation.answers import CHINESE, ENGLISH, Answer
from tests.unit.conversation.counting import Requests

ENGLISH_SUMMARY = "They spoke of lights, harbours and those who built them. " * 25
CHINESE_SUMMARY = "谈到灯塔与建筑师。" * 60


def turn(store: ConversationStore, answer: Answer) -> None:
    begun = store.begin("ann", "s1", answer.question)
    seen = store.recollect(begun.conversation_id, begun.message.seq, begun.cleared_seq)
    store.append_message(
        begun.conversation_id,
        "assistant",
        answer.content,
        answer.citations,
        answer.debug,
        summary_seq=seen.summary.covered_seq,
    )


@pytest.mark.parametrize(
    ("answer", "summary"),
    [(ENGLISH.with_quotes_of(200), ENGLISH_SUMMARY), (CHINESE.with_quotes_of(70), CHINESE_SUMMARY)],
    ids=["en", "zh"],
)
def test_a_turn_costs_the_same_however_long_the_conversation_is(
    store, fill, table, answer: Answer, summary: str
) -> None:
    costs = []
    for rounds in (10, 500):
        conversation_id = store.get_or_create_conversation_id("ann", "s1")
        before = 2 * (rounds - 1)
        store.clear_messages(conversation_id)
        begun = int(table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "HEAD"})["Item"]["last_seq"])
        fill(conversation_id, before - 12)
        for _ in range(6):
            turn(store, answer)
        seen = store.summaries.find(conversation_id)
        assert store.summaries.extend(conversation_id, summary, begun + before - 8, seen)
        with Requests(table) as requests:
            turn(store, answer)
        assert requests.names == ["UpdateItem", "PutItem", "Query", "UpdateItem", "PutItem"]
        costs.append((requests.write_units, requests.read_units, requests.bytes))
    ((writes, reads),) = {(writes, reads) for writes, reads, _ in costs}
    assert writes == 4
    assert reads <= 1.5
    sizes = [size for *_, size in costs]
    assert max(sizes) < 1.1 * min(sizes)


def test_first_message_costs_three_writes_more_and_no_read(store, table) -> None:
    with Requests(table) as requests:
        store.begin("ann", "s1", "hello")
    assert requests.names == ["UpdateItem", "PutItem", "PutItem", "UpdateItem", "PutItem"]
    assert requests.write_units == 5


def test_asking_for_a_summary_costs_a_read_and_half_a_one(store, table, conversation_id) -> None:
    with Requests(table) as first:
        assert store.summaries.find(conversation_id) == Summary()
    assert (first.names, first.read_units) == (["GetItem", "GetItem"], 1.5)
    store.summaries.extend(conversation_id, ENGLISH_SUMMARY, 4, Summary())
    with Requests(table) as later:
        assert store.summaries.find(conversation_id).covered_seq == 4
    assert (later.names, later.read_units) == (["GetItem", "GetItem"], 1.5)
