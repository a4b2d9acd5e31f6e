"""Finding, in a text, the entities that evidence already knows by name."""

from collections.abc import Iterable

from clew.retrieval.evidence import EntityRef
from clew.text.names import Span, candidate_spans, name_key


class EntityNames:
    """The spellings of some entities."""

    def __init__(self, entities: Iterable[EntityRef]) -> None:
        self._ids: dict[str, set[str]] = {}
        for entity in entities:
            for name in (entity.name, *entity.aliases):
                if key := name_key(name):
                    self._ids.setdefault(key, set()).add(entity.id)

    def find(self, text: str) -> list[tuple[Span, frozenset[str]]]:
        """Where ``text`` names which entities, in order; within a longer name no shorter one counts."""
        found: list[tuple[Span, frozenset[str]]] = []
        for span in sorted(candidate_spans(text), key=lambda span: (span.start - span.end, span.start)):
            ids = self._ids.get(span.key)
            if ids and not any(span.start < other.end and other.start < span.end for other, _ in found):
                found.append((span, frozenset(ids)))
        return sorted(found, key=lambda item: item[0].start)

    def mentioned(self, text: str) -> frozenset[str]:
        """Ids of the entities that ``text`` names."""
        return frozenset(entity_id for _, ids in self.find(text) for entity_id in ids)
