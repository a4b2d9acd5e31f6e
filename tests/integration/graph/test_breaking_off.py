"""A graph that dies, returns, or takes too long while somebody waits for it."""

import contextlib
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import neo4j
import pytest

from clew.errors import GraphUnavailableError
from clew.graph import connection
from clew.graph.connection import Graph, connect
from clew.graph.namespace import Namespace
from clew.local.ports import LOOPBACK
from tests.integration.graph.engines import Engine
from tests.integration.graph.line import Line, line_to

CREATE = "CREATE (n:Note {id: $id, kb: $kb})"
COUNT = "MATCH (n:Note {kb: $kb}) RETURN count(n) AS count"
# Some 10^10 rows: no engine counts them while a test runs, and none may cache the answer.
SLOW = "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y WITH x * y AS z RETURN max(z) AS greatest"


@pytest.fixture
def line(engine: Engine) -> Iterator[Line]:
    with line_to(urlsplit(engine.uri).port or 0) as line:
        yield line


@pytest.fixture
def distant(engine: Engine, line: Line) -> Iterator[Graph]:
    """The same graph, at the other end of the line."""
    uri = f"bolt://{LOOPBACK}:{line.port}"
    with contextlib.closing(connect(uri, engine.username, engine.password, engine.database)) as graph:
        assert graph.read("RETURN 1 AS one") == [{"one": 1}]
        yield graph


@contextlib.contextmanager
def unavailable_within(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(GraphUnavailableError):
        yield
    assert time.monotonic() - began < seconds


def test_a_graph_that_died_is_unavailable_within_seconds(distant: Graph, line: Line) -> None:
    line.cut()
    with unavailable_within(6):
        distant.read("RETURN 1 AS one")
    with unavailable_within(6):
        distant.ping()


def test_a_graph_that_returns_is_used_again(distant: Graph, line: Line) -> None:
    line.cut()
    with unavailable_within(6):
        distant.read("RETURN 1 AS one")
    line.restore()
    assert distant.read("RETURN 1 AS one") == [{"one": 1}]


def test_a_restart_between_two_queries_is_not_noticed(engine: Engine, distant: Graph, line: Line) -> None:
    namespace = engine.namespace()
    line.drop()
    assert distant.read("RETURN 1 AS one") == [{"one": 1}]
    line.drop()
    distant.write(lambda transaction: transaction.run(CREATE, id="1", kb=namespace.key).consume())
    assert engine.graph.read(COUNT, kb=namespace.key) == [{"count": 1}]


def test_a_write_that_the_graph_does_not_survive_stores_nothing(engine: Engine, distant: Graph, line: Line) -> None:
    namespace = engine.namespace()

    def work(transaction: neo4j.ManagedTransaction) -> None:
        transaction.run(CREATE, id="1", kb=namespace.key).consume()
        line.cut()
        transaction.run(CREATE, id="2", kb=namespace.key).consume()

    with unavailable_within(8):
        distant.write(work)
    assert _settled(engine, namespace) == 0


def test_a_write_is_tried_again_from_its_beginning(engine: Engine, distant: Graph, line: Line) -> None:
    namespace = engine.namespace()
    attempts = []

    def work(transaction: neo4j.ManagedTransaction) -> None:
        attempts.append(1)
        transaction.run(CREATE, id="1", kb=namespace.key).consume()
        if len(attempts) == 1:
            line.drop()
        transaction.run(CREATE, id="2", kb=namespace.key).consume()

    distant.write(work)
    assert len(attempts) == 2
    assert _settled(engine, namespace) == 2


@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)  # ArcadeDB has no time limit for transactions
def test_a_query_that_takes_too_long_is_given_up(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "READ_SECONDS", 0.5)
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.5)
    with unavailable_within(5):
        engine.graph.read(SLOW)
    with unavailable_within(5):
        engine.graph.write(lambda transaction: transaction.run(SLOW).consume())


def _settled(engine: Engine, namespace: Namespace) -> int:
    """How many nodes the namespace has, once the server has noticed that its client is gone."""
    time.sleep(0.5)
    count: int = engine.graph.read(COUNT, kb=namespace.key)[0]["count"]
    return count
