"""The follow-up state lives for a day by the clock, not by DynamoDB's cleaning."""

from clew.conversation.pending import PendingIntent, PendingIntents


def test_open_question_is_found_until_it_is_dropped(table, clock, conversation_id) -> None:
    pending = PendingIntents(table, "acme", clock)
    assert pending.find(conversation_id) is None
    asked = PendingIntent(intent="选课", known={"course": "数据结构", "weight": 0.5})
    pending.put(conversation_id, asked)
    assert pending.find(conversation_id) == asked
    pending.drop(conversation_id)
    assert pending.find(conversation_id) is None


def test_later_question_replaces_the_earlier(table, clock, conversation_id) -> None:
    pending = PendingIntents(table, "acme", clock)
    pending.put(conversation_id, PendingIntent(intent="first"))
    pending.put(conversation_id, PendingIntent(intent="second"))
    assert pending.find(conversation_id) == PendingIntent(intent="second")


def test_question_is_gone_after_a_day_though_its_item_is_still_there(table, clock, conversation_id) -> None:
    pending = PendingIntents(table, "acme", clock)
    pending.put(conversation_id, PendingIntent(intent="ask"))
    clock.move(hours=23, minutes=59)
    assert pending.find(conversation_id) is not None
    clock.move(minutes=1)
    assert pending.find(conversation_id) is None
    item = table.get_item(Key={"pk": f"CONV#{conversation_id}", "sk": "PENDING"})["Item"]
    assert item["expires_at"] == int(clock.now.timestamp())  # seconds, as DynamoDB's TTL wants them


def test_another_tenant_does_not_see_it(table, clock, conversation_id) -> None:
    PendingIntents(table, "acme", clock).put(conversation_id, PendingIntent(intent="ask"))
    assert PendingIntents(table, "other", clock).find(conversation_id) is None
