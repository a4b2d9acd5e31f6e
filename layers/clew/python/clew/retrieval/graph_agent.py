"""graph_agent: from the entities that a question names, along the graph, to passages."""

from collections import defaultdict
from typing import Final

from clew.retrieval.agent import trace
from clew.retrieval.evidence import EntityRef, Hop, Passage, Trace
from clew.retrieval.graph_reader import GraphReader, Neighbour
from clew.retrieval.naive_rag_agent import direct_scores
from clew.retrieval.scores import best, standardised
from clew.text.embedding import Embedder
from clew.text.terms import content_terms

HOPS: Final = 2
DECAY: Final = 0.5  # what a hop leaves of an entity's activation
MAX_NEIGHBOURS: Final = 300
MAX_MENTIONS: Final = 600
FRONTIER: Final = 24  # entities from which the next hop starts: the most active ones
KEPT: Final = 10
GRAPH_WEIGHT: Final = 0.6  # against 0.4 for passages found directly
SAID_GAIN: Final = 4.0  # a relation whose sentence has all of the question's words weighs up to 1 + this
LINKED_BY_WORDS: Final = 3  # entities taken from full-text search when no name matches exactly


class GraphAgent:
    """Bounded spreading activation over relations, passages ranked by the entities they mention.

    Activation starts at the linked entities, is shared out over relations by weight, more to relations
    whose sentence has words of the question («composer», «配乐»), and decays with each hop. Bounded
    expansion instead of personalised PageRank: two hops read a bounded part of the graph in a few
    queries, where PageRank would need the whole neighbourhood in memory.
    """

    agent_type: Final = "graph_agent"

    def __init__(self, reader: GraphReader, embedder: Embedder) -> None:
        self._reader = reader
        self._embedder = embedder

    def retrieve_with_trace(self, query: str, thread_id: str) -> Trace:
        linked = self._link(query)
        direct = direct_scores(self._reader, self._embedder, query)
        if not linked:
            return trace(self.agent_type, self._reader.passages(best(direct, KEPT)), [])
        activation, paths = self._spread(query, linked)
        walked, led_by = self._passage_scores(activation)
        scores: defaultdict[str, float] = defaultdict(float)
        for passage_id, score in standardised(walked).items():
            scores[passage_id] += GRAPH_WEIGHT * score
        for passage_id, score in direct.items():
            scores[passage_id] += (1 - GRAPH_WEIGHT) * score
        passages = [
            _with_path(passage, paths.get(led_by.get(passage.id, ""), ()))
            for passage in self._reader.passages(best(dict(scores), KEPT))
        ]
        return trace(self.agent_type, passages, linked)

    def _link(self, query: str) -> list[EntityRef]:
        named = {link.entity.id: link.entity for link in self._reader.link(query)}
        if named:
            return list(named.values())
        return [entity for entity, _ in self._reader.similar_entities(query, LINKED_BY_WORDS).values()]

    def _spread(self, query: str, linked: list[EntityRef]) -> tuple[dict[str, float], dict[str, tuple[Hop, ...]]]:
        """Activation per entity, and the relations walked to it by its strongest way."""
        asked = _asked_for(query, linked)
        activation: defaultdict[str, float] = defaultdict(float)
        names = {entity.id: entity.name for entity in linked}
        paths: dict[str, tuple[Hop, ...]] = {entity.id: () for entity in linked}
        frontier = {entity.id: 1.0 / len(linked) for entity in linked}
        for _ in range(HOPS):
            for entity_id, amount in frontier.items():
                activation[entity_id] += amount
            arriving: defaultdict[str, float] = defaultdict(float)
            neighbours = self._reader.neighbours(list(frontier), MAX_NEIGHBOURS)
            weights = [step.weight * (1 + SAID_GAIN * _overlap(asked, step)) for step in neighbours]
            totals: defaultdict[str, float] = defaultdict(float)
            for step, weight in zip(neighbours, weights, strict=True):
                totals[step.entity_id] += weight
            for step, weight in zip(neighbours, weights, strict=True):
                share = frontier[step.entity_id] * DECAY * weight / totals[step.entity_id]
                arriving[step.neighbour_id] += share
                names.setdefault(step.neighbour_id, step.name)
                if step.neighbour_id not in paths:
                    hop = Hop(source=names[step.entity_id], relation=step.relation, target=step.name)
                    paths[step.neighbour_id] = (*paths[step.entity_id], hop)
            frontier = best(dict(arriving), FRONTIER)
        for entity_id, amount in frontier.items():
            activation[entity_id] += amount
        return dict(activation), paths

    def _passage_scores(self, activation: dict[str, float]) -> tuple[dict[str, float], dict[str, str]]:
        """Passage scores by the activation of what they mention, and the entity that gave each the most."""
        mentions = self._reader.mentioning(list(best(activation, FRONTIER * 2)), MAX_MENTIONS)
        spread_over: defaultdict[str, int] = defaultdict(int)
        for entity_id, _, count in mentions:
            spread_over[entity_id] += count
        scores: defaultdict[str, float] = defaultdict(float)
        strongest: dict[str, tuple[float, str]] = {}
        for entity_id, passage_id, count in mentions:
            given = activation[entity_id] * (count / spread_over[entity_id]) ** 0.5
            scores[passage_id] += given
            if given > strongest.get(passage_id, (0.0, ""))[0]:
                strongest[passage_id] = (given, entity_id)
        return dict(scores), {passage_id: entity_id for passage_id, (_, entity_id) in strongest.items()}


def _asked_for(query: str, linked: list[EntityRef]) -> set[str]:
    """The question's terms without those of the names it gives: what it asks of them."""
    names = {term for entity in linked for name in (entity.name, *entity.aliases) for term in content_terms(name)}
    return set(content_terms(query)) - names


def _overlap(asked: set[str], step: Neighbour) -> float:
    """The greatest share of the asked terms that a sentence of the relation has."""
    if not asked:
        return 0.0
    return max((len(asked & set(content_terms(sentence))) / len(asked) for sentence in step.said), default=0.0)


def _with_path(passage: Passage, path: tuple[Hop, ...]) -> Passage:
    return passage.model_copy(update={"path": path}) if path else passage
