"""Spreading activation: from the entities that a question names, over relations, to the passages about them.

Bounded expansion instead of personalised PageRank: two hops read a bounded part of the graph in a few
queries, where PageRank would need the whole neighbourhood in memory and many rounds over it.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from clew.retrieval.evidence import EntityRef, Hop
from clew.retrieval.graph_reader import GraphReader, Neighbour
from clew.retrieval.scores import best
from clew.text.glossary import translated_groups
from clew.text.language import detect_language
from clew.text.terms import content_terms

HOPS: Final = 2
DECAY: Final = 0.5  # what a hop leaves of an entity's activation
MAX_NEIGHBOURS: Final = 240
MAX_MENTIONS: Final = 400
FRONTIER: Final = 12  # entities from which the next hop starts: the most active ones
REACHED: Final = 60  # entities whose passages are looked at
SAID_GAIN: Final = 4.0  # a relation whose sentence has all of the asked words weighs up to 1 + this
MENTIONED: Final = 0.25  # what a passage that only mentions an entity has of its activation
LATER_CHUNK: Final = 0.02  # what a passage further down in a document is worth less, a step
BY_WORDS: Final = 0.5  # activation of an entity whose name only shares words with the question
LINKED_BY_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the spreading came to: passages with scores from 0 to about 1, and the ways there."""

    linked: list[EntityRef]
    passages: dict[str, float]
    led_by: dict[str, str] = field(default_factory=dict)
    paths: dict[str, tuple[Hop, ...]] = field(default_factory=dict)

    def path_to(self, passage_id: str) -> tuple[Hop, ...]:
        """The relations walked to the entity that speaks for the passage."""
        return self.paths.get(self.led_by.get(passage_id, ""), ())


def spread(reader: GraphReader, query: str) -> Walk:
    """Activate what ``query`` names and what is related to it; score the passages by it."""
    linked, activation = _start(reader, query)
    if not linked:
        return Walk([], {})
    asked = _asked_for(query, linked)
    names = {entity.id: entity.name for entity in linked}
    paths: dict[str, tuple[Hop, ...]] = {entity.id: () for entity in linked}
    frontier = dict(activation)
    for _ in range(HOPS):
        arriving: dict[str, float] = {}
        for step, share in _shares(reader.neighbours(list(frontier), MAX_NEIGHBOURS), asked):
            amount = frontier[step.entity_id] * DECAY * share
            if amount > arriving.get(step.neighbour_id, 0.0):
                arriving[step.neighbour_id] = amount
                names.setdefault(step.neighbour_id, step.name)
                if step.neighbour_id not in activation:
                    hop = Hop(source=names[step.entity_id], relation=step.relation, target=step.name)
                    paths[step.neighbour_id] = (*paths[step.entity_id], hop)
        new = {key: amount for key, amount in arriving.items() if amount > activation.get(key, 0.0)}
        activation |= new
        frontier = best(new, FRONTIER)
    passages, led_by = _passages(reader, best(activation, REACHED))
    return Walk(linked, passages, led_by, paths)


def _start(reader: GraphReader, query: str) -> tuple[list[EntityRef], dict[str, float]]:
    """The entities that the query names, each fully active; a name that several share is divided among them."""
    links = reader.link(query)
    if not links:
        similar = list(reader.similar_entities(query, LINKED_BY_WORDS).values())
        return [entity for entity, _ in similar], {entity.id: BY_WORDS for entity, _ in similar}
    sharing: defaultdict[tuple[int, int], int] = defaultdict(int)
    for link in links:
        sharing[link.span.start, link.span.end] += 1
    activation: dict[str, float] = {}
    for link in links:
        amount = sharing[link.span.start, link.span.end] ** -0.5
        activation[link.entity.id] = max(amount, activation.get(link.entity.id, 0.0))
    return list({link.entity.id: link.entity for link in links}.values()), activation


def _shares(neighbours: list[Neighbour], asked: list[frozenset[str]]) -> list[tuple[Neighbour, float]]:
    """Each step with its weight against the heaviest step from the same entity, in (0, 1]."""
    weights = [step.weight**0.5 * (1 + SAID_GAIN * _overlap(asked, step)) for step in neighbours]
    heaviest: dict[str, float] = {}
    for step, weight in zip(neighbours, weights, strict=True):
        heaviest[step.entity_id] = max(weight, heaviest.get(step.entity_id, 0.0))
    return [(step, weight / heaviest[step.entity_id]) for step, weight in zip(neighbours, weights, strict=True)]


def _asked_for(query: str, linked: list[EntityRef]) -> list[frozenset[str]]:
    """What the query asks of the entities it names: its other terms, and the glossary's for the other language."""
    names = {term for entity in linked for name in (entity.name, *entity.aliases) for term in content_terms(name)}
    own = [frozenset((term,)) for term in dict.fromkeys(content_terms(query)) if term not in names]
    return own + translated_groups(query, detect_language(query))


def _overlap(asked: list[frozenset[str]], step: Neighbour) -> float:
    """The greatest share of what is asked that a sentence of the relation has."""
    if not asked:
        return 0.0
    said = [set(content_terms(sentence)) for sentence in step.said]
    return max((sum(1 for forms in asked if forms & terms) / len(asked) for terms in said), default=0.0)


def _passages(reader: GraphReader, activation: dict[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """Passages by the activation of what they are about and mention, and the entity that gave each the most."""
    scores: defaultdict[str, float] = defaultdict(float)
    strongest: dict[str, tuple[float, str]] = {}
    for mention in reader.mentioning(list(activation), MAX_MENTIONS):
        amount = activation[mention.entity_id]
        given = amount * (1 - LATER_CHUNK * mention.ordinal if mention.about else MENTIONED)
        # The strongest counts whole, the others a little: naming much is not being about much.
        known = strongest.get(mention.passage_id, (0.0, ""))
        scores[mention.passage_id] += 0.1 * min(given, known[0]) if known[1] else 0.0
        if given > known[0]:
            scores[mention.passage_id] += given - known[0]
            strongest[mention.passage_id] = (given, mention.entity_id)
    return dict(scores), {passage_id: entity_id for passage_id, (_, entity_id) in strongest.items()}
