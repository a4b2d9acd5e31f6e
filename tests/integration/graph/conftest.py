"""Each test of the contract runs on every engine; an engine is started once."""

from collections.abc import Iterator

import pytest

from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine, started


@pytest.fixture(scope="package", params=["arcadedb", "neo4j"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with started(request.param, tmp_path_factory.mktemp("graph")) as running:
        yield running


@pytest.fixture
def namespace(engine: Engine) -> Namespace:
    """An empty knowledge base."""
    return engine.namespace()
