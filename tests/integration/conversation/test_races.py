"""Many at once, on a table that takes requests side by side: what a table in process answers one by one."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from mypy_boto3_dynamodb.service_resource import Table

from clew.conversation.message import Feedback
from clew.conversation.pending import PendingIntent
from clew.conversation.running_answers import RunningAnswers
from clew.conversation.store import ConversationStore
from clew.conversation.summary import Summary
from clew.table_keys import conversation_pk, message_sk
from tests.integration.conversation.conftest import THREADS

CLEAR_WITHIN = 20.0  # seconds; the function has 25

Result = TypeVar("Result")


def at_once(work: Callable[[int], Result], times: int = THREADS) -> list[Result]:
    """Run ``work`` that often, all beginning together."""
    barrier = Barrier(times)

    def begin_together(number: int) -> Result:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin_together, range(times)))


def fill(table: Table, conversation_id: str, numbers: Iterable[int]) -> None:
    """Messages of some 700 bytes, as appending would have put them."""
    said = {"tenant_id": "acme", "role": "assistant", "content": "字" * 200, "token": "t", "created_at": "2026-03-01"}
    with table.batch_writer() as batch:
        for seq in numbers:
            batch.put_item(Item={"pk": conversation_pk(conversation_id), "sk": message_sk(seq), **said})


def test_fifty_first_messages_make_one_conversation_without_a_gap(store: ConversationStore) -> None:
    begun = at_once(lambda number: store.begin("first", "s1", f"m{number}"))
    (conversation_id,) = {each.conversation_id for each in begun}
    assert sorted(each.message.seq for each in begun) == list(range(1, 51))
    (listed,) = store.list_conversations("first").conversations
    assert (listed.conversation_id, listed.message_count) == (conversation_id, 50)
    assert [each.seq for each in store.list_messages(conversation_id, 100).messages] == list(range(1, 51))


def test_one_message_sent_fifty_times_is_one(store: ConversationStore) -> None:
    begun = at_once(lambda _: store.begin("same", "s1", "hello", client_message_id="m-1"))
    assert {each.message.seq for each in begun} == {1}
    assert [each.repeated for each in begun].count(False) == 1
    assert len(store.list_messages(begun[0].conversation_id).messages) == 1


def test_of_fifty_repeats_one_takes_over_what_nobody_gives_any_more(table: Table) -> None:
    running, conversation_id = RunningAnswers(table), f"c{'0' * 31}"
    running.follow(conversation_id, 1)
    assert at_once(lambda number: running.take_over(conversation_id, 1, f"{number:06x}", "")).count(True) == 1
    dead = running.wanted(conversation_id, 1).attempt
    later = at_once(lambda number: running.take_over(conversation_id, 1, f"a{number:05x}", dead))
    assert later.count(True) == 1
    assert running.beat(conversation_id, 1, dead) is None
    assert running.beat(conversation_id, 1, f"a{later.index(True):05x}") is not None


def test_of_fifty_replies_one_fills_the_slot(store: ConversationStore) -> None:
    conversation_id = store.get_or_create_conversation_id("reply", "s1")
    asked = PendingIntent(intent="deadline", asked_seq=1)
    store.pending.put(conversation_id, asked)
    assert at_once(lambda seq: store.pending.take(conversation_id, asked, 2 + seq)).count(True) == 1


def test_of_fifty_summaries_one_is_written(store: ConversationStore) -> None:
    conversation_id = store.get_or_create_conversation_id("summary", "s1")
    written = at_once(lambda number: store.summaries.extend(conversation_id, f"{number}", 4, Summary()))
    assert written.count(True) == 1
    assert store.summaries.find(conversation_id) == Summary(text=f"{written.index(True)}", covered_seq=4)


def test_five_thousand_messages_are_cleared_in_time_while_others_are_appended(
    store: ConversationStore, table: Table
) -> None:
    conversation_id = store.get_or_create_conversation_id("clear", "s1")
    fill(table, conversation_id, range(1, 5001))
    table.update_item(
        Key={"pk": conversation_pk(conversation_id), "sk": "HEAD"},
        UpdateExpression="SET last_seq = :last",
        ExpressionAttributeValues={":last": 5000},
    )
    with ThreadPoolExecutor(4) as pool:
        appending = [pool.submit(store.append_message, conversation_id, "user", f"m{number}") for number in range(20)]
        began = time.monotonic()
        removed = store.clear_messages(conversation_id)
        took = time.monotonic() - began
        appended = {each.result().seq for each in appending}
    assert took < CLEAR_WITHIN
    listed = store.list_messages(conversation_id, 100).messages
    last = store.begin("clear", "s1", "after").cleared_seq
    assert removed >= 5000
    assert [each.seq for each in listed] == sorted(seq for seq in appended if seq > last)
    assert store.clear_messages(conversation_id) >= len(listed) + 1


def test_feedback_is_listed_through_the_index_that_the_stack_deploys(store: ConversationStore, table: Table) -> None:
    begun = store.begin("judge", "s1", "谁导演的？")
    debug = {"route": {"worker_name": "movie:graph_agent:retrieve_only"}}
    answer = store.append_message(begun.conversation_id, "assistant", "李安", debug=debug)
    for is_positive in (True, False):
        store.put_feedback(begun.conversation_id, Feedback(message_id=answer.message_id, is_positive=is_positive))
    judged = store.list_messages(begun.conversation_id).messages[-1].feedback
    assert judged is not None
    day = judged.created_at[:10]
    assert store.feedback.list("graph_agent", day).feedback == (judged,)
    store.clear_messages(begun.conversation_id)
    assert store.feedback.list("graph_agent", day).feedback == ()
