"""Keeping memory: turns are indexed, summaries extended, however often and in whatever order one hears of them."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from clew.conversation.change import Cleared
from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.errors import GraphUnavailableError, ModelError, ModelThrottledError
from clew.memory import keeper as keeping_memory
from clew.memory.episode import Episode
from clew.memory.keeper import Kept, MemoryKeeper
from clew.memory.long_term import LongTermMemoryError
from tests.unit.memory.keeping import HandClock, NotedEpisodes, NotedUsers, NotingSummariser, Talk, keeper_of


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def store(table: Any, clock: HandClock) -> ConversationStore:
    return ConversationStore(table, "acme", clock)


@pytest.fixture
def talk(store: ConversationStore) -> Talk:
    return Talk(store)


@pytest.fixture
def episodes() -> NotedEpisodes:
    return NotedEpisodes()


@pytest.fixture
def summariser() -> NotingSummariser:
    return NotingSummariser()


@pytest.fixture
def users() -> NotedUsers:
    return NotedUsers()


@pytest.fixture
def keeper(store, episodes, summariser, users, clock) -> MemoryKeeper:
    return keeper_of(store, episodes, summariser, long_term_memory=lambda: users, clock=clock)


@pytest.fixture
def requests(table: Any) -> list[str]:
    """The operations that the table is asked for from now on."""
    asked: list[str] = []
    table.meta.client.meta.events.register("before-call.dynamodb", lambda model, **_: asked.append(model.name))
    return asked


def numbers(first: int, last: int) -> str:
    return " ".join(map(str, range(first, last + 1)))


def follow(keeper: MemoryKeeper, changes: Sequence[Message | Cleared]) -> Kept:
    """Take in all of them; what they came to together."""
    total = Kept()
    for change in changes:
        kept = keeper.take_in(change)
        for name in Kept.__slots__:
            setattr(total, name, getattr(total, name) + getattr(kept, name))
    return total


# What is a turn


def test_a_finished_turn_becomes_an_episode(keeper, talk, episodes) -> None:
    talk.user("谁导演了它？")
    about = {"question": "谁导演了《卧虎藏龙》？", "said": "谁导演了它？"}
    focus = {"asked": ["卧虎藏龙"], "answered": ["李安", "卧虎藏龙"]}
    answer = talk.assistant("《卧虎藏龙》由李安执导[1]。", {**about, "focus": focus})
    assert follow(keeper, talk.changes).indexed == 1
    assert episodes.stored == {
        (talk.id, 2): Episode(
            conversation_id=talk.id,
            seq=2,
            question="谁导演了《卧虎藏龙》？",
            said="谁导演了它？",
            answer="《卧虎藏龙》由李安执导。",
            created_at=answer.created_at,
            names=("卧虎藏龙", "李安"),
        )
    }


def test_no_turn_ends_with_a_question_an_asking_back_or_an_answer_that_broke_off(keeper, talk, episodes) -> None:
    talk.user("When is the deadline?")
    talk.assistant("Which programme?", {"question": "When is the deadline?"}, is_ask_user=True, pending_intent="x")
    talk.user("Economics")
    talk.assistant("It is in", {"question": "When is the deadline?", "partial": True, "why": "ClientGone"})
    talk.assistant(" [1] ", {"question": "When is the deadline?"})
    assert follow(keeper, talk.changes).indexed == 0
    talk.assistant("In May.", {"question": "When is the deadline for Economics?"})
    assert follow(keeper, talk.changes).indexed == 1
    assert episodes.numbers() == [6]


# When there is a summary


def test_the_summary_begins_with_ten_messages_and_leaves_the_last_six(keeper, talk, summariser) -> None:
    follow(keeper, talk.turns(4))
    assert talk.summary() == ("", 0)
    follow(keeper, talk.turns(1))
    assert talk.summary() == (numbers(1, 4), 4)
    follow(keeper, talk.turns(2))
    assert talk.summary() == (numbers(1, 4), 4), "four messages between summary and window wait"
    follow(keeper, talk.turns(1))
    assert talk.summary() == (numbers(1, 10), 10)
    assert summariser.read == [[1, 2, 3, 4], [5, 6, 7, 8, 9, 10]], "each message is read once"


def test_between_summary_and_the_newest_there_are_six_to_eleven_messages(keeper, talk) -> None:
    verbatim = []
    for _ in range(18):
        follow(keeper, talk.turns(1))
        text, covered = talk.summary()
        assert text == numbers(1, covered)
        verbatim.append(len(talk.changes) - covered)
    assert set(verbatim[4:]) == {6, 8, 10}


def test_nothing_is_read_while_no_summary_can_be_due(store, episodes, summariser, talk, requests) -> None:
    keeper = keeper_of(store, episodes, summariser)
    for turn in range(1, 9):
        changes = talk.turns(1)
        requests.clear()
        follow(keeper, changes)
        due = ["GetItem", "GetItem", "Query", "UpdateItem"]  # the summary, the head, the messages
        assert requests == (due if turn in {5, 8} else []), turn


def test_a_summary_that_lags_catches_up_in_steps(keeper, talk, summariser, monkeypatch) -> None:
    monkeypatch.setattr(keeping_memory, "MOST_AT_ONCE", 8)
    follow(keeper, talk.turns(12)[-1:])
    assert talk.summary() == (numbers(1, 8), 8)
    for _ in range(2):
        follow(keeper, talk.turns(1))
    assert talk.summary() == (numbers(1, 22), 22)
    assert [len(read) for read in summariser.read] == [8, 8, 6]


def test_after_a_clear_the_summary_begins_anew(keeper, talk, episodes) -> None:
    follow(keeper, talk.turns(6))
    talk.store.clear_messages(talk.id)
    assert follow(keeper, [Cleared(talk.id, 12)]).forgotten == 6
    follow(keeper, talk.turns(4))
    assert talk.summary() == ("", 12)
    follow(keeper, talk.turns(1))
    assert talk.summary() == (numbers(13, 16), 16)
    assert episodes.numbers() == [14, 16, 18, 20, 22]


def break_off_clear(talk: Talk, table: Any) -> None:
    """A clear that breaks off after its first step, the head's."""
    table.update_item(
        Key={"pk": f"CONV#{talk.id}", "sk": "HEAD"},
        UpdateExpression="SET cleared_seq = last_seq, recent = :none",
        ExpressionAttributeValues={":none": {}},
    )


def test_after_a_clear_that_broke_off_the_summary_begins_anew(keeper, talk, table) -> None:
    follow(keeper, talk.turns(6))
    break_off_clear(talk, table)
    follow(keeper, talk.turns(5))
    assert talk.summary() == (numbers(13, 16), 16)
    follow(keeper, talk.turns(3))
    assert talk.summary() == (numbers(13, 22), 22)


def test_an_answer_to_a_question_that_was_cleared_leaves_nothing(keeper, talk, episodes, users) -> None:
    """Of two answers after a clear, the first replies to a message from before it."""
    talk.user("A secret?")
    talk.user("Another secret?")
    talk.store.clear_messages(talk.id)
    about = {"question": "A secret?"}
    kept = follow(
        keeper,
        [Cleared(talk.id, 2), talk.assistant("Yes.", about), talk.assistant("No.", about | {"in_reply_to": 2})],
    )
    assert (kept.indexed, episodes.stored, users.told) == (0, {}, [])
    talk.user("And now?")
    assert follow(keeper, [talk.assistant("Well.", {"question": "And now?", "in_reply_to": 5})]).indexed == 1


def test_only_so_many_clears_are_noted(keeper, talk, episodes, monkeypatch) -> None:
    monkeypatch.setattr(keeping_memory, "CLEARS_NOTED", 2)
    talk.turns(1)
    follow(keeper, [Cleared(f"c{number:031d}", 2) for number in range(3)])
    assert list(keeper._cleared) == [f"c{number:031d}" for number in (1, 2)]


def test_users_are_not_remembered_by_an_answer_alone(keeper, talk, users) -> None:
    talk.user("A secret?")
    talk.store.clear_messages(talk.id)  # of which the keeper has not heard yet
    assert follow(keeper, [talk.assistant("Yes.", {"question": "A secret?"})]).indexed == 1
    assert users.told == []


# A number without a message, and a message that cannot be read


def lose_number(talk: Talk, table: Any) -> None:
    """The head has given a number out, and its message is not written."""
    head = {"pk": f"CONV#{talk.id}", "sk": "HEAD"}
    table.update_item(
        Key=head, UpdateExpression="SET last_seq = last_seq + :one", ExpressionAttributeValues={":one": 1}
    )


def test_a_message_that_is_being_written_is_waited_for(keeper, talk, table, clock) -> None:
    talk.turns(1)
    lose_number(talk, table)
    follow(keeper, talk.turns(5))
    assert talk.summary() == (numbers(1, 2), 2)
    clock.move(minutes=16)
    follow(keeper, talk.turns(1))
    assert talk.summary() == ("1 2 4 5 6 7 8 9", 9), "nobody writes it any more"


def test_a_message_that_cannot_be_read_does_not_hold_up_the_summary(keeper, talk, table, clock, caplog) -> None:
    talk.turns(3)
    table.update_item(
        Key={"pk": f"CONV#{talk.id}", "sk": "MSG#0000000003"},
        UpdateExpression="SET packed = :unknown",
        ExpressionAttributeValues={":unknown": b"\xff" * 9},
    )
    clock.move(minutes=16)
    follow(keeper, talk.turns(5)[-2:])
    assert talk.summary() == ("1 2 4 5 6 7 8 9 10", 10)
    assert any("message left out" in message for message in caplog.messages)


# Deliveries that repeat, mix up, fail and overtake each other


def test_what_is_delivered_again_changes_nothing(keeper, talk, episodes, summariser, users) -> None:
    changes = [change for change in talk.turns(12) for _ in range(3)]
    follow(keeper, changes)
    before = talk.summary(), dict(episodes.stored), list(users.told)
    again = follow(keeper, changes)
    assert (talk.summary(), episodes.stored, users.told) == before
    assert (again.indexed, again.summarised) == (0, 0)
    assert sorted(seq for read in summariser.read for seq in read) == list(range(1, 17))


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_or_read_twice_in_any_order_with_any_failures(
    keeper, talk, episodes, summariser, seed: int
) -> None:
    """Deliveries out of order, some of which fail and come again, until all have been taken in."""
    chance = random.Random(seed)  # noqa: S311

    def trip(error: Exception) -> None:
        if chance.random() < 0.3:
            raise error

    episodes.fails = lambda _: trip(GraphUnavailableError("down"))
    summariser.meanwhile = lambda: trip(ModelThrottledError("busy"))
    waiting = talk.turns(13)
    while waiting:
        change = waiting.pop(chance.randrange(min(len(waiting), 9)))
        try:
            keeper.take_in(change)
        except (GraphUnavailableError, ModelThrottledError):
            waiting.insert(chance.randrange(len(waiting) + 1), change)
    assert episodes.numbers() == list(range(2, 27, 2))
    text, covered = talk.summary()
    assert text == numbers(1, covered)
    assert 16 <= covered <= 20


def test_two_that_summarise_at_once_store_one_summary(store, talk, episodes) -> None:
    """The second takes in the same message, and more, while the first one's model is still writing."""
    talk.turns(5)
    slow, quick = NotingSummariser(), NotingSummariser()
    other = keeper_of(store, episodes, quick)
    slow.meanwhile = lambda: other.take_in(talk.changes[-1])  # type: ignore[assignment]
    assert keeper_of(store, episodes, slow).take_in(talk.changes[-1]).summarised == 0
    assert quick.read == [[1, 2, 3, 4]]
    assert talk.summary() == (numbers(1, 4), 4)
    assert episodes.numbers() == [2, 4, 10]


def test_a_clear_while_the_summary_is_written_wins(keeper, talk, summariser) -> None:
    talk.turns(5)
    summariser.meanwhile = lambda: talk.store.clear_messages(talk.id)  # type: ignore[assignment]
    assert keeper.take_in(talk.changes[-1]).summarised == 0
    assert talk.summary() == ("", 10)


def test_a_message_that_comes_after_its_clear_leaves_nothing(keeper, talk, episodes) -> None:
    changes = talk.turns(6)
    talk.store.clear_messages(talk.id)
    follow(keeper, [*changes[:6], Cleared(talk.id, 12), *changes[6:]])
    assert episodes.stored == {}
    assert talk.summary() == ("", 12)


def test_turns_whose_records_were_lost_are_made_up_for(keeper, talk, episodes, users) -> None:
    changes = talk.turns(5)
    kept = follow(keeper, changes[8:])
    assert (kept.indexed, kept.recovered) == (3, 2)
    assert episodes.numbers() == [2, 4, 10]
    follow(keeper, talk.turns(3))
    assert episodes.numbers() == [2, 4, 6, 8, 10, 12, 14, 16]
    assert len(users.told) == 8


def test_a_turn_that_cannot_be_stored_does_not_hold_up_the_summary(keeper, talk, episodes, caplog) -> None:
    def fail(new: Sequence[Episode]) -> None:
        if any(episode.seq == 2 for episode in new):
            raise ModelError("no vector")

    episodes.fails = fail
    changes = talk.turns(5)
    with pytest.raises(ModelError):
        keeper.take_in(changes[1])
    follow(keeper, changes[2:])
    assert talk.summary() == (numbers(1, 4), 4)
    assert episodes.numbers() == [4, 6, 8, 10]
    assert "turns not recovered: ModelError" in caplog.messages


def test_a_graph_that_is_down_holds_up_the_summary_too(keeper, talk, episodes, summariser) -> None:
    episodes.fails = lambda _: (_ for _ in ()).throw(GraphUnavailableError("down"))
    with pytest.raises(GraphUnavailableError):
        keeper.take_in(talk.turns(5)[-1])
    assert summariser.read == []


# Who summarises


def test_a_model_that_is_busy_fails_the_record_which_comes_again(keeper, talk, summariser) -> None:
    def busy() -> None:
        summariser.meanwhile = lambda: None
        raise ModelThrottledError("busy")

    changes = talk.turns(5)
    summariser.meanwhile = busy
    with pytest.raises(ModelThrottledError):
        follow(keeper, changes)
    assert talk.summary() == ("", 0)
    assert follow(keeper, changes[-1:]).summarised == 1
    assert talk.summary() == (numbers(1, 4), 4)


# What is kept of users


def test_long_term_memory_is_told_of_the_whole_turn_once(keeper, talk, users) -> None:
    talk.turns(1)
    talk.user("When is the deadline?")
    talk.assistant("Which programme?", {"question": "When is the deadline?"}, is_ask_user=True, pending_intent="x")
    talk.user("Economics, I study there.")
    talk.assistant("In May.", {"question": "When is the deadline for Economics?"})
    follow(keeper, [*talk.changes, talk.changes[-1]])
    assert users.told == [
        ("acme", "ann", ["Question 1?", "Answer 1."]),
        ("acme", "ann", ["When is the deadline?", "Which programme?", "Economics, I study there.", "In May."]),
    ]


def test_a_long_term_memory_that_fails_is_counted_and_fails_nothing(keeper, talk, users, episodes, caplog) -> None:
    users.fails = lambda: (_ for _ in ()).throw(LongTermMemoryError("mem0 does not answer."))
    kept = follow(keeper, talk.turns(5))
    assert (kept.indexed, kept.not_remembered, kept.summarised) == (5, 5, 1)
    assert episodes.numbers() == [2, 4, 6, 8, 10]
    assert set(caplog.messages) == {"not remembered: LongTermMemoryError"}


def test_without_long_term_memory_nobody_reads_for_it(store, episodes, summariser, talk, requests) -> None:
    keeper = keeper_of(store, episodes, summariser, long_term_memory=lambda: None)
    changes = talk.turns(2)
    requests.clear()
    assert follow(keeper, changes).indexed == 2
    assert requests == []


def test_tenants_do_not_see_each_other(table, clock, episodes, summariser) -> None:
    mine, other = (Talk(ConversationStore(table, tenant, clock)) for tenant in ("acme", "other"))
    others_answer = other.turns(5)[-1]
    follow(keeper_of(mine.store, episodes, summariser), [others_answer])
    assert summariser.read == []
    assert other.summary() == ("", 0)
