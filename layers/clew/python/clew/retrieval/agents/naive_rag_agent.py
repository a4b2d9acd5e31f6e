"""naive_rag_agent: passages near in meaning and passages sharing words."""

from typing import Final

from clew.retrieval.evidence import Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.scores import best
from clew.retrieval.search import searching
from clew.retrieval.trace import trace
from clew.retrieval.variety import LOOKED_AT, varied
from clew.text.embedding import Embedder

KEPT: Final = 10


class NaiveRagAgent:
    """Vector and full-text search, their standardised scores added."""

    agent_type: Final = "naive_rag_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        with searching(self._reader, self._embedder, query) as search:
            passages = self._reader.passages(best(search.direct, KEPT * LOOKED_AT))
        return trace(self.agent_type, varied(passages, KEPT))
