"""The follow-up state lives for a day by the clock, not by DynamoDB's cleaning, and is filled once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.conversation.pending import PendingIntent, PendingIntents
from clew.routing.intent import Slot

YEAR = Slot(name="year", question="Which year?", question_zh="哪一年？", values=("2025", "2026 | 二〇二六"))
ASKED = PendingIntent(
    intent="deadline",
    kb_prefix="edu",
    agent_type="graph_agent",
    original_query="转专业的截止日期是哪天？",
    known={"programme": "计算机科学"},
    missing=(YEAR,),
    ask_user_count=2,
    unanswered=1,
    asked_seq=7,
)


@pytest.fixture
def pending(table, clock) -> PendingIntents:
    return PendingIntents(table, "acme", clock)


def test_open_question_is_found_whole_until_it_is_dropped(pending, conversation_id) -> None:
    assert pending.find(conversation_id) is None
    pending.put(conversation_id, ASKED)
    assert pending.find(conversation_id) == ASKED
    pending.drop(conversation_id)
    assert pending.find(conversation_id) is None


def test_later_question_replaces_the_earlier(pending, conversation_id) -> None:
    pending.put(conversation_id, PendingIntent(intent="first"), 3)
    pending.put(conversation_id, PendingIntent(intent="second"), 5)
    assert pending.find(conversation_id) == PendingIntent(intent="second", asked_seq=5)


def test_question_is_gone_after_a_day_though_its_item_is_still_there(pending, table, clock, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    clock.move(hours=23, minutes=59)
    assert pending.find(conversation_id) is not None
    clock.move(minutes=1)
    assert pending.find(conversation_id) is None
    assert not pending.take(conversation_id, ASKED, 9)
    item = table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "PENDING"})["Item"]
    assert item["expires_at"] == int(clock.now.timestamp())  # seconds, as DynamoDB's TTL wants them


def test_another_tenant_neither_sees_nor_takes_it(pending, table, clock, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    other = PendingIntents(table, "other", clock)
    assert other.find(conversation_id) is None
    assert not other.take(conversation_id, ASKED, 9)


@pytest.mark.usefixtures("one_at_a_time")
def test_of_many_replies_at_once_one_takes_it(pending, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda seq: pending.take(conversation_id, ASKED, seq), range(9, 25)))
    assert taken.count(True) == 1


def test_a_repeated_reply_takes_it_again_and_another_only_when_its_turn_must_have_died(
    pending, clock, conversation_id
) -> None:
    pending.put(conversation_id, ASKED)
    assert pending.take(conversation_id, ASKED, 9)
    assert pending.take(conversation_id, ASKED, 9)
    clock.move(seconds=59)
    assert not pending.take(conversation_id, ASKED, 11)
    clock.move(seconds=1)
    assert pending.take(conversation_id, ASKED, 11)


def test_a_reply_whose_turn_broke_off_gives_the_question_back_at_once(pending, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    assert pending.take(conversation_id, ASKED, 9)
    pending.release(conversation_id, ASKED, 9)
    assert pending.take(conversation_id, ASKED, 11)
    assert pending.find(conversation_id) == ASKED


def test_only_its_own_claim_is_given_back(pending, table, clock, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    assert pending.take(conversation_id, ASKED, 11)
    pending.release(conversation_id, ASKED, 9)
    pending.release(conversation_id, ASKED.model_copy(update={"asked_seq": 5}), 11)
    PendingIntents(table, "other", clock).release(conversation_id, ASKED, 11)
    assert not pending.take(conversation_id, ASKED, 13)


def test_giving_back_a_closed_question_opens_none(pending, table, conversation_id) -> None:
    pending.release(conversation_id, ASKED, 9)
    assert "Item" not in table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "PENDING"})


def test_what_has_been_asked_anew_can_be_taken_and_the_old_question_cannot(pending, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    assert pending.take(conversation_id, ASKED, 9)
    pending.put(conversation_id, ASKED, 9)
    assert not pending.take(conversation_id, ASKED, 11)
    assert pending.take(conversation_id, pending.find(conversation_id), 11)


def test_closed_question_cannot_be_taken(pending, conversation_id, table) -> None:
    assert not pending.take(conversation_id, ASKED, 9)
    assert "Item" not in table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "PENDING"})


def test_dropping_one_question_leaves_a_later_one(pending, conversation_id) -> None:
    pending.put(conversation_id, ASKED)
    pending.put(conversation_id, ASKED, 9)
    pending.drop(conversation_id, ASKED)
    assert pending.find(conversation_id).asked_seq == 9
    pending.drop(conversation_id, pending.find(conversation_id))
    assert pending.find(conversation_id) is None
    pending.drop(conversation_id, ASKED)


@pytest.mark.parametrize("state", ['{"intent": 7}', "no JSON", None])
def test_one_that_cannot_be_read_is_as_none(pending, table, conversation_id, state: str | None) -> None:
    pending.put(conversation_id, ASKED)
    table.update_item(
        Key={"pk": f"CONV#{conversation_id}", "sk": "PENDING"},
        **(
            {"UpdateExpression": "SET #s = :state", "ExpressionAttributeValues": {":state": state}}
            if state
            else {"UpdateExpression": "REMOVE #s"}
        ),
        ExpressionAttributeNames={"#s": "state"},
    )
    assert pending.find(conversation_id) is None
