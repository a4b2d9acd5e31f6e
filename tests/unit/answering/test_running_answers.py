"""Answers that others ask for too: repeated, read along, resumed, cancelled, taken over, out of time."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest

from clew.answering.chat_model import Delta, Finished
from clew.answering.events import Done, DoneContent, Event, Failed, Start, Token
from clew.answering.prompting.prompt import Prompt
from clew.answering.running import attendant, looking_out, reading_along
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.lookup import LookupInput, LookupResult
from clew.conversation import cancelling
from clew.conversation.cancelling import cancel_answer
from clew.conversation.running_answers import RunningAnswers
from clew.conversation.store import ConversationStore
from clew.errors import ModelError, StoreError, ThrottledError
from clew.problem import TYPE_PREFIX
from tests.unit.answering.stage import Halting, Model, Stage, Workflow, found, request, run, statuses

SOON = 20  # seconds until a test that hangs is given up
QUESTION = "Who directed Inception?"

Sent = AsyncGenerator[StreamEvent, None]


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same looks, a hundred times as often."""
    for module, name, seconds in (
        (attendant, "FIRST_LOOK", 0.01),
        (attendant, "NEXT_LOOK", 0.01),
        (attendant, "PUBLISHING", 0.01),
        (looking_out, "TOGETHER", 0.005),
        (cancelling, "STORED_WITHIN", 0.3),
        (reading_along, "LOOK", 0.01),
        (reading_along, "ANSWER_LOOK", 0.03),
        (reading_along, "SIGN_OF_LIFE", 2.0),
    ):
        monkeypatch.setattr(module, name, seconds)


async def until_token(sent: Sent, text: str) -> list[StreamEvent]:
    """What comes up to the token ``text``."""
    found: list[StreamEvent] = []
    while True:
        found.append(await asyncio.wait_for(anext(sent), SOON))
        if found[-1].event == Token(content=text):
            return found


async def rest(sent: Sent) -> list[StreamEvent]:
    async def read() -> list[StreamEvent]:
        return [each async for each in sent]

    return await asyncio.wait_for(read(), SOON)


def text_of(events: list[StreamEvent]) -> str:
    return "".join(each.event.content for each in events if isinstance(each.event, Token))


def kinds(events: list[StreamEvent]) -> list[str]:
    return [each.event.status for each in events]


def done_of(events: list[Event] | list[StreamEvent]) -> DoneContent:
    last = events[-1].event if isinstance(events[-1], StreamEvent) else events[-1]
    assert isinstance(last, Done), last
    return last.content


async def test_events_are_numbered_and_tell_how_much_of_the_answer_was_sent(stage: Stage) -> None:
    sent = await rest(stage.turn().sent(request(QUESTION)))
    assert [each.id.number for each in sent] == list(range(len(sent)))
    assert len({(each.id.key, each.id.attempt) for each in sent}) == 1
    tokens = [each for each in sent if isinstance(each.event, Token)]
    assert [each.id.offset for each in tokens] == [len("Christopher"), len("Christopher Nolan"), 22]
    assert sent[-1].id.offset == len(text_of(sent))
    assert all(EventId.parse(str(each.id)) == each.id for each in sent)


async def test_start_tells_what_the_message_can_be_cancelled_under(stage: Stage) -> None:
    own, given = await stage.events(client_message_id="m1"), await stage.events("And who else?")
    assert isinstance(own[0], Start)
    assert isinstance(given[0], Start)
    assert own[0].message_id == "m1"
    assert given[0].message_id
    store, seq = conversation(stage)
    assert store.number_of(store_id(stage), given[0].message_id) == seq + 2


def conversation(stage: Stage) -> tuple[ConversationStore, int]:
    """The store, and the number of the conversation's first message."""
    return ConversationStore(stage.table, "acme"), 1


def store_id(stage: Stage) -> str:
    found = ConversationStore(stage.table, "acme").find_conversation("ann", "s1")
    assert found is not None
    return found.conversation_id


def cancel(stage: Stage, message_id: str = "m1", wait: float = SOON) -> str:
    store, running = ConversationStore(stage.table, "acme"), RunningAnswers(stage.table)
    return cancel_answer(store, running, "ann", "s1", message_id, wait=wait, sleep=lambda _: time.sleep(0.01)).state


async def test_a_repeat_reads_along_with_the_running_answer_and_nothing_is_generated_twice(stage: Stage) -> None:
    stage.model = model = Halting("Christopher", " Nolan")
    first, second = (stage.turn().sent(request(QUESTION, client_message_id="m1")) for _ in range(2))
    sent = await until_token(first, " Nolan")
    along = await until_token(second, " Nolan")
    assert (kinds(along)[0], kinds(along).count("start")) == ("start", 1)
    assert along[1:] == sent[1:]
    model.go_on.set()
    ends = await rest(first), await rest(second)
    assert done_of(ends[0]) == done_of(ends[1])
    assert [message.role for message in stage.stored()] == ["user", "assistant"]
    assert len(model.prompts) == 1


async def test_a_repeat_of_an_answered_message_gets_the_stored_answer(stage: Stage) -> None:
    before = await stage.events(client_message_id="m1")
    again = await stage.events(client_message_id="m1")
    assert statuses(again) == ["start", "token", "done"]
    assert done_of(again) == done_of(before)
    assert len(stage.model.prompts) == 1


@pytest.mark.parametrize("client_message_id", ["m1", ""])
async def test_a_client_that_comes_back_gets_what_it_missed_and_the_rest(stage: Stage, client_message_id: str) -> None:
    stage.model = model = Halting("Christopher", " Nolan [1]", ".")
    asked = request(QUESTION, client_message_id=client_message_id)
    first = stage.turn(on_client_gone="finish").sent(asked)
    had = await until_token(first, "Christopher")
    leaving = asyncio.create_task(first.aclose())
    await asyncio.wait_for(model.halted.wait(), SOON)
    second = stage.turn().sent(asked, had[-1].id)
    missed = await until_token(second, " [1].")
    model.go_on.set()
    missed += await rest(second)
    await asyncio.wait_for(leaving, SOON)
    assert text_of(had) + text_of(missed) == "Christopher Nolan [1]."
    assert "start" not in kinds(missed)
    assert [each.id.number for each in missed] == list(range(len(had), len(had) + len(missed)))
    assert done_of(missed).message_id == stage.stored()[-1].message_id
    assert [message.role for message in stage.stored()] == ["user", "assistant"]
    assert len(model.prompts) == 1


@pytest.mark.parametrize("client_message_id", ["m1", ""])
async def test_a_client_that_comes_back_after_the_end_gets_the_rest_of_the_stored_answer(
    stage: Stage, client_message_id: str
) -> None:
    asked = request(QUESTION, client_message_id=client_message_id)
    sent = await rest(stage.turn().sent(asked))
    for cut, had in enumerate(sent[:-1]):
        missed = await rest(stage.turn().sent(asked, had.id))
        assert text_of(sent[: cut + 1]) + text_of(missed) == "Christopher Nolan [1]."
        assert "start" not in kinds(missed)
        assert done_of(missed) == done_of(sent)
    assert len(stage.model.prompts) == 1


async def test_where_the_answer_was_broken_off_who_comes_back_is_told_that_it_begins_anew(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_along, "SIGN_OF_LIFE", SOON)  # that it has ended is written, and not waited for
    stage.model = Halting("Christ")
    asked = request(QUESTION, client_message_id="m1")
    first = stage.turn().sent(asked)
    had = await until_token(first, "Christ")
    await asyncio.wait_for(first.aclose(), 1)
    stage.model = Model("Christopher Nolan [1].")
    again = await rest(stage.turn().sent(asked, had[-1].id))
    assert kinds(again)[0] == "start"
    assert text_of(again) == "Christopher Nolan [1]."
    assert [message.content for message in stage.stored()] == [QUESTION, "Christ", "Christopher Nolan [1]."]


async def test_an_unknown_last_event_is_as_none(stage: Stage) -> None:
    events = await rest(stage.turn().sent(request(QUESTION), EventId("0123456789ab", "abcdef", 7, 3)))
    assert (kinds(events)[0], kinds(events)[-1]) == ("start", "done")
    assert [message.role for message in stage.stored()] == ["user", "assistant"]


async def test_a_cancelled_answer_stops_and_is_stored_as_such(stage: Stage) -> None:
    stage.model = model = Halting("Christopher")
    sent = stage.turn().sent(request(QUESTION, client_message_id="m1"))
    await until_token(sent, "Christopher")
    cancelling = asyncio.to_thread(cancel, stage)
    state, ending = await asyncio.gather(cancelling, rest(sent))
    assert state == "cancelled"
    assert model.closed
    assert (kinds(ending), done_of(ending).stop_reason) == (["done"], "cancelled")
    answer = stage.stored()[-1]
    assert (answer.content, answer.debug["partial"], answer.debug["cancelled"]) == ("Christopher", True, True)
    assert done_of(ending).message_id == answer.message_id
    assert [outcome.ending for outcome in stage.outcomes] == ["cancelled"]
    again = await stage.events(client_message_id="m1")
    assert (statuses(again), done_of(again).stop_reason) == (["start", "token", "done"], "cancelled")


async def test_cancelled_before_a_word_was_said_the_answer_is_empty_and_stored(stage: Stage) -> None:
    begun, may_end = threading.Event(), threading.Event()

    class Slow(Workflow):
        def run(self, lookup: LookupInput, execution: str) -> LookupResult:
            begun.set()
            may_end.wait(SOON)
            return super().run(lookup, execution)

    stage.workflow = Slow(found(run()))
    asking = asyncio.create_task(stage.events(client_message_id="m1"))
    assert await asyncio.to_thread(begun.wait, SOON)
    assert await asyncio.to_thread(cancel, stage) == "cancelled"
    events = await asyncio.wait_for(asking, SOON)
    may_end.set()
    assert (done_of(events).stop_reason, done_of(events).route.is_general) == ("cancelled", True)
    assert [(message.role, message.content) for message in stage.stored()] == [("user", QUESTION), ("assistant", "")]
    assert stage.model.prompts == []


async def test_cancelling_a_finished_answer_changes_nothing(stage: Stage) -> None:
    await stage.events(client_message_id="m1")
    before = stage.stored()
    assert await asyncio.to_thread(cancel, stage) == "finished"
    assert stage.stored() == before


async def test_cancelling_what_nobody_gives_stores_nothing_and_a_repeat_is_answered(stage: Stage) -> None:
    ConversationStore(stage.table, "acme").begin("ann", "s1", QUESTION, client_message_id="m1")
    assert await asyncio.to_thread(cancel, stage, wait=0.05) == "not_running"
    assert [message.role for message in stage.stored()] == ["user"]
    events = await asyncio.wait_for(stage.events(client_message_id="m1"), SOON)
    assert done_of(events).stop_reason == "end"


async def test_cancelling_what_broke_off_changes_nothing(stage: Stage) -> None:
    stage.model = Model("Christopher", ModelError("It broke off.", started=True))
    await stage.events(client_message_id="m1")
    before = stage.stored()
    assert await asyncio.to_thread(cancel, stage) == "not_running"
    assert stage.stored() == before


async def test_an_answer_is_no_message_that_could_be_cancelled(stage: Stage) -> None:
    events = await stage.events(client_message_id="m1")
    before = stage.stored()
    assert await asyncio.to_thread(cancel, stage, done_of(events).message_id) == "finished"
    assert stage.stored() == before


async def test_what_broke_off_is_not_told_to_the_model_once_it_was_answered_whole(stage: Stage) -> None:
    stage.model = Model("Chris", ModelError("It broke off.", started=True))
    await stage.events(client_message_id="m1")
    stage.model = Model("Christopher Nolan [1].")
    await stage.events(client_message_id="m1")
    await stage.events("And what else did he direct?")
    assert [message.content for message in stage.model.prompts[-1].history] == [QUESTION, "Christopher Nolan."]


async def test_a_message_whose_process_died_is_answered_by_its_repeat(stage: Stage) -> None:
    ConversationStore(stage.table, "acme").begin("ann", "s1", QUESTION, client_message_id="m1")
    events = await stage.events(client_message_id="m1")
    assert statuses(events).count("start") == 1
    assert done_of(events).stop_reason == "end"
    assert [message.content for message in stage.stored()] == [QUESTION, "Christopher Nolan [1]."]


async def test_of_two_repeats_one_takes_over_and_the_other_reads_along(stage: Stage) -> None:
    ConversationStore(stage.table, "acme").begin("ann", "s1", QUESTION, client_message_id="m1")
    both = await asyncio.gather(*(stage.events(client_message_id="m1") for _ in range(2)))
    assert done_of(both[0]) == done_of(both[1])
    assert len(stage.model.prompts) == 1
    assert len(stage.stored()) == 2


async def test_a_turn_that_takes_too_long_ends_with_an_error_and_keeps_what_it_has(stage: Stage) -> None:
    stage.model = model = Halting("Christopher")
    events = await asyncio.wait_for(stage.events(turn=stage.turn(seconds=0.3)), SOON)
    assert isinstance(events[-1], Failed)
    assert events[-1].type == TYPE_PREFIX + "turn-timed-out"
    assert model.closed
    assert (stage.stored()[-1].content, stage.stored()[-1].debug["partial"]) == ("Christopher", True)
    assert [(outcome.ending, outcome.error) for outcome in stage.outcomes] == [("error", "TurnTimeoutError")]


async def test_where_the_time_is_over_while_the_answer_is_stored_there_is_one_end(stage: Stage) -> None:
    class Slow(ConversationStore):
        def append_message(self, *values: Any, **options: Any) -> Any:
            time.sleep(0.5)
            return super().append_message(*values, **options)

    turn = stage.turn(seconds=0.4, store=lambda tenant_id: Slow(stage.table, tenant_id))
    events = await asyncio.wait_for(stage.events(turn=turn), SOON)
    assert [status for status in statuses(events) if status in ("done", "error")] == ["done"]
    assert [message.role for message in stage.stored()] == ["user", "assistant"]


async def test_a_look_up_gets_its_share_of_the_time_and_no_more(stage: Stage) -> None:
    may_end = threading.Event()

    class Hanging(Workflow):
        def run(self, lookup: LookupInput, execution: str) -> LookupResult:
            may_end.wait(SOON)
            return super().run(lookup, execution)

    stage.workflow = Hanging(found(run()))
    events = await asyncio.wait_for(stage.events(turn=stage.turn(seconds=0.5)), SOON)
    may_end.set()
    assert isinstance(events[-1], Failed)
    assert events[-1].type == TYPE_PREFIX + "workflow-failed"


async def test_a_client_that_leaves_during_the_look_up_is_not_waited_for(stage: Stage) -> None:
    begun, may_end = threading.Event(), threading.Event()

    class Hanging(Workflow):
        def run(self, lookup: LookupInput, execution: str) -> LookupResult:
            begun.set()
            may_end.wait(SOON)
            return super().run(lookup, execution)

    stage.workflow = Hanging(found(run()))
    events = stage.turn().stream(request(QUESTION))
    while not begun.is_set():
        await asyncio.wait_for(anext(events), SOON)
        await asyncio.sleep(0.01)
    await asyncio.wait_for(events.aclose(), 1)
    may_end.set()
    assert [message.role for message in stage.stored()] == ["user"]
    assert [outcome.ending for outcome in stage.outcomes] == ["client_gone"]


async def test_where_it_is_set_so_the_answer_is_finished_without_its_client(stage: Stage) -> None:
    stage.model = model = Halting("Christopher", " Nolan [1]")
    sent = stage.turn(on_client_gone="finish").sent(request(QUESTION))
    await until_token(sent, "Christopher")
    leaving = asyncio.create_task(sent.aclose())
    await asyncio.wait_for(model.halted.wait(), SOON)
    model.go_on.set()
    await asyncio.wait_for(leaving, SOON)
    assert stage.stored()[-1].content == "Christopher Nolan [1]"
    assert "partial" not in stage.stored()[-1].debug


async def test_two_messages_at_once_are_both_answered_in_the_order_of_their_numbers(stage: Stage) -> None:
    messages = [f"Who directed Inception, number {number}?" for number in range(4)]
    stage.model = model = Halting("Christopher Nolan", " [1].")
    asking = []
    for message in messages:
        asking.append(asyncio.create_task(stage.events(message)))
        await asyncio.wait_for(model.halted.wait(), SOON)
        model.halted.clear()
    model.go_on.set()
    answered = await asyncio.wait_for(asyncio.gather(*asking), SOON)
    stored = {message.seq: message for message in stage.stored()}
    assert sorted(message.content for message in stored.values() if message.role == "user") == messages
    for events in answered:
        (answer,) = [each for each in stored.values() if each.message_id == done_of(events).message_id]
        question = stored[answer.debug["in_reply_to"]]
        assert question.role == "user"
        assert question.seq < answer.seq
    replies = [message.debug["in_reply_to"] for message in stored.values() if message.role == "assistant"]
    assert len(set(replies)) == len(messages)


async def test_a_quick_answer_looks_nowhere(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attendant, "FIRST_LOOK", 5)
    monkeypatch.setattr(RunningAnswers, "wanted_of", lambda *_: pytest.fail("it looked"))
    assert done_of(await stage.events()).stop_reason == "end"


async def test_an_outcome_tells_numbers_and_names(stage: Stage) -> None:
    await stage.events(client_message_id="m1")
    await stage.events(client_message_id="m1")  # a stored answer is none that was given
    (outcome,) = stage.outcomes
    assert (outcome.ending, outcome.kb_prefix, outcome.evidence, outcome.unanswered) == ("done", "movie", 2, False)
    assert outcome.first_token_ms is not None
    assert 0 < outcome.first_token_ms <= outcome.total_ms
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens) == (30, 7)
    assert {"remember", "rewrite", "lookup", "generate", "persist"} <= set(outcome.steps_ms)


async def test_an_answer_that_cites_nothing_counts_as_unanswered(stage: Stage) -> None:
    stage.model = Model("I do not know.")
    await stage.events()
    assert [outcome.unanswered for outcome in stage.outcomes] == [True]


async def test_numbers_that_cite_nothing_are_not_sent_and_not_stored(stage: Stage) -> None:
    stage.model = Model("Christopher Nolan [", "1][", "7]", " directed it [9].")
    sent = await rest(stage.turn().sent(request(QUESTION)))
    assert text_of(sent) == "Christopher Nolan [1] directed it."
    assert stage.stored()[-1].content == text_of(sent)


async def test_an_error_is_not_told_again_to_a_repeat_that_comes_later(stage: Stage) -> None:
    ConversationStore(stage.table, "acme").begin("ann", "s1", QUESTION, client_message_id="m1")
    stage.model = Model("Chris", ModelError("It broke off.", started=True))
    taken_over = await stage.events(client_message_id="m1")  # and so published
    assert isinstance(taken_over[-1], Failed)
    stage.model = Model("Christopher Nolan [1].")
    assert done_of(await stage.events(client_message_id="m1")).stop_reason == "end"


async def test_who_reads_along_is_told_of_the_error_as_it_happens(stage: Stage) -> None:
    class Breaking(Halting):
        async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
            async with aclosing(super().stream(prompt)) as deltas:
                async for delta in deltas:
                    if isinstance(delta, Finished):
                        raise ModelError("It broke off.", started=True)
                    yield delta

    stage.model = model = Breaking("Christopher", " Nolan")
    first, second = (stage.turn().sent(request(QUESTION, client_message_id="m1")) for _ in range(2))
    await until_token(first, "Christopher")
    await until_token(second, "Christopher")
    model.go_on.set()
    ends = await rest(first), await rest(second)
    assert [kinds(end)[-1] for end in ends] == ["error", "error"]
    assert len(model.prompts) == 1


async def test_a_table_that_fails_for_a_moment_does_not_end_reading_along(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.model = model = Halting("Christopher", " Nolan [1]")
    first, second = (stage.turn().sent(request(QUESTION, client_message_id="m1")) for _ in range(2))
    await until_token(first, "Christopher")
    await until_token(second, "Christopher")
    published, failures = RunningAnswers.published, iter(range(3))

    def failing(*values: Any) -> Any:
        if next(failures, None) is not None:
            raise ThrottledError("busy")
        return published(*values)

    monkeypatch.setattr(RunningAnswers, "published", failing)
    model.go_on.set()
    ends = await rest(first), await rest(second)
    assert done_of(ends[0]) == done_of(ends[1])


async def test_a_table_that_refuses_who_reads_along_ends_that_stream_alone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.model = model = Halting("Christopher", " Nolan [1]")
    first = stage.turn().sent(request(QUESTION, client_message_id="m1"))
    await until_token(first, "Christopher")

    def refusing(*_: Any) -> None:
        raise StoreError("no")

    monkeypatch.setattr(RunningAnswers, "follow", refusing)
    second = await rest(stage.turn().sent(request(QUESTION, client_message_id="m1")))
    assert kinds(second) == ["start", "error"]
    model.go_on.set()
    assert done_of(await rest(first)).stop_reason == "end"


async def test_an_answer_that_somebody_reads_along_goes_on_when_its_first_client_leaves(stage: Stage) -> None:
    stage.model = model = Halting("Christopher", " Nolan [1]")
    asked = request(QUESTION, client_message_id="m1")
    first = stage.turn().sent(asked)
    had = await until_token(first, "Christopher")
    second = stage.turn().sent(asked, had[-1].id)  # the same client, before its old connection is found dead
    missed = [await asyncio.wait_for(anext(second), SOON)]
    leaving = asyncio.create_task(first.aclose())
    await asyncio.sleep(0.05)
    model.go_on.set()
    missed += await rest(second)
    await asyncio.wait_for(leaving, SOON)
    assert text_of(had) + text_of(missed) == "Christopher Nolan [1]"
    assert [message.role for message in stage.stored()] == ["user", "assistant"]


@pytest.mark.parametrize("client_message_id", ["m2", ""])
async def test_a_last_event_of_another_message_does_not_answer_a_new_one(stage: Stage, client_message_id: str) -> None:
    sent = await rest(stage.turn().sent(request(QUESTION)))
    stage.model = Model("Emma Thomas [1].")
    events = await stage.events("Who produced it?", after=sent[-1].id, client_message_id=client_message_id)
    assert statuses(events)[0] == "start"
    assert "Emma Thomas" in stage.stored()[-1].content
    assert [message.content for message in stage.stored() if message.role == "user"] == [QUESTION, "Who produced it?"]


async def test_an_id_that_was_sent_with_another_message_is_refused(stage: Stage) -> None:
    await stage.events(client_message_id="m1")
    before = stage.stored()
    events = await stage.events("Who produced it?", client_message_id="m1")
    assert isinstance(events[-1], Failed)
    assert events[-1].type == TYPE_PREFIX + "invalid-request"
    assert stage.stored() == before


async def test_a_message_can_be_cancelled_as_soon_as_start_was_sent(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancelling, "STORED_WITHIN", SOON)

    class Slow(ConversationStore):
        def begin(self, *values: Any, **options: Any) -> Any:
            time.sleep(0.1)
            return super().begin(*values, **options)

    stage.model = Halting("Christopher")
    turn = stage.turn(store=lambda tenant_id: Slow(stage.table, tenant_id))
    sent = turn.sent(request(QUESTION, client_message_id="m1"))
    assert isinstance((await anext(sent)).event, Start)
    state, ending = await asyncio.gather(asyncio.to_thread(cancel, stage), rest(sent))
    assert (state, done_of(ending).stop_reason) == ("cancelled", "cancelled")


async def test_an_answer_is_found_again_however_many_messages_came_between(stage: Stage) -> None:
    stage.model = model = Halting("Christopher Nolan", " [1].")
    first = asyncio.create_task(stage.events(client_message_id="m1"))
    await asyncio.wait_for(model.halted.wait(), SOON)
    for number in range(10):
        ConversationStore(stage.table, "acme").begin("ann", "s1", f"Another one, {number}.")
    model.go_on.set()
    before = await first
    stage.model = Model("Another generation.")
    assert done_of(await stage.events(client_message_id="m1")) == done_of(before)
    assert stage.model.prompts == []


async def test_answers_that_are_looked_after_together_cost_one_request(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Event()
    wanted_of = RunningAnswers.wanted_of

    def counting(running: RunningAnswers, places: list[tuple[str, int]]) -> Any:
        if len(places) == 5:
            together.set()
        return wanted_of(running, places)

    monkeypatch.setattr(RunningAnswers, "wanted_of", counting)
    monkeypatch.setattr(looking_out, "TOGETHER", 0.1)
    stage.model = model = Halting("Christopher Nolan", " [1].")
    turn = stage.turn()
    asking = [asyncio.create_task(stage.events(QUESTION, turn, session_id=f"s{number}")) for number in range(5)]
    assert await asyncio.to_thread(together.wait, SOON)
    model.go_on.set()
    for events in await asyncio.gather(*asking):
        assert done_of(events).stop_reason == "end"
