"""Episodes on each engine; an engine is started once, and what was written is removed."""

from collections.abc import Iterator

import pytest

from clew.memory.episodes import Episodes
from tests.integration.graph.engines import Engine, started
from tests.integration.graph.term_embedder import TermEmbedder

REMOVE = "MATCH (n) WHERE n.tenant_id STARTS WITH $owner DETACH DELETE n"


@pytest.fixture(scope="package", params=["arcadedb", "neo4j"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with started(request.param, tmp_path_factory.mktemp("graph")) as running:
        yield running
        running.graph.change(REMOVE, owner=running.owner)


@pytest.fixture
def tenant(engine: Engine) -> str:
    """A tenant that no other test knows."""
    return engine.namespace().tenant_id


@pytest.fixture
def embedder() -> TermEmbedder:
    return TermEmbedder()


@pytest.fixture
def episodes(engine: Engine, embedder: TermEmbedder, tenant: str) -> Episodes:
    return Episodes(engine.graph, engine.schema, embedder, tenant)
