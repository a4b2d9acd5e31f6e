"""graph_agent: from the entities that a question names, along the graph, to passages."""

from typing import Final

from clew.retrieval.agent import trace
from clew.retrieval.evidence import Hop, Passage, Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.naive_rag_agent import direct_scores
from clew.retrieval.scores import best
from clew.retrieval.spreading import spread
from clew.text.embedding import Embedder

KEPT: Final = 10
DIRECT_WEIGHT: Final = 0.4  # against 1 for the graph: a passage about a named entity comes first


class GraphAgent:
    """Passages ranked by the entities they are about or mention, and by how near they are to the question.

    Entities are activated by spreading over relations from those that the question names.
    """

    agent_type: Final = "graph_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        direct = direct_scores(self._reader, self._embedder, query)
        walk = spread(self._reader, query)
        scores = {key: DIRECT_WEIGHT * score for key, score in direct.items()}
        for passage_id, score in walk.passages.items():
            scores[passage_id] = scores.get(passage_id, 0.0) + score
        passages = [
            _with_path(passage, walk.path_to(passage.id)) for passage in self._reader.passages(best(scores, KEPT))
        ]
        return trace(self.agent_type, passages, walk.linked)


def _with_path(passage: Passage, path: tuple[Hop, ...]) -> Passage:
    return passage.model_copy(update={"path": path}) if path else passage
