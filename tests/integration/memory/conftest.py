"""Episodes on each engine."""

import pytest

from clew.memory.episodes import Episodes
from tests.integration.graph.engines import Engine
from tests.integration.graph.term_embedder import TermEmbedder


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
