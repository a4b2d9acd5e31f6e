"""hybrid_agent: low level from entities and passages, high level from communities and their summaries."""

from typing import Final

from clew.retrieval.agents.graph_agent import graph_scores
from clew.retrieval.evidence import Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.scores import standardised
from clew.retrieval.search import Search, searching
from clew.retrieval.trace import trace
from clew.text.embedding import Embedder

KEPT: Final = 10
HIGH_WEIGHT: Final = 0.3  # of what communities bring, against 1 for what the question's own names lead to
MAX_MEMBERS: Final = 40
MAX_PASSAGES: Final = 120


class HybridAgent:
    """Passages near what the question names, and passages of the communities that the question is about.

    The communities' summaries are in ``reference``: they say what the passages have in common.
    """

    agent_type: Final = "hybrid_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        with searching(self._reader, self._embedder, query) as search:
            return trace(
                self.agent_type,
                search.passages(hybrid_scores(search), KEPT),
                linked=search.walk.linked,
                facts=search.walk.facts,
                communities=search.communities,
            )


def hybrid_scores(search: Search) -> dict[str, float]:
    """Passage ids with the graph's score and a smaller part for the communities whose members they are about."""
    search.begin_communities()
    scores = dict(graph_scores(search))
    for passage_id, score in standardised(_community_scores(search)).items():
        scores[passage_id] = scores.get(passage_id, 0.0) + HIGH_WEIGHT * score
    return scores


def _community_scores(search: Search) -> dict[str, float]:
    found = {community.id: community.score for community in search.communities}
    members: dict[str, float] = {}
    for community_id, entity_id in search.reader.communities.members(list(found), MAX_MEMBERS):
        members[entity_id] = max(members.get(entity_id, 0.0), found[community_id])
    scores: dict[str, float] = {}
    for mention in search.reader.about(list(members), MAX_PASSAGES):
        scores[mention.passage_id] = max(scores.get(mention.passage_id, 0.0), members[mention.entity_id])
    return scores
