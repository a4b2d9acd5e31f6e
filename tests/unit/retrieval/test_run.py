"""Running one item of a plan."""

import pytest

from clew.errors import GraphUnavailableError, UnknownKnowledgeBaseError, WorkerNameError
from clew.retrieval.evidence import EntityRef, Passage, Trace
from clew.retrieval.run import run_worker
from clew.retrieval.trace import trace
from clew.routing.decision import RagRunSpec
from clew.routing.worker_name import WorkerName


class Pool:
    """Gives every worker the same agent, and that agent the same evidence."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self._worker = ""
        self._error = error

    def agent(self, worker: WorkerName) -> "Pool":
        self._worker = str(worker)
        return self

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        self.asked.append((self._worker, query, thread_id))
        if self._error:
            raise self._error
        passage = Passage(id="p", document_id="d", title="T", text="Text.", score=0.5)
        return trace("graph_agent", [passage], linked=[EntityRef(id="e", name="Inception")])


def spec(worker_name: str, agent_type: str = "graph_agent") -> RagRunSpec:
    return RagRunSpec(agent_type=agent_type, worker_name=worker_name)


def test_it_is_the_agents_evidence_in_the_shape_of_a_run() -> None:
    pool = Pool()
    run = run_worker(pool, spec("movie:graph_agent:retrieve_only"), "Who?", "s1")  # type: ignore[arg-type]
    assert pool.asked == [("movie:graph_agent:retrieve_only", "Who?", "s1")]
    assert (run.worker_name, run.agent_type, run.error) == ("movie:graph_agent:retrieve_only", "graph_agent", None)
    assert [passage.id for passage in run.passages] == ["p"]
    assert run.passages[0].found_by == ("graph_agent",)
    assert [entity.name for entity in run.reference.linked] == ["Inception"]
    assert run.took_ms >= 0


def test_the_worker_name_decides_and_not_the_type_beside_it() -> None:
    pool = Pool()
    given = spec("movie:naive_rag_agent:retrieve_only", agent_type="graph_agent")
    run = run_worker(pool, given, "Who?", "s1")  # type: ignore[arg-type]
    assert pool.asked[0][0] == "movie:naive_rag_agent:retrieve_only"
    assert run.agent_type == "naive_rag_agent"


@pytest.mark.parametrize(
    ("worker_name", "error"),
    [
        ("movie:graph_agent:ask", WorkerNameError),
        ("a:b:c:d", WorkerNameError),
        ("", UnknownKnowledgeBaseError),
        ("graph_agent", UnknownKnowledgeBaseError),
    ],
)
def test_a_name_that_names_no_worker_is_refused(worker_name: str, error: type[Exception]) -> None:
    pool = Pool()
    with pytest.raises(error):
        run_worker(pool, spec(worker_name), "Who?", "s1")  # type: ignore[arg-type]
    assert pool.asked == []


def test_errors_are_left_to_the_workflow() -> None:
    pool = Pool(GraphUnavailableError("down"))
    with pytest.raises(GraphUnavailableError):
        run_worker(pool, spec("movie:graph_agent:retrieve_only"), "Who?", "s1")  # type: ignore[arg-type]
