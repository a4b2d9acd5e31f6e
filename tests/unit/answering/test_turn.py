"""A turn that goes well: its events in order, what it stores, what it passes on."""

import re
import threading
from itertools import pairwise

import pytest

from clew.answering.citations import cited
from clew.answering.events import Done, DoneContent, Event, ExecutionLog, Progress, Start, Token
from clew.answering.turn import following
from clew.answering.turn.lookup import LookupInput, LookupResult
from clew.errors import StoreUnavailableError
from clew.retrieval.run_notes import RunNotes
from tests.unit.answering.stage import GENERAL, PASSAGES, WORKER, Model, Stage, Workflow, found, request, run, statuses


def done(events: list[Event]) -> DoneContent:
    (last,) = [event for event in events if isinstance(event, Done)]
    assert events[-1] is last
    return last.content


async def test_start_comes_first_done_last_and_the_answer_between(stage: Stage) -> None:
    events = await stage.events()
    assert isinstance(events[0], Start)
    assert statuses(events).count("start") == statuses(events).count("done") == 1
    assert "error" not in statuses(events)
    stages = [event.content.stage for event in events if isinstance(event, Progress)]
    assert stages == sorted(stages, reverse=True)  # retrieval, then generation
    tokens = [number for number, event in enumerate(events) if isinstance(event, Token)]
    retrieval = [number for number, status in enumerate(statuses(events)) if status == "progress"]
    assert retrieval[0] < tokens[0]
    assert all(other == one + 1 for one, other in pairwise(tokens))
    assert "".join(event.content for event in events if isinstance(event, Token)) == "Christopher Nolan [1]."


async def test_progress_tells_of_each_worker(stage: Stage) -> None:
    other = "movie:naive_rag_agent:retrieve_only"
    stage.workflow.outcome = found(run(), run(other, error="GraphUnavailableError"))
    workers = [e.content for e in await stage.events() if isinstance(e, Progress) and e.content.agent_type]
    assert [(each.completed, each.total) for each in workers] == [(1, 2), (2, 2)]
    assert [(each.agent_type, each.retrieval_count, each.error) for each in workers] == [
        ("graph_agent", 2, None),
        ("naive_rag_agent", None, "GraphUnavailableError"),
    ]


async def test_progress_tells_of_a_worker_before_the_others_are_done(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "FIRST_READ", 0.01)
    first, last = run("movie:naive_rag_agent:retrieve_only"), run()
    seen = threading.Event()

    class Noting(Workflow):
        """Its first worker leaves a note, and its last does not finish before the client has seen that."""

        def run(self, lookup: LookupInput, execution: str) -> LookupResult:
            RunNotes(stage.table).put(execution, first, 2)
            assert seen.wait(20)
            return super().run(lookup, execution)

    stage.workflow = Noting(found(last, first))
    told = []
    async for event in stage.turn().stream(request("Who directed Inception?")):
        if isinstance(event, Progress) and event.content.agent_type:
            told.append((event.content.agent_type, event.content.completed, event.content.total))
            seen.set()
    assert told == [("naive_rag_agent", 1, 2), ("graph_agent", 2, 2)]
    assert isinstance(event, Done)


async def test_notes_that_cannot_be_read_are_no_trouble(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "FIRST_READ", 0.01)
    tried = threading.Event()

    def notes() -> RunNotes:
        tried.set()
        raise StoreUnavailableError("The table cannot be reached.")

    class Slow(Workflow):
        def run(self, lookup: LookupInput, execution: str) -> LookupResult:
            assert tried.wait(20)
            return super().run(lookup, execution)

    stage.workflow = Slow(found(run()))
    events = await stage.events(turn=stage.turn(notes=notes))
    assert statuses(events)[-1] == "done"
    assert [e.content.completed for e in events if isinstance(e, Progress) and e.content.agent_type] == [1]


async def test_no_two_look_ups_share_their_notes(stage: Stage) -> None:
    await stage.events()
    await stage.events()
    assert len(set(stage.workflow.executions)) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in stage.workflow.executions)


async def test_done_carries_what_the_client_needs_next(stage: Stage) -> None:
    content = done(await stage.events())
    _, answer = stage.stored()
    assert (content.message_id, content.conversation_id) == (answer.message_id, answer.conversation_id)
    assert (content.route.kb_prefix, content.route.worker_name) == ("movie", WORKER)
    assert (content.usage.input_tokens, content.usage.output_tokens, content.model) == (30, 7, "scripted")
    assert (content.is_ask_user, content.pending_intent) == (False, "")


async def test_both_messages_are_stored_in_order(stage: Stage) -> None:
    await stage.events()
    question, answer = stage.stored()
    assert (question.role, question.content) == ("user", "Who directed Inception?")
    assert (answer.role, answer.content) == ("assistant", "Christopher Nolan [1].")
    assert answer.citations == cited(answer.content, PASSAGES)
    assert answer.debug["route"]["kb_prefix"] == "movie"


async def test_citations_are_those_that_the_answer_marks(stage: Stage) -> None:
    stage.model = Model("Nolan [1], born in London [2]. See [9] and [0].")
    content = done(await stage.events())
    assert [(each.number, each.passage_id, each.document_id) for each in content.citations] == [
        (1, "c1", "inception"),
        (2, "c2", "nolan"),
    ]
    assert content.citations[0].quote in PASSAGES[0].text
    assert stage.stored()[-1].citations == content.citations


async def test_an_answer_without_marks_cites_nothing(stage: Stage) -> None:
    stage.model = Model("I do not know.")
    assert done(await stage.events()).citations == ()


async def test_focus_is_what_was_asked_for_and_what_the_answer_brought_in(stage: Stage) -> None:
    focus = done(await stage.events()).focus
    assert (focus.asked, focus.answered) == (("Inception",), ("Christopher Nolan",))


async def test_the_next_question_may_lean_on_the_one_before(stage: Stage) -> None:
    await stage.events()
    await stage.events("Where was he born?")
    assert stage.workflow.asked[-1].message == "Where was Christopher Nolan born?"
    prompt = stage.model.prompts[-1]
    assert (prompt.question, prompt.standalone_question) == ("Where was he born?", "Where was Christopher Nolan born?")
    assert stage.stored()[2].content == "Where was he born?"  # kept in the user's own words


async def test_a_session_does_not_lean_on_another(stage: Stage) -> None:
    await stage.events()
    await stage.events("Where was he born?", session_id="s2")
    assert stage.workflow.asked[-1].message == "Where was he born?"
    assert stage.model.prompts[-1].history == ()


async def test_tenants_with_the_same_names_are_strangers(stage: Stage) -> None:
    await stage.events()
    await stage.events("And he?", tenant_id="other")
    assert stage.model.prompts[-1].history == ()
    assert stage.workflow.asked[-1].tenant_id == "other"
    assert len(stage.stored(tenant_id="other")) == len(stage.stored()) == 2


async def test_what_the_summary_does_not_cover_reaches_the_prompt_without_its_marks(stage: Stage) -> None:
    for number in range(5):
        stage.model = Model(f"Answer {number} [1].")
        await stage.events(f"Question {number} about Inception?")
    history = stage.model.prompts[-1].history
    assert [(message.role, message.content.strip()) for message in history] == [
        (role, f"{text} {number}{end}")
        for number in (0, 1, 2, 3)
        for role, text, end in (("user", "Question", " about Inception?"), ("assistant", "Answer", "."))
    ]


async def test_what_the_request_asks_for_reaches_the_workflow(stage: Stage) -> None:
    await stage.events("Who?", kb_prefix="edu", agent_type="graph_agent", correlation_id="r1")
    (asked,) = stage.workflow.asked
    assert asked.model_dump() == {
        "tenant_id": "acme",
        "session_id": "s1",
        "message": "Who?",
        "requested_kb_prefix": "edu",
        "agent_type": "graph_agent",
        "intent": "",
        "known": {},
        "correlation_id": "r1",
    }


async def test_general_needs_no_evidence_and_sees_which_knowledge_bases_there_are(stage: Stage) -> None:
    stage.workflow.outcome = GENERAL
    stage.know("films")
    content = done(await stage.events("Hello!"))
    (prompt,) = stage.model.prompts
    assert prompt.general
    assert prompt.evidence == ()
    assert [each.prefix for each in prompt.knowledge_bases] == ["films"]
    assert content.citations == ()
    assert content.route.is_general


async def test_evidence_is_numbered_as_it_will_be_cited(stage: Stage) -> None:
    await stage.events()
    (prompt,) = stage.model.prompts
    assert [passage.id for passage in prompt.evidence] == ["c1", "c2"]
    assert not prompt.general
    assert prompt.language == "en"


async def test_a_chinese_message_is_answered_in_chinese(stage: Stage) -> None:
    await stage.events("谁执导了《盗梦空间》？")
    assert stage.model.prompts[0].language == "zh"


async def test_one_worker_of_several_may_fail(stage: Stage) -> None:
    stage.workflow.outcome = found(run("movie:naive_rag_agent:retrieve_only", error="GraphError"), run())
    events = await stage.events()
    assert statuses(events)[-1] == "done"
    assert stage.model.prompts[0].evidence


async def test_what_each_step_did_is_told_only_when_asked(stage: Stage) -> None:
    assert "execution_log" not in statuses(await stage.events())
    events = await stage.events(debug=True)
    nodes = [event.content.node for event in events if isinstance(event, ExecutionLog)]
    assert nodes == sorted(set(nodes), key=nodes.index)
    assert {"rewrite", "route", "retrieve", "merge"} <= set(nodes)
    assert isinstance(events[0], Start)
    assert isinstance(events[-1], Done)


async def test_a_message_sent_twice_is_stored_once(stage: Stage) -> None:
    first = done(await stage.events(client_message_id="m1"))
    second = done(await stage.events(client_message_id="m1"))
    assert [message.role for message in stage.stored()] == ["user", "assistant"]
    assert first.message_id == second.message_id


async def test_the_model_is_made_after_the_first_event(stage: Stage) -> None:
    made: list[str] = []

    def model(_: str) -> Model:
        made.append("model")
        return stage.model

    def workflow() -> object:
        made.append("workflow")
        return stage.workflow

    events = stage.turn(model=model, workflow=workflow).stream(request("Who directed Inception?"))
    assert isinstance(await anext(events), Start)
    assert made == []
    assert [event.status async for event in events][-1] == "done"
    assert made == ["workflow", "model"]
