"""The retrieval function: one item of the workflow's Map."""

import contextlib
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from clew import wiring
from clew.errors import (
    ClewError,
    GraphError,
    GraphUnavailableError,
    InternalError,
    ModelThrottledError,
    ModelUnavailableError,
    ThrottledError,
)
from clew.retrieval.evidence import EntityRef, Passage, RetrievalRun, Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.pool import AgentPool
from clew.retrieval.run_notes import RunNote, RunNotes
from clew.retrieval.trace import trace
from clew.routing.worker_name import WorkerName
from clew.text.embedding import Vector

ENVIRONMENT = {"CLEW_NEO4J_SECRET": "clew/dev/neo4j", "CLEW_GRAPH_ENGINE": "arcadedb", "CLEW_EMBEDDER": "e5"}
SECRET = "Who secretly directed Inception?"


class Pool(AgentPool):
    """The real pool's checks with one agent behind them that gives a passage, or fails."""

    def __init__(self) -> None:
        super().__init__(lambda _: object.__new__(GraphReader), NoEmbedder())
        self.error: Exception | None = None
        self.asked: list[tuple[str, str, str]] = []

    def agent(self, worker: WorkerName) -> Any:
        super().agent(worker)
        return Answering(self, str(worker))


class Answering:
    def __init__(self, pool: Pool, worker: str) -> None:
        self._pool = pool
        self._worker = worker

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        self._pool.asked.append((self._worker, query, thread_id))
        if self._pool.error:
            raise self._pool.error
        passage = Passage(id="p1", document_id="d1", title="盗梦空间", text="Secret text.", score=0.5)
        return trace("graph_agent", [passage], linked=[EntityRef(id="e1", name="Inception")])


class NoEmbedder:
    dimensions = 2

    def embed_query(self, text: str) -> Vector:
        raise AssertionError(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(texts)


@pytest.fixture
def pool() -> Pool:
    return Pool()


@pytest.fixture
def run(load_handler: Any, context: Any, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Call the function as the Map does; ``tenants`` collects whose pool was asked for."""
    tenants: list[str] = []

    def pool_of(_: object, tenant_id: str) -> Pool:
        tenants.append(tenant_id)
        return pool

    monkeypatch.setattr(wiring.retrieval, "agent_pool", pool_of)

    def call(worker_name: str = "movie:graph_agent:retrieve_only", **fields: Any) -> dict[str, Any]:
        spec = {"agent_type": "graph_agent", "worker_name": worker_name}
        event = {"spec": spec, "query": SECRET, "tenant_id": "acme", "session_id": "s1"} | fields
        answer: dict[str, Any] = load_handler("retrieval", **ENVIRONMENT).handler(event, context)
        assert tenants[-1] == event["tenant_id"]
        return answer

    return call


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What the function has written, all of which is JSON."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_answer_is_a_run_as_json(run: Any, pool: Pool) -> None:
    answer = run()
    assert json.loads(json.dumps(answer)) == answer
    read = RetrievalRun.model_validate(answer)
    assert [passage.id for passage in read.passages] == ["p1"]
    assert [entity.name for entity in read.reference.linked] == ["Inception"]
    assert read.error is None
    assert pool.asked == [("movie:graph_agent:retrieve_only", SECRET, "s1")]


@pytest.mark.parametrize(
    "error",
    [GraphUnavailableError("x"), ModelThrottledError("x"), ModelUnavailableError("x"), ThrottledError("x")],
    ids=lambda error: type(error).__name__,
)
def test_what_may_succeed_later_is_left_to_the_workflows_retry(
    run: Any, pool: Pool, error: ClewError, capsys: pytest.CaptureFixture[str]
) -> None:
    pool.error = error
    with pytest.raises(type(error), match="x"):
        run()
    (line,) = [each for each in lines(capsys) if each.get("level") == "WARNING"]
    assert (line["message"], line["exception_name"]) == ("failed", type(error).__name__)


def test_what_cannot_succeed_later_is_an_error_entry_and_the_plan_goes_on(run: Any, pool: Pool) -> None:
    pool.error = GraphError("The knowledge graph refused a query.")
    answer = RetrievalRun.model_validate(run())
    assert answer.error is not None
    assert (answer.error.type, answer.error.message) == ("GraphError", "The knowledge graph refused a query.")
    assert (answer.passages, answer.worker_name) == ((), "movie:graph_agent:retrieve_only")


@pytest.mark.parametrize(
    ("worker_name", "error"),
    [
        ("movie:oracle:retrieve_only", "UnknownAgentTypeError"),
        ("movie:graph_agent:ask", "WorkerNameError"),
        ("", "UnknownKnowledgeBaseError"),
    ],
)
def test_a_name_that_names_no_worker_is_an_error_entry(run: Any, worker_name: str, error: str) -> None:
    answer = RetrievalRun.model_validate(run(worker_name))
    assert answer.error is not None
    assert answer.error.type == error


TOGETHER = {"execution": "e1", "total": 2}


def test_a_run_of_several_is_noted_for_who_waits_for_all(run: Any, table: Table) -> None:
    run(**TOGETHER)
    assert RunNotes(table).finished("e1") == [
        RunNote(worker_name="movie:graph_agent:retrieve_only", agent_type="graph_agent", retrieval_count=1, total=2)
    ]


def test_a_failed_run_of_several_is_noted_as_failed(run: Any, pool: Pool, table: Table) -> None:
    pool.error = GraphError("The knowledge graph refused a query.")
    run(**TOGETHER)
    (note,) = RunNotes(table).finished("e1")
    assert note.error == "GraphError"


@pytest.mark.parametrize("alone", [{"execution": "e1", "total": 1}, {}], ids=["one of one", "not told"])
def test_a_run_that_is_alone_writes_nothing(run: Any, table: Table, alone: dict[str, Any]) -> None:
    run(**alone)
    assert table.scan()["Items"] == []


def test_a_run_that_will_be_tried_again_is_not_noted(run: Any, pool: Pool, table: Table) -> None:
    pool.error = GraphUnavailableError("x")
    with pytest.raises(GraphUnavailableError):
        run(**TOGETHER)
    assert table.scan()["Items"] == []


def test_a_run_that_cannot_be_noted_is_whole_all_the_same(
    run: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ThrottledError("The table is asked for too much.")  # as a worker's error it would be tried again

    monkeypatch.setattr(RunNotes, "put", broken)
    assert RetrievalRun.model_validate(run(**TOGETHER)).error is None
    (warning,) = [each for each in lines(capsys) if each.get("level") == "WARNING"]
    assert (warning["message"], warning["error"]) == ("run not noted", "ThrottledError")


def test_an_error_that_is_not_ours_is_not_hidden_but_what_it_says_is(
    run: Any, pool: Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    pool.error = ZeroDivisionError(f"a defect met {SECRET}")
    with pytest.raises(InternalError, match="ZeroDivisionError") as raised:
        run()
    assert raised.value.__cause__ is None, "Lambda writes what it is caused by as well"
    assert raised.value.__suppress_context__
    (line,) = [each for each in lines(capsys) if each.get("level") == "ERROR"]
    assert line["exception_name"] == "ZeroDivisionError"
    assert "retrieve_with_trace" in line["exception"]
    assert SECRET not in json.dumps(line)


@pytest.mark.parametrize("missing", ["spec", "query", "tenant_id", "session_id"])
def test_an_event_that_is_not_the_maps_is_refused(load_handler: Any, context: Any, missing: str) -> None:
    spec = {"agent_type": "graph_agent", "worker_name": "movie:graph_agent:retrieve_only"}
    event = {"spec": spec, "query": "x", "tenant_id": "acme", "session_id": "s1"}
    del event[missing]
    with pytest.raises(InternalError, match="ValidationError"):
        load_handler("retrieval", **ENVIRONMENT).handler(event, context)


def test_every_line_has_the_id_of_the_request_and_the_packages_lines_look_alike(
    run: Any, pool: Pool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def search(*_: object) -> Trace:
        logging.getLogger("clew.retrieval.research.rounds").warning("research ends without its planner: %s", "X")
        logging.getLogger("some.library").warning("slow")
        logging.getLogger("some.library").info("not worth a line")
        return trace("graph_agent", [])

    monkeypatch.setattr(Answering, "retrieve_with_trace", search)
    run(correlation_id="request-7")
    run()
    told = [each for each in lines(capsys) if "message" in each]
    assert [each["message"] for each in told[:3]] == ["research ends without its planner: X", "slow", "retrieved"]
    assert {each["correlation_id"] for each in told[:3]} == {"request-7"}
    assert len({frozenset(each) - {"session_id", "worker_name", "passages", "took_ms"} for each in told[:3]}) == 1
    later = {each["correlation_id"] for each in told[3:]}
    assert len(later) == 1
    assert later != {"request-7"}


def metric(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, list[float]], dict[str, str]]:
    """The values and the dimensions of the one set of metrics that was written."""
    (found,) = [each for each in lines(capsys) if "_aws" in each]
    (directive,) = found["_aws"]["CloudWatchMetrics"]
    (dimensions,) = directive["Dimensions"]
    values = {each["Name"]: found[each["Name"]] for each in directive["Metrics"]}
    return values, {name: found[name] for name in dimensions}


def test_metrics_tell_time_and_number_by_the_kind_of_worker(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run()
    values, dimensions = metric(capsys)
    assert values["Passages"] == [1.0]
    assert values["RunDuration"][0] >= 0
    assert dimensions == {"service": "clew-retrieval", "stage": "dev", "agent_type": "graph_agent"}


@pytest.mark.parametrize("error", [GraphError("x"), GraphUnavailableError("x")], ids=lambda each: type(each).__name__)
def test_metrics_count_attempts_that_failed_by_the_kind_of_error(
    run: Any, pool: Pool, error: ClewError, capsys: pytest.CaptureFixture[str]
) -> None:
    pool.error = error
    with contextlib.suppress(GraphUnavailableError):
        run()
    values, dimensions = metric(capsys)
    assert values == {"RunErrors": [1.0]}
    assert dimensions == {"service": "clew-retrieval", "stage": "dev", "error": type(error).__name__}


def test_the_log_tells_how_much_was_found_and_not_what(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run()
    logged = lines(capsys)
    (told,) = [each for each in logged if each.get("message") == "retrieved"]
    assert (told["worker_name"], told["passages"]) == ("movie:graph_agent:retrieve_only", 1)
    assert "ecret" not in json.dumps(logged)
