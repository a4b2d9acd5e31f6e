"""What names that come or go mean for documents that are loaded already."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from clew.knowledge.name_book import Entity, NameBook
from clew.knowledge.stored_documents import StoredEntity
from clew.text.names import units


class ChangedForms:
    """Names that name something else than before, to find the passages that they stand in.

    A passage may be found in which a longer name covers the changed one or small letters hide it; none is missed.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        self._by_unit: defaultdict[str, list[str]] = defaultdict(list)
        for key in {form.strip("《》") for form in forms}:
            sequence = [unit.text for unit in units(key)]
            if sequence:
                # Long units are rare ones, so few texts have one and not the name.
                self._by_unit[max(sequence, key=len)].append(_spaced(sequence))

    def __bool__(self) -> bool:
        return bool(self._by_unit)

    def stand_in(self, text: str) -> bool:
        """Whether any of them stands in ``text``."""
        sequence = [unit.text for unit in units(text)]
        whole = _spaced(sequence)
        return any(key in whole for unit in self._by_unit.keys() & set(sequence) for key in self._by_unit[unit])


@dataclass(frozen=True, slots=True)
class Differences:
    """How the entities of the graph differ from those of a name book.

    ``forms`` are names whose meaning is another now, ``entities`` those that the graph holds under other
    spellings. Entities that the book does not have are not among them: they go when nothing mentions them.
    """

    forms: ChangedForms
    entities: list[Entity]


def differences(stored: Iterable[StoredEntity], names: NameBook) -> Differences:
    """Compare what the graph holds with what it should."""
    book = names.entities
    seen: set[str] = set()
    forms: set[str] = set()
    changed: list[Entity] = []
    for each in stored:
        seen.add(each.id)
        entity = book.get(each.id)
        forms |= each.forms ^ (entity.forms if entity else frozenset())
        if entity and (entity.name, entity.aliases, entity.forms) != (each.name, each.aliases, each.forms):
            changed.append(entity)
    if seen:  # in an empty graph no passage stands that could be affected
        for entity_id in book:
            if entity_id not in seen:
                forms |= book[entity_id].forms
    return Differences(ChangedForms(forms), changed)


def _spaced(sequence: list[str]) -> str:
    return f" {' '.join(sequence)} "
