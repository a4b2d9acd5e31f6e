"""Variety: a long document about the thing asked must not take all places of a list."""

from collections import Counter
from typing import Final

from clew.retrieval.evidence import Passage

OF_ONE_DOCUMENT: Final = 4
LOOKED_AT: Final = 2  # times as many passages as are kept


def varied(passages: list[Passage], kept: int) -> list[Passage]:
    """The best ``kept`` of ``passages`` (best first), at most four of one document while others are left."""
    taken: Counter[str] = Counter()
    first: list[Passage] = []
    later: list[Passage] = []
    for passage in passages:
        taken[passage.document_id] += 1
        (first if taken[passage.document_id] <= OF_ONE_DOCUMENT else later).append(passage)
    chosen = {passage.id for passage in (first + later)[:kept]}
    return [passage for passage in passages if passage.id in chosen]
