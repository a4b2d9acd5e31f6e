"""fusion_agent: the other rankings fused by weight, and reranked where a reranker is configured."""

import logging
from collections import defaultdict
from typing import Final

from clew.errors import InternalError, TransientError
from clew.retrieval.agents.graph_agent import graph_scores
from clew.retrieval.agents.hybrid_agent import hybrid_scores
from clew.retrieval.evidence import Passage, Trace
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.reranker import Reranker
from clew.retrieval.scores import best, weighted_sum
from clew.retrieval.search import Search, searching
from clew.retrieval.trace import trace
from clew.text.embedding import Embedder

KEPT: Final = 10
RERANKED: Final = 20
# The graph's list leads: fused alike, the lists of words and meaning would outvote what only it can find.
WEIGHTS: Final = {"graph_agent": 1.0, "hybrid_agent": 0.5, "naive_rag_agent": 0.3}

logger = logging.getLogger(__name__)


class FusionAgent:
    """Fuses the rankings of words and meaning, of the graph, and of communities, over one set of searches."""

    agent_type: Final = "fusion_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder, reranker: Reranker | None = None) -> None:
        self._reader = reader
        self._embedder = embedder
        self._reranker = reranker

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        with searching(self._reader, self._embedder, query) as search:
            lists = {name: best(scores, RERANKED) for name, scores in _rankings(search).items()}
            fused = weighted_sum([(WEIGHTS[name], scores) for name, scores in lists.items()])
            found = search.passages(fused, RERANKED if self._reranker else KEPT)
            finders = _finders(lists)
            return trace(
                self.agent_type,
                [_found_by(each, (self.agent_type, *finders[each.id])) for each in self._reranked(query, found)[:KEPT]],
                linked=search.walk.linked,
                facts=search.walk.facts,
                communities=search.communities,
            )

    def _reranked(self, query: str, passages: list[Passage]) -> list[Passage]:
        """The passages by the reranker's scores; as they were where there is none or it does not answer."""
        if self._reranker is None or not passages:
            return passages
        try:
            scores = self._reranker.rerank(query, [f"{passage.title}\n{passage.text}" for passage in passages])
        except (TransientError, InternalError) as error:
            logger.warning("not reranked: %s", type(error).__name__)
            return passages
        scored = [passage.model_copy(update={"score": score}) for passage, score in zip(passages, scores, strict=True)]
        return sorted(scored, key=lambda passage: -passage.score)  # those scored alike stay in their order


def _rankings(search: Search) -> dict[str, dict[str, float]]:
    return {
        "graph_agent": graph_scores(search),
        "hybrid_agent": hybrid_scores(search),
        "naive_rag_agent": search.direct,
    }


def _finders(lists: dict[str, dict[str, float]]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for name, scores in lists.items():
        for passage_id in scores:
            found[passage_id] += (name,)
    return found


def _found_by(passage: Passage, finders: tuple[str, ...]) -> Passage:
    return passage.model_copy(update={"found_by": finders})
