"""Spreading activation: from the entities that a question names, over relations, to the passages about them.

Bounded expansion instead of personalised PageRank: two hops read a bounded part of the graph in a few
queries, where PageRank would need the whole neighbourhood in memory and many rounds over it.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from clew.retrieval.asked import Asked, asked_of, share_said_of
from clew.retrieval.evidence import EntityRef, Fact, Hop, Passage
from clew.retrieval.graph_reader import GraphReader, Neighbour
from clew.retrieval.scores import best
from clew.retrieval.seeds import Seeds

HOPS: Final = 2
DECAY: Final = 0.5  # what a hop leaves of an entity's activation
MAX_NEIGHBOURS: Final = 240
MAX_MENTIONS: Final = 400
FRONTIER: Final = 12  # entities from which the next hop starts: the most active ones
REACHED: Final = 60  # entities whose passages are looked at
SAID_GAIN: Final = 4.0  # a relation whose sentence has all of the asked words weighs up to 1 + this
MENTIONED: Final = 0.25  # what a passage that only mentions an entity has of its activation
LATER_CHUNK: Final = 0.02  # what a passage further down in a document is worth less, a step
MAX_FACTS: Final = 24


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the spreading came to.

    ``passages`` have scores from 0 to about 1. ``facts`` are relations that were walked, the strongest
    first. ``activation`` tells how active each entity reached is, in (0, 1].
    """

    linked: list[EntityRef]
    passages: dict[str, float]
    facts: list[Fact] = field(default_factory=list)
    activation: dict[str, float] = field(default_factory=dict)
    led_by: dict[str, str] = field(default_factory=dict)
    paths: dict[str, tuple[Hop, ...]] = field(default_factory=dict)

    def on_path(self, passages: list[Passage]) -> list[Passage]:
        """The passages with the relations walked to the entity that speaks for each."""
        return [
            passage.model_copy(update={"path": path}) if (path := self._path_to(passage.id)) else passage
            for passage in passages
        ]

    def _path_to(self, passage_id: str) -> tuple[Hop, ...]:
        return self.paths.get(self.led_by.get(passage_id, ""), ())


def spread(reader: GraphReader, query: str, start: Seeds) -> Walk:
    """Activate what is related to ``start``, the more the nearer to what ``query`` asks; score the passages by it."""
    if not start.entities:
        return Walk([], {})
    asked = asked_of(query, start.entities)
    activation = dict(start.activation)
    names = {entity.id: entity.name for entity in start.entities}
    paths: dict[str, tuple[Hop, ...]] = {entity.id: () for entity in start.entities}
    walked: dict[frozenset[str], tuple[float, Fact]] = {}
    frontier = dict(activation)
    for _ in range(HOPS):
        arriving: dict[str, float] = {}
        for step in _weighed(reader.neighbours(list(frontier), MAX_NEIGHBOURS), asked):
            source, target = step.to.entity_id, step.to.neighbour_id
            amount = frontier[source] * DECAY * step.share
            names.setdefault(target, step.to.name)
            if amount > walked.get(frozenset((source, target)), (0.0, None))[0]:
                walked[frozenset((source, target))] = (amount, _fact(step, names[source]))
            if amount > arriving.get(target, 0.0):
                arriving[target] = amount
                if target not in activation:
                    hop = Hop(source=names[source], relation=step.to.relation, target=step.to.name)
                    paths[target] = (*paths[source], hop)
        new = {key: amount for key, amount in arriving.items() if amount > activation.get(key, 0.0)}
        activation |= new
        frontier = best(new, FRONTIER)
    passages, led_by = _passages(reader, best(activation, REACHED))
    facts = [fact for _, fact in sorted(walked.values(), key=lambda item: -item[0])[:MAX_FACTS]]
    return Walk(start.entities, passages, facts, activation, led_by, paths)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step with its weight against the heaviest from the same entity, in (0, 1], and its most telling sentence."""

    to: Neighbour
    share: float
    telling: int


def _weighed(neighbours: list[Neighbour], asked: Asked) -> list[_Step]:
    weights: list[float] = []
    telling: list[int] = []
    heaviest: dict[str, float] = {}
    for step in neighbours:
        said = [share_said_of(asked, sentence, step.name) for sentence in step.said]
        most = max(range(len(said)), key=said.__getitem__, default=0)
        weight = step.weight**0.5 * (1 + SAID_GAIN * (said[most] if said else 0.0))
        weights.append(weight)
        telling.append(most)
        heaviest[step.entity_id] = max(weight, heaviest.get(step.entity_id, 0.0))
    return [
        _Step(step, weight / heaviest[step.entity_id], most)
        for step, weight, most in zip(neighbours, weights, telling, strict=True)
    ]


def _fact(step: _Step, walked_from: str) -> Fact:
    to = step.to
    source, target = (walked_from, to.name) if to.outward else (to.name, walked_from)
    return Fact(
        source=source,
        relation=to.relation,
        target=target,
        said=to.said[step.telling] if to.said else "",
        passage_ids=tuple(dict.fromkeys((*to.passage_ids[step.telling :], *to.passage_ids))),
    )


def _passages(reader: GraphReader, activation: dict[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """Passages by the activation of what they are about and mention, and the entity that gave each the most."""
    scores: defaultdict[str, float] = defaultdict(float)
    strongest: dict[str, tuple[float, str]] = {}
    for mention in reader.mentioning(list(activation), MAX_MENTIONS):
        amount = activation[mention.entity_id]
        given = amount * (max(MENTIONED, 1 - LATER_CHUNK * mention.ordinal) if mention.about else MENTIONED)
        # The strongest counts whole, the others a little: naming much is not being about much.
        known = strongest.get(mention.passage_id, (0.0, ""))
        scores[mention.passage_id] += 0.1 * min(given, known[0]) if known[1] else 0.0
        if given > known[0]:
            scores[mention.passage_id] += given - known[0]
            strongest[mention.passage_id] = (given, mention.entity_id)
    return dict(scores), {passage_id: entity_id for passage_id, (_, entity_id) in strongest.items()}
