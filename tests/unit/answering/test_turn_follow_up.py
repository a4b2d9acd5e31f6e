"""Asking the user, and going on with the original question; and the second look."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clew.answering.events import Done, DoneContent, Event, ExecutionLog, Token
from clew.answering.turn.lookup import LookupResult
from clew.conversation.pending import PendingIntent, PendingIntents
from clew.conversation.store import ConversationStore
from clew.errors import WorkflowError
from clew.retrieval.evidence import EntityRef, Passage, Reference, RetrievalRun
from clew.routing.decision import RagRunSpec, RouteDecision
from clew.routing.intent import IntentMatch, Slot
from tests.unit.answering.stage import Model, Stage, Workflow, found, request, run, statuses

PROGRAMME = Slot(
    name="programme",
    question="Which programme do you study?",
    question_zh="您读的是哪个专业？",
    values=("BSc in Marine Science | marine science | 海洋科学", "BA in Economics | economics | 经济学"),
)
THESIS = EntityRef(id="thesis", name="thesis", aliases=("毕业论文",))
WORKER = "edu:graph_agent:retrieve_only"


def passage(name: str, text: str) -> Passage:
    return Passage(id=name, document_id=name, title=name, text=text, entities=(THESIS,), score=1.0)


BOTH = (
    passage(
        "BSc in Marine Science",
        "The thesis deadline of the BSc in Marine Science is 20 May. 海洋科学专业的毕业论文截止日期是5月20日。",
    ),
    passage(
        "BA in Economics",
        "The thesis deadline of the BA in Economics is 10 May. 经济学专业的毕业论文截止日期是5月10日。",
    ),
)


def looked_up(
    *passages: Passage, known: dict[str, str] | None = None, agents: tuple[str, ...] = ("graph_agent",)
) -> LookupResult:
    given = (PROGRAMME,) if known else ()
    intent = IntentMatch(name="thesis_deadline", known=known or {}, missing=() if known else (PROGRAMME,), given=given)
    decision = RouteDecision(
        kb_prefix="edu",
        confidence=0.9,
        method="embedding",
        reason="It is about studying.",
        worker_name=WORKER,
        plan=tuple(RagRunSpec(agent_type=each, worker_name=f"edu:{each}:retrieve_only") for each in agents),
        intent=intent,
    )
    runs = [
        RetrievalRun(
            worker_name=f"edu:{each}:retrieve_only",
            agent_type=each,
            passages=passages,
            reference=Reference(linked=(THESIS,)),
        )
        for each in agents
    ]
    return LookupResult(decision=decision, runs=tuple(runs))


def done(events: list[Event]) -> DoneContent:
    assert isinstance(events[-1], Done), events[-1]
    return events[-1].content


def text(events: list[Event]) -> str:
    return "".join(event.content for event in events if isinstance(event, Token))


def pending(stage: Stage) -> PendingIntent | None:
    store = ConversationStore(stage.table, "acme")
    return store.pending.find(store.get_or_create_conversation_id("ann", "s1"))


@pytest.mark.parametrize(
    ("question", "asked", "reply", "completed"),
    [
        ("When is the thesis deadline?", PROGRAMME.question, "I study marine science.", "BSc in Marine Science"),
        ("毕业论文的截止日期是哪天？", PROGRAMME.question_zh, "海洋科学的", "海洋科学"),
    ],
)
async def test_what_only_the_user_knows_is_asked_for_and_the_question_goes_on(
    stage: Stage, question: str, asked: str, reply: str, completed: str
) -> None:
    stage.workflow = Workflow(looked_up(*BOTH), looked_up(BOTH[0], known={"programme": completed}))
    first = await stage.events(question)
    assert asked in text(first)
    assert (done(first).is_ask_user, done(first).pending_intent) == (True, "thesis_deadline")
    stored = stage.stored()[-1]
    assert (stored.is_ask_user, stored.pending_intent, stored.content) == (True, "thesis_deadline", text(first))
    assert stage.model.prompts == []

    open_question = pending(stage)
    assert open_question is not None
    assert (open_question.original_query, open_question.ask_user_count) == (question, 1)

    stage.model = Model("On 20 May [1].")
    second = await stage.events(reply)
    lookup = stage.workflow.asked[-1]
    assert (lookup.intent, lookup.requested_kb_prefix) == ("thesis_deadline", "edu")
    assert completed in lookup.message
    assert question.rstrip("?？") in lookup.message
    assert lookup.known == {"programme": lookup.known["programme"]}
    assert (done(second).is_ask_user, done(second).pending_intent) == (False, "")
    assert pending(stage) is None
    prompt = stage.model.prompts[-1]
    assert (prompt.question, prompt.standalone_question) == (reply, lookup.message)  # the user's own words
    assert stage.stored()[-2].content == reply


async def test_after_two_asks_without_an_answer_there_is_an_answer_all_the_same(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH))
    await stage.events("When is the thesis deadline?")
    again = await stage.events("I don't know.")
    assert done(again).is_ask_user
    assert len(stage.workflow.asked) == 1  # nothing is looked up for asking again
    found_open = pending(stage)
    assert found_open is not None
    assert found_open.ask_user_count == 2
    stage.model = Model("20 May or 10 May [1][2].")
    last = await stage.events("No idea.")
    assert not done(last).is_ask_user
    assert text(last).endswith("20 May or 10 May [1][2].")
    assert len(text(last)) > len("20 May or 10 May [1][2].")  # it says first what is not known
    assert pending(stage) is None


async def test_another_subject_closes_the_question(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH), found(run()))
    await stage.events("When is the thesis deadline?")
    stage.model = Model("Christopher Nolan [1].")
    events = await stage.events("Who directed the film Inception?")
    assert stage.workflow.asked[-1].intent == ""
    assert stage.workflow.asked[-1].message == "Who directed the film Inception?"
    assert not done(events).is_ask_user
    assert pending(stage) is None


async def test_never_mind_closes_the_question_without_looking_up(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH))
    await stage.events("When is the thesis deadline?")
    events = await stage.events("Never mind.")
    assert len(stage.workflow.asked) == 1
    assert text(events)
    assert not done(events).is_ask_user
    assert pending(stage) is None


async def test_a_question_that_was_open_for_a_day_is_closed(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH))
    await stage.events("When is the thesis deadline?")
    tomorrow = ConversationStore(stage.table, "acme", lambda: datetime.now(UTC) + timedelta(hours=24, seconds=1))
    await stage.events("Marine science.", turn=stage.turn(store=lambda tenant_id: tomorrow))
    assert stage.workflow.asked[-1].intent == ""


async def test_of_two_replies_at_once_one_goes_on_with_the_question(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.workflow = Workflow(looked_up(*BOTH), found(run()))
    await stage.events("When is the thesis deadline?")

    def taken_by_another(*_: Any) -> bool:
        return False

    monkeypatch.setattr(PendingIntents, "take", taken_by_another)
    await stage.events("Marine science.")
    assert stage.workflow.asked[-1].intent == ""


async def test_what_is_told_of_the_route_names_the_intent_and_not_its_questions(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH))
    intent = done(await stage.events("When is the thesis deadline?")).route.intent
    assert intent is not None
    assert (intent.name, intent.missing) == ("thesis_deadline", ())


def logs(events: list[Event], node: str) -> list[dict[str, Any]]:
    return [each.content.output for each in events if isinstance(each, ExecutionLog) and each.content.node == node]


OTHER = passage("Library", "The library opens at eight.")


async def test_evidence_that_lacks_what_is_asked_is_looked_for_once_more(stage: Stage) -> None:
    better = looked_up(BOTH[0], known={"programme": "x"}, agents=("deep_research_agent",))
    stage.workflow = Workflow(looked_up(OTHER, known={"programme": "x"}), better)
    events = await stage.events("When is the thesis deadline of Marine Science?", debug=True)
    assert [each.agent_type for each in stage.workflow.asked] == ["", "deep_research_agent"]
    assert stage.workflow.asked[1].requested_kb_prefix == "edu"
    assert [each["action"] for each in logs(events, "verify")] == ["again", "answer"]
    assert {each.id for each in stage.model.prompts[-1].evidence} == {"Library", "BSc in Marine Science"}


async def test_what_is_not_found_twice_is_not_known(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(OTHER, known={"programme": "x"}))
    events = await stage.events("Who invented the steam engine?", debug=True)
    assert [each["action"] for each in logs(events, "verify")] == ["again", "unknown"]
    assert stage.model.prompts[-1].evidence == ()


async def test_a_second_look_that_breaks_leaves_the_first(stage: Stage) -> None:
    partly = passage("Thesis", "The thesis of Marine Science is written in the last year.")
    broken = WorkflowError("The retrieval workflow failed.")
    stage.workflow = Workflow(looked_up(partly, known={"programme": "x"}), broken)
    events = await stage.events("When does Professor Tang mark the thesis of Marine Science in Hall Nine?")
    assert len(stage.workflow.asked) == 2
    assert [each.id for each in stage.model.prompts[-1].evidence] == ["Thesis"]
    assert not done(events).is_ask_user


async def test_a_worker_that_the_request_names_is_the_only_one(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(OTHER, known={"programme": "x"}))
    await stage.events("Who invented the steam engine?", agent_type="graph_agent")
    assert len(stage.workflow.asked) == 1


async def test_a_reply_whose_turn_broke_may_be_given_again(stage: Stage) -> None:
    completed = looked_up(BOTH[0], known={"programme": "BSc in Marine Science"})
    stage.workflow = Workflow(looked_up(*BOTH), WorkflowError("The retrieval workflow failed."), completed)
    await stage.events("When is the thesis deadline?")
    assert statuses(await stage.events("Marine science."))[-1] == "error"
    stage.model = Model("On 20 May [1].")
    events = await stage.events("Marine science, as I said.")
    assert stage.workflow.asked[-1].intent == "thesis_deadline"
    assert not done(events).is_ask_user
    assert pending(stage) is None


async def test_another_subject_closes_the_question_even_if_its_turn_breaks(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH), WorkflowError("The retrieval workflow failed."))
    await stage.events("When is the thesis deadline?")
    await stage.events("Who directed the film Inception?")
    assert pending(stage) is None


async def test_a_client_that_leaves_after_the_question_has_been_asked(stage: Stage) -> None:
    stage.workflow = Workflow(looked_up(*BOTH))
    stream = stage.turn().stream(request("When is the thesis deadline?"))
    async for event in stream:
        if isinstance(event, Token):
            break
    await stream.aclose()
    stored = stage.stored()[-1]
    assert (stored.is_ask_user, stored.content) == (True, event.content)
    assert pending(stage) is not None
