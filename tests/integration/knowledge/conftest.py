"""A library on each engine, with profiles in a table in process."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.table import profiles_table


@pytest.fixture
def library(engine: Engine) -> Iterator[Library]:
    with mock_aws():
        yield Library(engine, profiles_table(boto3.Session()))


@pytest.fixture
def namespace(engine: Engine) -> Namespace:
    """An empty knowledge base."""
    return engine.emptied("kb", "loaded")
