"""A library on a graph of its own, with profiles in a table in process."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine, started
from tests.integration.graph.library import Library
from tests.integration.table import profiles_table


@pytest.fixture(scope="package", params=["arcadedb", "neo4j"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with started(request.param, tmp_path_factory.mktemp("graph")) as running:
        yield running


@pytest.fixture
def library(engine: Engine) -> Iterator[Library]:
    with mock_aws():
        yield Library(engine, profiles_table(boto3.Session()))


@pytest.fixture
def namespace(engine: Engine) -> Namespace:
    """An empty knowledge base."""
    return engine.namespace()
