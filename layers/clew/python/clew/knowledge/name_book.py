"""The names of a knowledge base: which keys name which entities, and finding them in text."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from clew.knowledge.documents import Document
from clew.knowledge.naming import Names, free_names, paired_names, short_names, title_names, works
from clew.text.names import MAX_UNITS, Span, Unit, join_units, name_key, units

_BEFORE_NAME = frozenset("由的是和与为了在请让被把及跟以当从对给自于")
SHORT_WORK = 2  # a Chinese title this short is an everyday word as well (活着, 英雄), so it needs its 《》


@dataclass(slots=True)
class Entity:
    """An entity and its spellings as the text has them, the main one first."""

    id: str
    name: str
    spellings: dict[str, str] = field(default_factory=dict)  # key -> spelling

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(spelling for spelling in self.all_spellings.values() if spelling != self.name)

    @property
    def all_spellings(self) -> dict[str, str]:
        """The spellings and the short forms that people ask with; running text is not searched for those."""
        return {
            **{name_key(short): short for short in short_names(self.spellings.values())},
            **self.spellings,
        }


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity's name in a text."""

    entity_id: str
    start: int
    end: int


class NameBook:
    """Names collected from documents, on top of those that the graph holds already.

    A document's title always names an entity of its own; two titles are two entities even when they
    share a spelling, which then names both. Other names join an entity when one of their spellings is
    known, and else make a new one.
    """

    def __init__(self, entity_id: Callable[[str], str]) -> None:
        self._entity_id = entity_id
        self.entities: dict[str, Entity] = {}
        self._by_key: defaultdict[str, list[str]] = defaultdict(list)
        self._first_units: set[str] = set()
        self._short_works: set[str] = set()
        self._titled: set[str] = set()

    def add_known(self, entity_id: str, name: str, spellings: Iterable[str]) -> None:
        """Take in an entity that the graph holds."""
        entity = self.entities.setdefault(entity_id, Entity(entity_id, name))
        for spelling in (name, *spellings):
            self._spell(entity, spelling)

    def collect(self, documents: list[Document]) -> None:
        """Take in the names of ``documents``: titles, then pairs of spellings, then names standing free."""
        for document in documents:
            self._titled.add(self._add_title(document.title).id)
            self._short_works.update(
                key for work in works(document.text) if len(key := name_key(work)) <= SHORT_WORK and key
            )
        for document in documents:
            for names in paired_names(document.text):
                self._join(names)
        for document in documents:
            for name in free_names(document.text):
                key = name_key(name)
                if key not in self._by_key and not self._ends_with_known(key):
                    self._spell(self._new(key, name), name)

    def of_title(self, title: str) -> str:
        """The id of the entity that a document of that title is about."""
        return self._entity_id(name_key(title))

    def find(self, text: str) -> list[Mention]:
        """The names in ``text``, the longest at each place, none within another.

        Latin names count where they begin with a capital or a digit; the short Chinese titles only in 《》.
        """
        sequence = units(text)
        mentions: list[Mention] = []
        position = 0
        while position < len(sequence):
            span, size = self._longest(sequence, position, text)
            if span is None:
                position += 1
                continue
            mentions.extend(Mention(entity_id, span.start, span.end) for entity_id in self._by_key[span.key])
            position += size
        return mentions

    def _longest(self, sequence: list[Unit], position: int, text: str) -> tuple[Span | None, int]:
        if sequence[position].text not in self._first_units:
            return None, 0
        for size in range(min(MAX_UNITS, len(sequence) - position), 0, -1):
            start, end = sequence[position].start, sequence[position + size - 1].end
            key = join_units(sequence[position : position + size])
            if key in self._by_key and self._stands_as_name(key, text, start, end):
                return Span(key, start, end), size
        return None, 0

    def _stands_as_name(self, key: str, text: str, start: int, end: int) -> bool:
        if key.isascii():
            return not text[start].islower()
        if key in self._short_works:
            return text[start - 1 : start] == "《" and text[end : end + 1] == "》"
        return True

    def _add_title(self, title: str) -> Entity:
        names = title_names(title)
        entity_id = self.of_title(title)
        entity = self.entities.get(entity_id)
        if entity is None:
            known = [self.entities[i] for i in self._by_key.get(name_key(names.main), []) if i not in self._titled]
            entity = known[0] if known and known[0].id == entity_id else self._new(name_key(title), names.main)
        for spelling in names.all:
            self._spell(entity, spelling)
        return entity

    def _join(self, names: Names) -> None:
        keys = [name_key(name) for name in names.all]
        known = list(dict.fromkeys(i for key in keys for i in self._by_key.get(key, ())))
        if len(known) > 1:
            return  # two things already told apart; a pair of names is too weak to make them one
        entity = self.entities[known[0]] if known else self._new(keys[0], names.main)
        for spelling in names.all:
            if not self._ends_with_known(name_key(spelling)):
                self._spell(entity, spelling)

    def _ends_with_known(self, key: str) -> bool:
        """Whether ``key`` is a known Chinese name with running text before it, such as 由李安."""
        if key.isascii() or key in self._by_key:
            return False
        return (key[0] in _BEFORE_NAME and key[1:] in self._by_key) or any(
            len(key) - cut >= 4 and key[cut:] in self._by_key for cut in (1, 2, 3)
        )

    def _new(self, key: str, name: str) -> Entity:
        entity = Entity(self._entity_id(key), name)
        return self.entities.setdefault(entity.id, entity)

    def _spell(self, entity: Entity, spelling: str) -> None:
        key = name_key(spelling)
        if not key:
            return
        entity.spellings.setdefault(key, spelling)
        if entity.id not in self._by_key[key]:
            self._by_key[key].append(entity.id)
        self._first_units.add(units(spelling)[0].text)
