"""The entities of a knowledge base and how they are related, held as numbers."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

PAGE: Final = 1_000  # entities whose relations are read at once

ENTITIES: Final = """
MATCH (e:{entity_label}) RETURN e.id AS id, e.name AS name, e.aliases AS aliases
"""
RELATIONS: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[r:RELATED]->(other:Entity)
RETURN id AS source, other.id AS target, r.weight AS weight, r.chunk_id AS passage, r.description AS said
"""


@dataclass(frozen=True, slots=True)
class EntityGraph:
    """Entities are numbered in the order of their names, so that what follows does not hang on their ids.

    ``names`` has the spellings of each entity, its main name first. The arrays have one number for each
    relation: it leads from ``source`` to ``target``, and ``passage`` (-1 where none is noted) states it in
    a sentence with the digest ``sentence``. The texts would take most of the room, and few are needed.
    """

    ids: list[str]
    names: list[tuple[str, ...]]
    passages: list[str]
    source: "Integers"
    target: "Integers"
    weight: "Floats"
    passage: "Integers"
    sentence: "Integers"

    def pairs(self) -> Iterator[tuple[int, int, float]]:
        """The ends and the weight of each relation."""
        return zip(self.source.tolist(), self.target.tolist(), self.weight.tolist(), strict=True)

    def relations(self, positions: "Integers") -> list[tuple[int, int, float, int]]:
        """Source, target, weight and sentence of the relations at these places in the arrays."""
        columns = (self.source, self.target, self.weight, self.sentence)
        return list(zip(*(column[positions].tolist() for column in columns), strict=True))

    def subjects(self) -> dict[int, int]:
        """What each sentence is about, by its digest: the entity from which most of its relations lead.

        A document's subject is related to all that its sentences name, also where they say "he" or "it".
        """
        import numpy as np

        ends, counts = np.unique(np.stack((self.sentence, self.source)), axis=1, return_counts=True)
        order = np.lexsort((-ends[1], counts))  # of equals, the entity with the smaller number comes last
        return dict(zip(ends[0][order].tolist(), ends[1][order].tolist(), strict=True))


def read_entity_graph(graph: Graph, namespace: Namespace, progress: Callable[[int, int], None]) -> EntityGraph:
    """Read entities, and their relations page by page; ``progress`` is called with entities done and to do."""
    import numpy as np

    entities = graph.read(ENTITIES.format(entity_label=namespace.entity_label))
    entities.sort(key=lambda row: (row["name"], row["id"]))
    numbers = {row["id"]: number for number, row in enumerate(entities)}
    ids = list(numbers)
    passages: dict[str, int] = {}
    pages = [np.empty((0, 4), np.int64)]
    weights = [np.empty(0)]
    for begin in range(0, len(ids), PAGE):
        progress(begin, len(ids))
        rows = [row for row in graph.read(RELATIONS, ids=ids[begin : begin + PAGE]) if row["target"] in numbers]
        pages.append(np.array([_numbered(row, numbers, passages) for row in rows], np.int64).reshape(-1, 4))
        weights.append(np.array([row["weight"] or 0 for row in rows], np.float64))
    source, target, passage, sentence = np.concatenate(pages).T
    passage, weight = _in_order_of(passages)[passage], np.concatenate(weights)
    order = np.lexsort((sentence, passage, weight, target, source))
    return EntityGraph(
        ids=ids,
        names=[(row["name"], *(row["aliases"] or ())) for row in entities],
        passages=sorted(passages),
        source=source[order],
        target=target[order],
        weight=weight[order],
        passage=passage[order],
        sentence=sentence[order],
    )


def sentence_digest(said: str, passage_id: str | None) -> int:
    """Eight bytes of a digest as a signed number; the same words in another passage are about something else."""
    return int.from_bytes(hashlib.blake2b(f"{passage_id}\n{said}".encode(), digest_size=8).digest(), signed=True)


def _numbered(row: dict[str, Any], numbers: dict[str, int], passages: dict[str, int]) -> tuple[int, int, int, int]:
    passage = passages.setdefault(row["passage"], len(passages)) if row["passage"] else -1
    return numbers[row["source"]], numbers[row["target"]], passage, sentence_digest(row["said"] or "", row["passage"])


def _in_order_of(passages: Iterable[str]) -> "Integers":
    """What takes the passages' numbers of reading to those by order; the last stays -1, for no passage."""
    import numpy as np

    given = list(passages)
    places = {passage_id: place for place, passage_id in enumerate(sorted(given))}
    return np.array([*(places[passage_id] for passage_id in given), -1], np.int64)
