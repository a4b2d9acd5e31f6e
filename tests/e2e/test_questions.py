"""Questions over HTTP: routed by themselves, answered from the graph with citations, in their language."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from typing import Any

import pytest

from clew.retrieval.run_notes import RunNotes
from clew.routing.worker_name import AGENT_TYPES
from tests.e2e.client import Answer, Client, marks, new_session
from tests.e2e.service import SharedStack


@dataclass(frozen=True)
class Case:
    question: str
    kb: str
    expected: str
    documents: frozenset[str]


TWO_HOPS = (
    Case(
        "In which city was the composer of Interstellar born?",
        "movie",
        "Frankfurt",
        frozenset({"interstellar", "hans-zimmer"}),
    ),
    Case(
        "What did the director of Parasite study at university?",
        "movie",
        "sociology",
        frozenset({"parasite", "bong-joon-ho"}),
    ),
    Case(
        "《卧虎藏龙》的作曲者出生在哪座城市？",
        "movie",
        "长沙",
        frozenset({"crouching-tiger-hidden-dragon", "tan-dun"}),
    ),
    Case("Who teaches the prerequisite of CS301?", "edu", "Lin Yating", frozenset({"cs301", "cs201"})),
    Case("OC201的先修课程由哪位老师主讲？", "edu", "何建国", frozenset({"oc201", "oc101"})),
)


def assert_cited(answer: Answer) -> None:
    """The marks in the text are the citations' numbers, and each citation leads to a passage."""
    citations = answer.done["citations"]
    assert citations
    assert [citation["number"] for citation in citations] == marks(answer.text)
    for citation in citations:
        assert citation["passage_id"]
        assert citation["title"]
        assert citation["quote"]


@pytest.mark.parametrize("case", TWO_HOPS, ids=lambda case: case.question)
def test_a_two_hop_question_is_routed_answered_and_cited(client: Client, case: Case) -> None:
    answer = client.stream(case.question)
    assert case.expected in answer.text
    route = answer.done["route"]
    assert (route["kb_prefix"], route["requested_kb_prefix"]) == (case.kb, "")
    assert route["worker_name"].startswith(f"{case.kb}:")
    assert_cited(answer)
    assert answer.cited_documents == case.documents


def test_a_named_knowledge_base_and_worker_are_used(client: Client) -> None:
    answer = client.stream("Who composed the score of Snowpiercer?", kb_prefix="movie", agent_type="naive_rag_agent")
    assert "Marco Beltrami" in answer.text
    route = answer.done["route"]
    assert (route["method"], route["worker_name"]) == ("override", "movie:naive_rag_agent:retrieve_only")
    assert_cited(answer)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("Who directed Parasite?", "What did he study at university?", "sociology"),
        ("《千与千寻》的作曲者是谁？", "他本名叫什么？", "藤泽守"),
    ],
    ids=["en", "zh"],
)
def test_a_follow_up_is_understood_from_the_turn_before(client: Client, first: str, then: str, expected: str) -> None:
    session = new_session()
    assert expected not in client.stream(first, session).text
    followed = client.stream(then, session)
    assert expected in followed.text
    assert_cited(followed)
    assert expected not in client.stream(then).text


@pytest.mark.parametrize(
    ("message", "titles"),
    [
        ("Hello! What can you do?", ("Linhai University", "Films")),
        ("你好，你能做什么？", ("临海大学学生指南", "电影与影人")),
    ],
    ids=["en", "zh"],
)
def test_a_general_message_is_told_of_the_knowledge_bases_and_cites_nothing(
    client: Client, message: str, titles: tuple[str, ...]
) -> None:
    answer = client.stream(message)
    assert answer.done["route"]["kb_prefix"] == "general"
    assert answer.done["route"]["worker_name"] == ""
    assert answer.done["citations"] == []
    assert marks(answer.text) == []
    for title in titles:
        assert title in answer.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is the box office of Interstellar in Portugal?", "does not answer this question"),
        ("《卧虎藏龙》在葡萄牙的票房是多少？", "没有回答这个问题"),
    ],
    ids=["en", "zh"],
)
def test_what_the_evidence_does_not_say_is_not_answered(client: Client, question: str, words: str) -> None:
    answer = client.stream(question, kb_prefix="movie")
    assert words in answer.text
    assert answer.done["citations"] == []


def test_the_json_answer_is_the_streams_content(client: Client) -> None:
    question = "Who wrote the screenplay of Sicario?"
    streamed, collected = client.stream(question), client.chat(question)
    assert "Taylor Sheridan" in collected["answer"]
    assert collected["answer"] == streamed.text
    for name in ("route", "citations", "usage", "model", "focus", "is_ask_user", "pending_intent"):
        assert collected[name] == streamed.done[name]


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_each_worker_finds_the_evidence_of_an_answer(client: Client, agent_type: str) -> None:
    session = new_session()
    answer = client.stream("Who directed Parasite?", session, kb_prefix="movie", agent_type=agent_type)
    assert "Bong Joon-ho" in answer.text
    assert [run["agent_type"] for run in answer.done["route"]["plan"]] == [agent_type]
    assert "Parasite" in answer.done["citations"][0]["title"]


@pytest.mark.parametrize(
    ("question", "planned"),
    [
        ("Who plays Feyd-Rautha in Dune: Part Two?", {"graph_agent"}),
        ("Where was the composer of Oppenheimer born?", {"graph_agent", "deep_research_agent"}),
        ("《盗梦空间》和《记忆碎片》哪一部上映更早？", {"graph_agent", "deep_research_agent"}),
    ],
)
def test_progress_tells_of_each_worker_and_both_stages(client: Client, question: str, planned: set[str]) -> None:
    answer = client.stream(question)
    progress = [event["content"] for event in answer.events if event["status"] == "progress"]
    workers = {each["agent_type"]: each for each in progress if each["agent_type"]}
    assert set(workers) == planned
    for worker in workers.values():
        assert worker["error"] is None
        assert worker["retrieval_count"] > 0
    assert {each["stage"] for each in progress} == {"retrieval", "generation"}
    assert "execution_log" not in answer.statuses()


def execution_of(session: str, stack: SharedStack) -> dict[str, Any]:
    """The workflow's execution for the session's one question."""
    workflow = stack.aws("stepfunctions")
    executions = workflow.list_executions(stateMachineArn=stack.run.stack.workflow_arn)["executions"]
    described = (workflow.describe_execution(executionArn=each["executionArn"]) for each in executions)
    return next(each for each in described if json.loads(each["input"])["session_id"] == session)


def test_each_worker_of_several_is_told_of_once_and_has_left_a_note(client: Client, stack: SharedStack) -> None:
    session = new_session()
    answer = client.stream("Which came out first, Inception or Memento?", session, agent_type="auto")
    told = [
        event["content"] for event in answer.events if event["status"] == "progress" and event["content"]["agent_type"]
    ]
    assert [(each["completed"], each["total"]) for each in told] == [(1, 2), (2, 2)]
    counts = {each["agent_type"]: each["retrieval_count"] for each in told}
    assert set(counts) == {run["agent_type"] for run in answer.done["route"]["plan"]}
    assert all(counts.values())
    notes = RunNotes(stack.table()).finished(execution_of(session, stack)["name"])
    assert {note.agent_type: note.retrieval_count for note in notes} == counts


def test_debug_shows_every_step_and_the_workflow_ran(client: Client, stack: SharedStack) -> None:
    session = new_session()
    answer = client.stream("Which novella is Arrival based on?", session, debug=True)
    nodes = [event["content"]["node"] for event in answer.events if event["status"] == "execution_log"]
    assert nodes == [
        "remember",
        "rewrite",
        "route",
        "retrieve",
        "merge",
        "verify",
        "recall",
        "context",
        "persist",
    ]
    ours = execution_of(session, stack)
    assert ours["status"] == "SUCCEEDED"
    output = json.loads(ours["output"])
    assert output["decision"] == answer.done["route"]
    assert [run["agent_type"] for run in output["runs"]] == ["graph_agent"]


def test_the_rounds_of_research_are_in_the_execution_log(client: Client) -> None:
    options = {"kb_prefix": "movie", "agent_type": "deep_research_agent", "debug": True}
    answer = client.stream("Where was the composer of Oppenheimer born?", **options)
    (log,) = [
        event["content"]["output"]
        for event in answer.events
        if event["status"] == "execution_log" and event["content"]["node"] == "retrieve"
    ]
    assert log["rounds"][0]["queries"][0] == "Where was the composer of Oppenheimer born?"
    assert log["rounds"][-1]["stopped"]


@pytest.mark.parametrize("number", range(2))
def test_curl_shows_the_stream_as_the_readme_says(client: Client, number: int) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("no curl")
    question = ("Where was the composer of Oppenheimer born?", "《红高粱》原著小说的作者在哪一年获得诺贝尔文学奖？")[
        number
    ]
    command = [curl, "-sS", "-N", "--noproxy", "*", f"{client.url}/chat/stream", "-H", "content-type: application/json"]
    done = subprocess.run(
        [*command, "-d", json.dumps(client.body(question))], capture_output=True, text=True, check=True, timeout=60
    )
    lines = [line for line in done.stdout.split("\n") if line]
    assert all(line.startswith(("id: ", "data: {", ": ping")) for line in lines)
    answer = Answer(tuple(json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")))
    assert answer.statuses()[0] == "start"
    assert ("Linköping", "2012")[number] in answer.text
    assert_cited(answer)
