"""What a turn remembers: summary, window and episodes, within the one read of the conversation."""

from typing import Any

import pytest

from clew.answering.events import Event, ExecutionLog
from clew.answering.turn import recalling, searching
from clew.conversation.store import ConversationStore
from clew.conversation.summary import Summary
from clew.errors import GraphUnavailableError, ModelUnavailableError
from clew.memory.episode import Episode
from tests.unit.answering.stage import GENERAL, Model, Recalled, Stage, request, statuses


def episode(seq: int, question: str = "What is a clew?", answer: str = "A ball of thread.") -> Episode:
    return Episode("c", seq, question, answer, "2026-03-04T10:00:00.000+00:00")


def logged(events: list[Event], node: str) -> dict[str, Any]:
    (found,) = [each.content for each in events if isinstance(each, ExecutionLog) and each.content.node == node]
    return found.output


def say(stage: Stage, messages: int) -> ConversationStore:
    """A conversation of so many messages, user and assistant by turns."""
    store = ConversationStore(stage.table, "acme")
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    for number in range(1, messages + 1):
        store.append_message(conversation_id, "user" if number % 2 else "assistant", f"Message {number}.")
    return store


def summarise(store: ConversationStore, text: str, covered: int) -> None:
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    assert store.summaries.extend(conversation_id, text, covered, store.summaries.find(conversation_id))


async def test_summary_and_window_meet_without_a_gap(stage: Stage) -> None:
    store = say(stage, 14)
    summarise(store, "- Her name is Ann.", 6)
    await stage.events()
    prompt = stage.model.prompts[-1]
    assert prompt.summary == "- Her name is Ann."
    assert [message.content for message in prompt.history] == [f"Message {number}." for number in range(7, 15)]


async def test_older_turns_are_recalled_by_the_question_that_stands_alone(stage: Stage) -> None:
    summarise(say(stage, 14), "- Her name is Ann.", 6)
    stage.episodes = Recalled(episode(2), episode(4))
    events = await stage.events("Who directed Inception?", debug=True)
    assert stage.episodes.asked == [("Who directed Inception?", 0, 15)]
    assert [each.seq for each in stage.model.prompts[-1].episodes] == [2, 4]
    assert [each["seq"] for each in logged(events, "recall")["episodes"]] == [2, 4]


async def test_nothing_is_recalled_while_all_is_in_the_window(stage: Stage) -> None:
    say(stage, 8)
    stage.episodes = Recalled(episode(2))
    await stage.events()
    assert stage.episodes.asked == []


async def test_nothing_from_before_a_clear_comes_back(stage: Stage) -> None:
    store = say(stage, 14)
    summarise(store, "- Her name is Ann.", 6)
    store.clear_messages(store.get_or_create_conversation_id("ann", "s1"))
    stage.episodes = Recalled(episode(2))
    await stage.events()
    prompt = stage.model.prompts[-1]
    assert (prompt.summary, prompt.history, prompt.episodes) == ("", (), ())


@pytest.mark.parametrize("error", [GraphUnavailableError("The graph does not answer."), RuntimeError("a defect")])
async def test_a_recall_that_breaks_costs_the_turn_nothing(stage: Stage, error: Exception) -> None:
    summarise(say(stage, 14), "", 6)
    stage.episodes = Recalled(error=error)
    events = await stage.events()
    assert statuses(events)[-1] == "done"
    assert stage.model.prompts[-1].episodes == ()


async def test_a_recall_that_is_slow_is_left_behind(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalling, "GRACE", 0.01)
    summarise(say(stage, 14), "", 6)
    stage.episodes = Recalled(episode(2), seconds=0.3)
    assert statuses(await stage.events())[-1] == "done"
    assert stage.model.prompts[-1].episodes == ()


async def test_general_talk_remembers_too(stage: Stage) -> None:
    summarise(say(stage, 14), "- Her name is Ann.", 6)
    stage.workflow.outcome, stage.episodes = GENERAL, Recalled(episode(2))
    await stage.events("What is my name?")
    prompt = stage.model.prompts[-1]
    assert (prompt.summary, len(prompt.episodes), len(prompt.history)) == ("- Her name is Ann.", 1, 8)


async def test_the_answer_notes_how_far_the_summary_went(stage: Stage) -> None:
    summarise(say(stage, 14), "- Her name is Ann.", 6)
    await stage.events()
    assert stage.stored()[-1].summary_seq == 6


class UserMemory:
    """Facts about one user of one tenant."""

    def __init__(self, *facts: str, error: Exception | None = None) -> None:
        self.facts = facts
        self.error = error
        self.asked: list[tuple[str, str, str]] = []

    def recall(self, tenant_id: str, user_id: str, question: str) -> tuple[str, ...]:
        self.asked.append((tenant_id, user_id, question))
        if self.error:
            raise self.error
        return self.facts

    def remember(self, tenant_id: str, user_id: str, messages: Any) -> None:
        raise AssertionError("a turn writes nothing to long-term memory")


async def test_what_is_known_of_the_user_reaches_the_prompt(stage: Stage) -> None:
    stage.long_term_memory = memory = UserMemory("Ann studies marine science.")
    await stage.events()
    assert memory.asked == [("acme", "ann", "Who directed Inception?")]
    assert stage.model.prompts[-1].known_of_user == ("Ann studies marine science.",)


async def test_long_term_memory_that_breaks_never_fails_a_turn(stage: Stage) -> None:
    stage.long_term_memory = UserMemory(error=ModelUnavailableError("mem0 does not answer."))
    assert statuses(await stage.events())[-1] == "done"


async def test_both_questions_and_what_was_kept_of_the_context_are_in_the_log(stage: Stage) -> None:
    await stage.events()
    events = await stage.events("Where was he born?", debug=True)
    rewritten = [each.content for each in events if isinstance(each, ExecutionLog) and each.content.node == "rewrite"]
    assert [(each.input["message"], each.output["question"]) for each in rewritten] == [
        ("Where was he born?", "Where was Christopher Nolan born?")
    ]
    parts = logged(events, "context")["parts"]
    assert parts["window"]["kept"] == parts["window"]["given"] == 1
    assert parts["evidence"]["kept"] == 2


async def test_an_older_turn_helps_a_message_that_points_back(stage: Stage) -> None:
    summarise(say(stage, 14), "", 6)
    old = Episode("c", 2, "Who directed Inception?", "Christopher Nolan.", "2026-03-04T10:00:00Z", names=("Inception",))
    stage.episodes = Recalled(old)
    stage.model = Model("Hans Zimmer [1].")
    await stage.events("Who composed the film we talked about at the beginning?")
    assert "Inception" in stage.workflow.asked[-1].message


def test_the_stage_stores_summaries_as_the_memory_function_does(stage: Stage) -> None:
    store = say(stage, 14)
    summarise(store, "- Her name is Ann.", 6)
    found = store.summaries.find(store.get_or_create_conversation_id("ann", "s1"))
    assert found == Summary(text="- Her name is Ann.", covered_seq=6)


async def test_a_message_that_is_sent_again_gets_the_stored_answer(stage: Stage) -> None:
    first = await stage.events(client_message_id="m1")
    stage.model = Model("Somebody else [1].")
    again = await stage.events(client_message_id="m1")
    assert statuses(again) == ["start", "token", "done"]
    assert again[-1] == first[-1]
    assert len(stage.stored()) == 2
    assert len(stage.workflow.asked) == 1


async def test_ids_that_look_like_an_answers_lose_no_message(stage: Stage) -> None:
    for number, client_id in enumerate(("m", "m.answer", "x" * 124, "x" * 123 + "y")):
        await stage.events(f"Who directed film {number}?", client_message_id=client_id)
    assert [message.role for message in stage.stored()] == ["user", "assistant"] * 4


async def test_what_is_cleared_while_it_is_answered_leaves_no_answer(stage: Stage) -> None:
    store = ConversationStore(stage.table, "acme")
    stream = stage.turn().stream(request("Who directed Inception?"))
    ended = []
    async for event in stream:
        ended.append(event.status)
        if event.status == "token" and ended.count("token") == 1:
            store.clear_messages(store.get_or_create_conversation_id("ann", "s1"))
    assert (ended[-1], ended.count("error")) == ("error", 1)
    assert stage.stored() == []


async def test_a_message_that_points_back_does_not_wait_for_a_slow_graph(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "BEFORE_LOOK_UP", 0.05)
    monkeypatch.setattr(recalling, "GRACE", 0.01)
    summarise(say(stage, 14), "", 6)
    stage.episodes = Recalled(episode(2), seconds=0.5)
    events = await stage.events("Who composed the film we talked about at the beginning?", debug=True)
    (persisted,) = [e.content for e in events if isinstance(e, ExecutionLog) and e.content.node == "persist"]
    assert persisted.output["timings_ms"]["rewrite"] < 400


async def test_a_turn_that_the_budget_leaves_out_is_recalled(stage: Stage) -> None:
    store = ConversationStore(stage.table, "acme")
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    for number in range(4):
        store.append_message(
            conversation_id, "user", "My supervisor is Professor Tang." if not number else f"Q {number}?"
        )
        store.append_message(
            conversation_id, "assistant", "Noted." if not number else "A long answer of many words. " * 100
        )
    stage.episodes = Recalled(episode(2, "My supervisor is Professor Tang.", "Noted."))
    await stage.events("Who is my supervisor?")
    prompt = stage.model.prompts[-1]
    in_window = any("Professor Tang" in message.content for message in prompt.history)
    assert in_window != any(each.seq == 2 for each in prompt.episodes)
