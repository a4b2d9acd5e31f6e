"""Where a walk over the graph starts: the entities that a question names or comes near to."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from clew.retrieval.evidence import EntityRef
from clew.retrieval.graph_reader import GraphReader, Link
from clew.retrieval.scores import standardised

EXACT: Final = 1.0
BY_WORDS: Final = 0.5  # an entity whose name only shares words with the question
BY_MEANING: Final = 0.4  # the entity of a passage that is near the question
GUESSED: Final = 3  # entities taken from words and from meaning each, where no name is known


@dataclass(frozen=True, slots=True)
class Seeds:
    """The entities at the start, those of the question's own names or the guessed ones, with activations in (0, 1]."""

    entities: list[EntityRef]
    activation: dict[str, float]


def seeds(reader: GraphReader, query: str, links: list[Link], near: Callable[[], Mapping[str, float]]) -> Seeds:
    """The entities that ``query`` names, its ``links``; where it names none, those alike in words and near in meaning.

    Entities have no vectors of their own: one stands where the passages about it stand. ``near`` gives
    passages with how near they are, and is called only then.
    """
    return _named(links) if links else _guessed(reader, query, near())


def _named(links: list[Link]) -> Seeds:
    """Each fully active; a name that several share is divided among them."""
    sharing: defaultdict[tuple[int, int], int] = defaultdict(int)
    for link in links:
        sharing[link.span.start, link.span.end] += 1
    activation: dict[str, float] = {}
    for link in links:
        amount = EXACT * sharing[link.span.start, link.span.end] ** -0.5
        activation[link.entity.id] = max(amount, activation.get(link.entity.id, 0.0))
    return Seeds(list({link.entity.id: link.entity for link in links}.values()), activation)


def _guessed(reader: GraphReader, query: str, near: Mapping[str, float]) -> Seeds:
    entities: dict[str, EntityRef] = {}
    activation: dict[str, float] = {}
    for entity, _ in reader.similar_entities(query, GUESSED).values():
        entities[entity.id] = entity
        activation[entity.id] = BY_WORDS
    nearness = {passage_id: amount for passage_id, amount in standardised(dict(near)).items() if amount > 0}
    subjects = reader.subjects(sorted(nearness))
    for passage_id in sorted(subjects, key=lambda key: (-nearness[key], key)):
        entity = subjects[passage_id]
        if entity.id not in entities:
            if len(entities) >= 2 * GUESSED:
                break
            entities[entity.id] = entity
            activation[entity.id] = BY_MEANING * nearness[passage_id]
    return Seeds(list(entities.values()), activation)
