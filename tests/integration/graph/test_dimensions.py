"""Vectors of another size than the index holds: what another embedder makes."""

import pytest

from clew.errors import ConfigurationError
from clew.graph.namespace import Namespace
from tests.integration.graph.engines import Engine
from tests.integration.graph.test_contract import nearest, put


def test_the_schema_tells_the_size_of_its_vectors(engine: Engine, namespace: Namespace) -> None:
    assert engine.schema.dimensions(namespace) is None
    engine.schema.prepare(namespace, 3)
    assert engine.schema.dimensions(namespace) == 3


def test_another_size_is_refused_with_both_numbers_and_changes_nothing(engine: Engine, namespace: Namespace) -> None:
    engine.schema.prepare(namespace, 3)
    node = put(engine, namespace, "one")
    with pytest.raises(ConfigurationError, match="'kb' holds vectors of 3 numbers, the embedder makes 5"):
        engine.schema.prepare(namespace, 5)
    assert engine.schema.dimensions(namespace) == 3
    assert list(nearest(engine, namespace, [0.6, 0.0, 0.8])) == [node]


def test_knowledge_bases_may_differ_in_size(engine: Engine) -> None:
    sizes = {"a-b": 3, "a_b": 5}
    namespaces = {prefix: engine.namespace(prefix, "sizes") for prefix in sizes}
    for prefix, size in sizes.items():
        engine.schema.prepare(namespaces[prefix], size)
    assert {prefix: engine.schema.dimensions(each) for prefix, each in namespaces.items()} == sizes
