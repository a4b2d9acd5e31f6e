"""Asking a knowledge base that is not there, or whose vectors another embedder made: told, not shown as a defect."""

import pytest

from clew.errors import ConfigurationError
from clew.knowledge.documents import Document
from clew.retrieval.agents.naive_rag_agent import NaiveRagAgent
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.graph.term_embedder import TermEmbedder


class LongerEmbedder(TermEmbedder):
    """Makes longer vectors than the knowledge base was loaded with."""

    def embed_query(self, text: str) -> list[float]:
        return [*super().embed_query(text), 0.0]


def test_vectors_of_another_length_are_told(engine: Engine, library: Library) -> None:
    namespace = engine.namespace("films")
    library.load(namespace, [Document("a", "Inception", "Christopher Nolan directed Inception.")], TermEmbedder())
    agent = NaiveRagAgent(library.reader(namespace), LongerEmbedder())
    with pytest.raises(ConfigurationError, match="CLEW_EMBEDDER"):
        agent.retrieve_with_trace("Who directed Inception?", "s1")


def test_a_knowledge_base_that_was_never_loaded_is_told(engine: Engine, library: Library) -> None:
    agent = NaiveRagAgent(library.reader(engine.namespace("nothing")), TermEmbedder())
    with pytest.raises(ConfigurationError, match="Load its documents first"):
        agent.retrieve_with_trace("Who directed Inception?", "s1")
