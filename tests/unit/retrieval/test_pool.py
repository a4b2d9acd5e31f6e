"""The pool: as many agents as knowledge bases times types, whoever asks and however many at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.errors import UnknownAgentTypeError
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.pool import AgentPool
from clew.routing.worker_name import AGENT_TYPES, WorkerName
from clew.text.embedding import Vector

KBS = ("movie", "edu", "hr")


class NoEmbedder:
    """Stands where an embedder is needed and never asked."""

    dimensions = 2

    def embed_query(self, text: str) -> Vector:
        raise AssertionError(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(texts)


class Readers:
    """Makes a reader for a knowledge base and counts them; ``together`` threads must wait for each other first."""

    def __init__(self, together: threading.Barrier | None = None) -> None:
        self.made: list[str] = []
        self._together = together

    def __call__(self, kb_prefix: str) -> GraphReader:
        self.made.append(kb_prefix)
        return object.__new__(GraphReader)  # making an agent sends nothing, so it needs no connection


def test_one_agent_serves_every_session_of_a_knowledge_base() -> None:
    pool = AgentPool(Readers(), NoEmbedder())
    workers = [WorkerName(kb, agent) for kb in KBS for agent in AGENT_TYPES]
    first = {str(worker): pool.agent(worker) for worker in workers}
    for _ in range(200):  # sessions
        for worker in workers:
            assert pool.agent(worker) is first[str(worker)]
    assert len(pool) == len(KBS) * len(AGENT_TYPES)
    assert len({id(agent) for agent in first.values()}) == len(first)


def test_a_knowledge_base_has_agents_of_its_own() -> None:
    pool = AgentPool(Readers(), NoEmbedder())
    agents = {id(pool.agent(WorkerName(kb, "graph_agent"))) for kb in KBS}
    assert len(agents) == len(KBS)


def test_threads_asking_at_once_get_the_same_agent() -> None:
    for _ in range(20):
        readers = Readers()
        pool = AgentPool(readers, NoEmbedder())
        barrier = threading.Barrier(8)

        def ask(barrier: threading.Barrier = barrier, pool: AgentPool = pool) -> int:
            barrier.wait(timeout=30)
            return id(pool.agent(WorkerName("movie", "graph_agent")))

        with ThreadPoolExecutor(8) as threads:
            answers = [threads.submit(ask) for _ in range(8)]
            assert len({answer.result(timeout=30) for answer in answers}) == 1
        assert readers.made == ["movie"]
        assert len(pool) == 1


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_each_type_has_its_agent(agent_type: str) -> None:
    agent = AgentPool(Readers(), NoEmbedder()).agent(WorkerName("movie", agent_type))
    assert agent.agent_type == agent_type  # type: ignore[attr-defined]


@pytest.mark.parametrize("agent_type", ["", "oracle", "graph_agent "])
def test_an_unknown_type_is_refused_and_leaves_nothing_behind(agent_type: str) -> None:
    pool = AgentPool(Readers(), NoEmbedder())
    with pytest.raises(UnknownAgentTypeError):
        pool.agent(WorkerName("movie", agent_type))
    assert len(pool) == 0
