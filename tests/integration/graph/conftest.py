"""A namespace for each test, on each engine."""

import pytest

from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine


@pytest.fixture
def namespace(engine: Engine) -> Namespace:
    """An empty knowledge base without indexes."""
    return engine.namespace()
