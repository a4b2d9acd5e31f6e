"""The graph as the stack starts and stops it."""

import base64
import contextlib
import json
import urllib.request
from collections.abc import Iterator

import neo4j
import pytest

from clew.errors import ConfigurationError
from clew.local.child import Child, identity
from clew.local.data_directory import DataDirectory
from clew.local.graph import GraphAddress, StaleGraphError, start_graph, wait_for_graph
from clew.local.ports import free_port


@contextlib.contextmanager
def graph(data: DataDirectory) -> Iterator[tuple[Child, GraphAddress]]:
    child, address = start_graph(data, free_port(), free_port())
    try:
        wait_for_graph(child, address, data)
        yield child, address
    finally:
        child.stop()


def run(address: GraphAddress, query: str, **parameters: object) -> list[dict[str, object]]:
    secret = address.secret()
    with neo4j.GraphDatabase.driver(secret["uri"], auth=(secret["username"], secret["password"])) as driver:
        records = driver.execute_query(query, parameters, database_=secret["database"]).records
        return [record.data() for record in records]


def schema_command(address: GraphAddress, command: str) -> int:
    secret = address.secret()
    credentials = base64.b64encode(f"{secret['username']}:{secret['password']}".encode()).decode()
    request = urllib.request.Request(
        f"{secret['admin_url']}/api/v1/command/{secret['database']}",
        json.dumps({"language": "sql", "command": command}).encode(),
        {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return int(answer.status)


def test_nodes_and_indexes_survive_a_restart(data: DataDirectory) -> None:
    with graph(data) as (_, address):
        for command in (
            "CREATE VERTEX TYPE Chunk IF NOT EXISTS",
            "CREATE PROPERTY Chunk.terms IF NOT EXISTS STRING",
            "CREATE INDEX IF NOT EXISTS ON Chunk (terms) FULL_TEXT",
        ):
            assert schema_command(address, command) == 200
        run(address, "MERGE (c:Chunk {id: $id}) SET c.terms = $terms", id="a", terms="inception nolan")
    with graph(data) as (_, address):
        search = "CALL db.index.fulltext.queryNodes('Chunk[terms]', $q) YIELD node RETURN node.id AS id"
        assert run(address, search, q="nolan") == [{"id": "a"}]


def test_it_ends_by_itself_when_asked(data: DataDirectory) -> None:
    with graph(data) as (child, _):
        pid = child.pid
    assert child.exit_code() == 0
    assert identity(pid) is None


def test_a_password_that_does_not_fit_is_a_stale_directory(data: DataDirectory) -> None:
    with graph(data):
        pass
    (data.graph / "password").write_text("something-else-entirely")
    with pytest.raises(StaleGraphError, match="Move the data directory away"), graph(data):
        pytest.fail("the graph took a wrong password")


def test_a_graph_that_another_process_has_open_is_not_called_stale(data: DataDirectory) -> None:
    with (
        graph(data),
        pytest.raises(ConfigurationError, match="Another process has the graph") as caught,
        graph(data),
    ):
        pytest.fail("two processes opened one graph")
    assert not isinstance(caught.value, StaleGraphError)


def test_a_damaged_database_is_a_stale_directory(data: DataDirectory) -> None:
    with graph(data) as (_, address):
        run(address, "CREATE (:Chunk {id: 'a'})")
    for path in (data.graph / "databases" / "clew").iterdir():
        path.write_bytes(b"damaged")
    with pytest.raises(StaleGraphError, match="cannot be opened"), graph(data):
        pytest.fail("the graph opened a damaged database")
