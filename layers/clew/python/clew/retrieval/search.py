"""One question's searches: each is made once, however many rankings stand on it."""

from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from typing import Final

from clew.retrieval.evidence import CommunityRef, Passage
from clew.retrieval.graph_reader import GraphReader, Link
from clew.retrieval.scores import best, weighted_sum
from clew.retrieval.seeds import seeds
from clew.retrieval.spreading import Walk, spread
from clew.retrieval.variety import LOOKED_AT, varied
from clew.text.embedding import Embedder, Vector

CANDIDATES: Final = 20
VECTOR_WEIGHT: Final = 0.5
WORD_WEIGHT: Final = 0.5
COMMUNITIES: Final = 8
COMMUNITIES_KEPT: Final = 4
ACTIVE: Final = 8  # entities whose communities are looked at
MEMBER_WEIGHT: Final = 0.3

# A search waits for the graph most of its time, so those by words and by meaning go on beside the walk.
# With the walk's own, a question takes at most three of the four connections there are.
BESIDE: Final = 2


class Search:
    """What a knowledge base has for ``query``; made for one question and forgotten with it.

    Each search is made when it is first asked for. Those by words and by meaning run in the threads of
    ``beside``, and ``begin`` lets them go on while others are made; an error of theirs is raised where
    their result is asked for.
    """

    def __init__(self, reader: GraphReader, embedder: Embedder, query: str, beside: Executor) -> None:
        self.reader = reader
        self.query = query
        self._embedder = embedder
        self._beside = beside

    def begin(self) -> None:
        """Begin the searches by meaning and by words; they will be wanted."""
        _ = self._near, self._alike

    def begin_communities(self) -> None:
        """Begin the searches for communities too."""
        self.begin()
        _ = self._communities_alike, self._communities_near

    @property
    def vector(self) -> Vector:
        return self._near.result()[0]

    @property
    def near(self) -> dict[str, float]:
        """Passages near in meaning; scores are (1 + cosine) / 2."""
        return self._near.result()[1]

    @property
    def alike(self) -> dict[str, float]:
        """Passages that share terms; scores are BM25."""
        return self._alike.result()

    @cached_property
    def direct(self) -> dict[str, float]:
        """Passages by meaning and words together, in [0, 1]."""
        self.begin()
        return weighted_sum([(VECTOR_WEIGHT, self.near), (WORD_WEIGHT, self.alike)])

    @cached_property
    def links(self) -> list[Link]:
        """The entities that the question names, and where."""
        return self.reader.link(self.query)

    @cached_property
    def walk(self) -> Walk:
        """Where the graph leads from what the question names or comes near to."""
        return spread(self.reader, self.query, seeds(self.reader, self.query, self.links, lambda: self.near))

    @cached_property
    def communities(self) -> list[CommunityRef]:
        """The communities that the question is about, best first.

        Near in meaning, alike in words, or with members that the walk made active.
        """
        self.begin_communities()
        reader = self.reader.communities
        active = best(self.walk.activation, ACTIVE)
        near, alike = self._communities_near.result(), self._communities_alike.result()
        scores = weighted_sum([(VECTOR_WEIGHT, near), (WORD_WEIGHT, alike)])
        for entity_id, found in reader.of_entities(list(active)).items():
            for community_id in found:
                scores[community_id] = scores.get(community_id, 0.0) + MEMBER_WEIGHT * active[entity_id]
        kept = best(scores, COMMUNITIES_KEPT)
        found_of = {each.id: each for each in reader.communities(list(kept))}
        return [found_of[key].model_copy(update={"score": score}) for key, score in kept.items() if key in found_of]

    def passages(self, scores: dict[str, float], kept: int) -> list[Passage]:
        """The best ``kept`` of the scored passages, best first, each with the way that the graph led to it."""
        return self.walk.on_path(varied(self.reader.passages(best(scores, kept * LOOKED_AT)), kept))

    def follow(self, query: str) -> "Search":
        """The searches of another question to the same knowledge base."""
        return Search(self.reader, self._embedder, query, self._beside)

    @cached_property
    def _near(self) -> "Future[tuple[Vector, dict[str, float]]]":
        return self._beside.submit(self._search_near)

    @cached_property
    def _alike(self) -> "Future[dict[str, float]]":
        return self._beside.submit(self.reader.matching, self.query, CANDIDATES)

    @cached_property
    def _communities_near(self) -> "Future[dict[str, float]]":
        return self._beside.submit(lambda: self.reader.communities.nearest(self.vector, COMMUNITIES))

    @cached_property
    def _communities_alike(self) -> "Future[dict[str, float]]":
        return self._beside.submit(self.reader.communities.matching, self.query, COMMUNITIES)

    def _search_near(self) -> tuple[Vector, dict[str, float]]:
        vector = self._embedder.embed_query(self.query)
        return vector, self.reader.nearest(vector, CANDIDATES)


@contextmanager
def searching(reader: GraphReader, embedder: Embedder, query: str) -> Iterator[Search]:
    """The searches of one question.

    Nothing of it goes on afterwards, not even where one search has failed: a function's instance may be frozen
    once it has answered, and what was on its way to the graph then would hold its connection for good.
    """
    with ThreadPoolExecutor(BESIDE, thread_name_prefix="search") as beside:
        yield Search(reader, embedder, query, beside)
