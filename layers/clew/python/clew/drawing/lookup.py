"""Which entity a name means: found as the names in questions are, or refused with what it may have meant."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from clew.errors import EntityNotFoundError
from clew.retrieval.evidence import EntityRef
from clew.retrieval.graph_reader import GraphReader, Link
from clew.text.names import name_key

MAX_SUGGESTIONS: Final = 5
MAX_TITLES: Final = 3
MAX_MENTIONS: Final = 1_000
CLOSE: Final = 0.75  # of difflib's ratio; two letters wrong in a name of ten are closer than that


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity of that name, by the ``spelling`` that was asked for.

    Where there are several, ``titles`` of documents that mention it tell them apart.
    """

    entity: EntityRef
    spelling: str
    titles: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        return display_name(self.entity)


def find_entities(reader: GraphReader, kb_prefix: str, name: str, known: Sequence[str] = ()) -> list[Candidate]:
    """The entities that ``name`` as a whole names, the most mentioned first.

    A title of two spellings, ``Inception (盗梦空间)``, is a name too. EntityNotFoundError where there is none,
    with suggestions: entities named within ``name``, entities that share words with it, and those of the
    spellings in ``known`` that are nearly the same.
    """
    links = reader.link(name)
    if named := _named_by_all(name, links):
        first = links[0].span
        return _by_mentions(reader, named, name[first.start : first.end])
    within = [link.entity for link in links]
    similar = [entity for entity, _ in sorted(reader.similar_entities(name, MAX_SUGGESTIONS).values(), key=_best_first)]
    misspelt = [
        link.entity
        for spelling in get_close_matches(name, known, n=MAX_SUGGESTIONS, cutoff=CLOSE)
        for link in reader.link(spelling)
        if link.span.key == name_key(spelling)
    ]
    suggested = {entity.id: display_name(entity) for entity in (*within, *misspelt, *similar)}
    raise EntityNotFoundError(name, kb_prefix, list(dict.fromkeys(suggested.values()))[:MAX_SUGGESTIONS])


def display_name(entity: EntityRef) -> str:
    """The entity's name and, in brackets, its longest spelling in the other script."""
    other = [alias for alias in entity.aliases if name_key(alias).isascii() != name_key(entity.name).isascii()]
    return f"{entity.name} ({max(other, key=len)})" if other else entity.name


def _named_by_all(name: str, links: list[Link]) -> list[EntityRef]:
    """The entities that each of the linked stretches names, where nothing but names stands in ``name``."""
    left = name
    for span in sorted({link.span for link in links}, key=lambda span: -span.start):
        left = left[: span.start] + " " + left[span.end :]
    if name_key(left):
        return []
    entities = {link.entity.id: link.entity for link in links}
    for span in {link.span for link in links}:
        here = {link.entity.id for link in links if link.span == span}
        entities = {entity_id: entity for entity_id, entity in entities.items() if entity_id in here}
    return list(entities.values())


def _by_mentions(reader: GraphReader, entities: list[EntityRef], spelling: str) -> list[Candidate]:
    if len(entities) == 1:
        return [Candidate(entities[0], spelling)]
    mentions = reader.mentioning([entity.id for entity in entities], MAX_MENTIONS)
    counts = {entity.id: 0 for entity in entities}
    passages: dict[str, list[str]] = {entity.id: [] for entity in entities}
    for mention in mentions:
        counts[mention.entity_id] += mention.count
        passages[mention.entity_id].append(mention.passage_id)
    shown = {entity_id: ids[:MAX_TITLES] for entity_id, ids in passages.items()}
    titles = {
        passage.id: passage.title for passage in reader.passages({each: 1.0 for ids in shown.values() for each in ids})
    }
    found = [
        Candidate(entity, spelling, tuple(dict.fromkeys(titles[each] for each in shown[entity.id] if each in titles)))
        for entity in entities
    ]
    return sorted(found, key=lambda each: (-counts[each.entity.id], each.entity.name, each.entity.id))


def _best_first(found: tuple[EntityRef, float]) -> tuple[float, str]:
    return -found[1], found[0].name
