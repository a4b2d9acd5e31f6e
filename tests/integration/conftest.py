"""The graph's engines, each started once for all tests that are about a graph."""

import contextlib
import functools
from collections.abc import Callable, Iterator

import pytest

from tests.integration.graph.engines import Engine, started


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    """An engine by its name, started when it is first asked for."""
    with contextlib.ExitStack() as running:
        yield functools.cache(lambda name: running.enter_context(started(name, tmp_path_factory.mktemp(name))))


@pytest.fixture(scope="session", params=["arcadedb", "neo4j"])
def engine(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Engine:
    """Each engine in turn."""
    return engines(request.param)
