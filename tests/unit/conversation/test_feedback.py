"""Feedback stays with the message that it judges, and is listed by agent and day."""

import pytest

from clew.conversation.feedback import FeedbackStore
from clew.conversation.message import Feedback
from clew.errors import InvalidRequestError, MessageNotFoundError

DAY = "2026-03-01"


def item_count(table) -> int:
    return table.scan(Select="COUNT")["Count"]


@pytest.fixture
def answer(store, conversation_id) -> str:
    """The id of an answer that a worker found."""
    debug = {"route": {"worker_name": "movie:graph_agent:retrieve_only"}}
    return store.append_message(conversation_id, "assistant", "李安 [1]", debug=debug).message_id


def test_feedback_is_listed_with_its_message_and_the_later_replaces(store, conversation_id) -> None:
    messages = [store.append_message(conversation_id, "assistant", f"a{number}") for number in range(3)]
    judged = Feedback(
        message_id=messages[1].message_id,
        is_positive=False,
        query="谁?",
        thread_id="s1",
        agent_type="hybrid_agent",
        metadata={"score": 0.5, "why": ["x"]},
    )
    store.put_feedback(conversation_id, judged.model_copy(update={"is_positive": True}))
    store.put_feedback(conversation_id, judged)
    listed = store.list_messages(conversation_id).messages
    assert [each.feedback is None for each in listed] == [True, False, True]
    assert listed[1].feedback == judged.model_copy(update={"created_at": f"{DAY}T12:00:00.000+00:00"})


def test_feedback_on_a_message_that_is_not_there_is_refused(store, conversation_id, table) -> None:
    other = store.append_message(store.get_or_create_conversation_id("ann", "s2"), "user", "x")
    count = item_count(table)
    for message_id in (f"{conversation_id}.0000000007", other.message_id, "nonsense", ""):
        with pytest.raises(MessageNotFoundError):
            store.put_feedback(conversation_id, Feedback(message_id=message_id, is_positive=True))
    assert item_count(table) == count


def test_without_an_agent_type_it_is_that_of_the_answers_route(store, conversation_id, answer) -> None:
    general = store.append_message(conversation_id, "assistant", "Hello.", debug={"route": {"worker_name": ""}})
    for message_id in (answer, general.message_id):
        store.put_feedback(conversation_id, Feedback(message_id=message_id, is_positive=True))
    assert [each.message_id for each in store.feedback.list("graph_agent", DAY).feedback] == [answer]
    assert [each.message_id for each in store.feedback.list("general", DAY).feedback] == [general.message_id]


def test_changed_judgement_is_listed_once_as_it_is_now(store, conversation_id, clock, answer) -> None:
    store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=True))
    clock.move(days=1)
    store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=False, query="谁导演的？"))
    assert store.feedback.list("graph_agent", DAY).feedback == ()
    (listed,) = store.feedback.list("graph_agent", "2026-03-02").feedback
    assert (listed.is_positive, listed.query) == (False, "谁导演的？")


def test_a_day_is_listed_page_by_page_newest_first(store, conversation_id, clock) -> None:
    judged = []
    for number in range(5):
        clock.move(seconds=number % 2)  # some at the same moment
        message = store.append_message(conversation_id, "assistant", f"a{number}")
        store.put_feedback(conversation_id, Feedback(message_id=message.message_id, is_positive=True))
        judged.append(message.message_id)
    seen: list[str] = []
    cursor = ""
    for size in (2, 2, 1):
        page = store.feedback.list("general", DAY, limit=2, cursor=cursor)
        assert len(page.feedback) == size
        seen += [each.message_id for each in page.feedback]
        cursor = page.next_cursor
    assert (seen, cursor) == (judged[::-1], "")


def test_tenants_see_their_own(store, table, clock, conversation_id, answer) -> None:
    store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=True))
    assert FeedbackStore(table, "other", clock).list("graph_agent", DAY).feedback == ()


def test_cleared_conversation_leaves_nothing_in_the_list(store, conversation_id, answer) -> None:
    store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=False, query="a private question"))
    store.clear_messages(conversation_id)
    assert store.feedback.list("graph_agent", DAY).feedback == ()


def test_judgement_that_comes_while_all_is_cleared_does_not_stay(store, table, conversation_id, answer) -> None:
    events = table.meta.client.meta.events

    def clear_meanwhile(params, **_) -> None:
        if b"is_positive" in params["body"]:
            events.unregister("before-call.dynamodb.PutItem", clear_meanwhile)
            store.clear_messages(conversation_id)

    events.register("before-call.dynamodb.PutItem", clear_meanwhile)
    with pytest.raises(MessageNotFoundError):
        store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=False, query="private"))
    assert not [item for item in table.scan()["Items"] if item["sk"].startswith("FEEDBACK#")]


@pytest.mark.parametrize("agent_type", ["a#b", "a b", "代理", "x" * 129])
def test_agent_type_that_could_forge_a_key_is_refused(store, table, conversation_id, answer, agent_type: str) -> None:
    count = item_count(table)
    with pytest.raises(InvalidRequestError):
        store.put_feedback(conversation_id, Feedback(message_id=answer, is_positive=True, agent_type=agent_type))
    with pytest.raises(InvalidRequestError):
        store.feedback.list(agent_type, DAY)
    assert item_count(table) == count


@pytest.mark.parametrize("day", ["", "today", "2026-3-1", "20260301", "2026-02-30", "2026-03-01T00:00"])
def test_day_must_be_one(store, day: str) -> None:
    with pytest.raises(InvalidRequestError):
        store.feedback.list("graph_agent", day)


def test_cursor_must_be_of_the_day(store) -> None:
    with pytest.raises(InvalidRequestError):
        store.feedback.list("graph_agent", DAY, cursor="2026-02-28T12:00:00.000+00:00#c.1")
    with pytest.raises(InvalidRequestError):
        store.feedback.list("graph_agent", DAY, limit=0)
