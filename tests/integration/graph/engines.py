"""The graph engines that the contract runs on: ArcadeDB always, Neo4j where one is named."""

import contextlib
import fcntl
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from clew.graph.connection import Graph, connect
from clew.graph.namespace import Namespace
from clew.graph.schema import ArcadeSchema, Neo4jSchema, Schema
from clew.local.data_directory import DataDirectory
from clew.local.graph import start_graph, wait_for_graph
from clew.local.ports import free_port

NEO4J_URI: Final = "CLEW_TEST_NEO4J_URI"
NEO4J_PASSWORD: Final = "CLEW_TEST_NEO4J_PASSWORD"
WIPE: Final = "MATCH (n) WHERE n.kb = $kb DETACH DELETE n"


@dataclass(frozen=True)
class Engine:
    """A graph that answers; ``owner`` keeps what this run writes apart from what is there already."""

    name: str
    graph: Graph
    schema: Schema
    uri: str
    username: str
    database: str
    password: str = field(repr=False)
    owner: str = field(default_factory=lambda: f"t{uuid.uuid4().hex[:12]}")

    def namespace(self, kb_prefix: str = "kb", tenant: str = "") -> Namespace:
        """A namespace that nobody has used: a tenant of its own unless one is named."""
        return Namespace(f"{self.owner}.{tenant or uuid.uuid4().hex[:8]}", kb_prefix)

    def emptied(self, kb_prefix: str, tenant: str) -> Namespace:
        """A namespace without a node. Its indexes stay when it had some.

        They take longer to make than to use, and each one that Neo4j makes has it forget how it runs its queries.
        """
        namespace = self.namespace(kb_prefix, tenant)
        self.graph.write(lambda transaction: transaction.run(WIPE, kb=namespace.key).consume())
        return namespace


@contextlib.contextmanager
def arcadedb(folder: Path) -> Iterator[Engine]:
    """ArcadeDB as the laptop stack starts it: a process of its own, ended afterwards."""
    data = DataDirectory(folder / ".clew")
    data.create()
    child, address = start_graph(data, free_port(), free_port())
    try:
        wait_for_graph(child, address, data)
        secret = address.secret()
        graph = connect(secret["uri"], secret["username"], secret["password"], secret["database"])
        schema = ArcadeSchema(graph, secret["admin_url"], secret["database"], secret["username"], secret["password"])
        with contextlib.closing(graph):
            yield Engine(
                "arcadedb", graph, schema, secret["uri"], secret["username"], secret["database"], secret["password"]
            )
    finally:
        child.stop()


@contextlib.contextmanager
def neo4j_server() -> Iterator[Engine]:
    """The Neo4j that the environment names; what was written is removed afterwards."""
    uri, password = os.environ.get(NEO4J_URI), os.environ.get(NEO4J_PASSWORD)
    if not uri or not password:
        pytest.skip(f"no Neo4j to test with: set {NEO4J_URI} and {NEO4J_PASSWORD}")
    graph = connect(uri, "neo4j", password, "neo4j")
    with contextlib.closing(graph):
        engine = Engine("neo4j", graph, Neo4jSchema(graph), uri, "neo4j", "neo4j", password)
        try:
            _make_what_all_share(engine)
            yield engine
        finally:
            remove = "MATCH (n) WHERE n.kb STARTS WITH $owner OR n.tenant_id STARTS WITH $owner DETACH DELETE n"
            graph.write(lambda transaction: transaction.run(remove, owner=engine.owner).consume())


def _make_what_all_share(engine: Engine) -> None:
    """One process at a time: of two that make a constraint at the same moment, Neo4j refuses one."""
    schema = Neo4jSchema(engine.graph)
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        schema.prepare(engine.namespace(), 3)
        schema.prepare_episodes()


@contextlib.contextmanager
def started(name: str, folder: Path) -> Iterator[Engine]:
    with arcadedb(folder) if name == "arcadedb" else neo4j_server() as engine:
        yield engine
