"""graph_agent: from the entities that a question names, along the graph, to passages."""

from typing import Final

from clew.retrieval.evidence import Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.search import Search, searching
from clew.retrieval.trace import trace
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
        with searching(self._reader, self._embedder, query) as search:
            passages = search.passages(graph_scores(search), KEPT)
            return trace(self.agent_type, passages, linked=search.walk.linked, facts=search.walk.facts)


def graph_scores(search: Search) -> dict[str, float]:
    """Passage ids with what the walk gives them and a smaller part for what is found directly; from 0 to about 1.5."""
    search.begin()  # the direct searches go on beside the walk
    walked = search.walk.passages
    scores = {key: DIRECT_WEIGHT * score for key, score in search.direct.items()}
    for passage_id, score in walked.items():
        scores[passage_id] = scores.get(passage_id, 0.0) + score
    return scores
