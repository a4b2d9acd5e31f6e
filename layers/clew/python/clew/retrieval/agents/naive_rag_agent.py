"""naive_rag_agent: passages near in meaning and passages sharing words."""

from typing import Final

from clew.retrieval.agent import trace
from clew.retrieval.evidence import Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.scores import best, weighted_sum
from clew.text.embedding import Embedder

CANDIDATES: Final = 20
KEPT: Final = 8
VECTOR_WEIGHT: Final = 0.5
WORD_WEIGHT: Final = 0.5


class NaiveRagAgent:
    """Vector and full-text search, their standardised scores added."""

    agent_type: Final = "naive_rag_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        scores = direct_scores(self._reader, self._embedder, query)
        return trace(self.agent_type, self._reader.passages(best(scores, KEPT)), [])


def direct_scores(reader: GraphReader, embedder: Embedder, query: str) -> dict[str, float]:
    """Passage ids with the weighted sum of how near in meaning and how alike in words they are, in [0, 1]."""
    near = reader.nearest(embedder.embed_query(query), CANDIDATES)
    alike = reader.matching(query, CANDIDATES)
    return weighted_sum([(VECTOR_WEIGHT, near), (WORD_WEIGHT, alike)])
