"""The schema of episodes is made once in a process."""

import pytest

from clew.errors import GraphUnavailableError
from clew.graph.schema import EPISODES, ArcadeSchema, Neo4jSchema


class NotingGraph:
    """Takes schema statements, or is away for one."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.away = False

    def run(self, statement: str) -> None:
        if self.away:
            raise GraphUnavailableError("away")
        self.statements.append(statement)


@pytest.fixture
def graph() -> NotingGraph:
    return NotingGraph()


def arcade(graph: NotingGraph, monkeypatch: pytest.MonkeyPatch) -> tuple[ArcadeSchema, list[str]]:
    schema, commands = ArcadeSchema(graph, "http://host", "db", "root", "x"), []
    monkeypatch.setattr(schema, "_command", commands.append)
    return schema, commands


def test_neo4j_is_asked_once(graph: NotingGraph) -> None:
    schema = Neo4jSchema(graph)
    for _ in range(3):
        schema.prepare_episodes()
    assert graph.statements == [*EPISODES, "CALL db.awaitIndexes(60)"]


def test_arcadedb_is_asked_once(graph: NotingGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    schema, commands = arcade(graph, monkeypatch)
    for _ in range(3):
        schema.prepare_episodes()
    assert graph.statements == list(EPISODES)
    assert commands == ["CREATE PROPERTY Episode.embedding IF NOT EXISTS ARRAY_OF_FLOATS"]


def test_what_failed_is_tried_again(graph: NotingGraph) -> None:
    schema = Neo4jSchema(graph)
    graph.away = True
    with pytest.raises(GraphUnavailableError):
        schema.prepare_episodes()
    graph.away = False
    schema.prepare_episodes()
    assert graph.statements[:3] == list(EPISODES)
