"""What an agent returns, within its share of the workflow's state."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from clew.retrieval.evidence import CommunityRef, EntityRef, Evidence, Fact, Mentioned, Passage, Reference, Round, Trace

# A workflow's state is limited to 256 KB and a plan to four workers, so each keeps to its share. Passages
# come first; what they stand on takes the rest.
MAX_WORKER_BYTES: Final = 40_000
MAX_PASSAGE_BYTES: Final = 30_000
MAX_ENTITIES: Final = 40

R = TypeVar("R", bound=BaseModel)


def trace(
    agent_type: str,
    passages: Iterable[Passage],
    *,
    linked: Iterable[EntityRef] = (),
    facts: Iterable[Fact] = (),
    communities: Iterable[CommunityRef] = (),
    rounds: Iterable[Round] = (),
) -> Trace:
    """An agent's result from what it found, best first: passages marked with their finder, all bounded in bytes."""
    marked = (passage.model_copy(update={"found_by": passage.found_by or (agent_type,)}) for passage in passages)
    kept = list(_fitting(marked, MAX_PASSAGE_BYTES, at_least=1))
    room = _Room(MAX_WORKER_BYTES - sum(map(_size, kept)))
    ids = {passage.id for passage in kept}
    reference = Reference(
        rounds=room.take(rounds),
        linked=room.take(linked),
        documents=tuple(dict.fromkeys(passage.document_id for passage in kept)),
        communities=room.take(communities),
        facts=room.take(stated(facts, ids)),
        entities=room.take(mentioned(kept)[:MAX_ENTITIES]),
    )
    return Evidence(passages=tuple(kept), reference=reference).as_trace()


def mentioned(passages: list[Passage]) -> list[Mentioned]:
    """The entities of ``passages`` with the passages that mention each, those that most mention first."""
    names: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for passage in passages:
        for entity in passage.entities:
            names.setdefault(entity.id, entity.name)
            found.setdefault(entity.id, []).append(passage.id)
    ranked = sorted(found, key=lambda entity_id: -len(found[entity_id]))
    return [Mentioned(id=key, name=names[key], passage_ids=tuple(found[key])) for key in ranked]


def stated(facts: Iterable[Fact], ids: set[str]) -> Iterator[Fact]:
    """The facts whose sentence stands in one of the passages of ``ids``, with those passages alone."""
    for fact in facts:
        if not ids.isdisjoint(fact.passage_ids[:1]):
            yield fact.model_copy(update={"passage_ids": tuple(each for each in fact.passage_ids if each in ids)})


class _Room:
    """Bytes that are left; whoever takes first is served first."""

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, items: Iterable[R]) -> tuple[R, ...]:
        kept = tuple(_fitting(items, self._left))
        self._left -= sum(map(_size, kept))
        return kept


def _fitting(items: Iterable[R], room: int, at_least: int = 0) -> Iterator[R]:
    for number, item in enumerate(items):
        room -= _size(item)
        if room < 0 and number >= at_least:
            return
        yield item


def _size(item: BaseModel) -> int:
    """Bytes in the workflow's state, where a runtime may write what is not ASCII as six characters each."""
    record: dict[str, Any] = item.model_dump(mode="json")
    return len(json.dumps(record)) + 2
