"""Which notes a summary has room for."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from clew.memory.noting.note import Kind, Note
from clew.memory.noting.shape import render
from clew.memory.noting.strength import strength
from clew.text.tokens import estimate_tokens

SUMMARY_TOKENS: Final = 400
AT_MOST: Final[dict[Kind, int]] = {"topic": 10, "open": 5, "earlier": 8}
PASSING: Final = 6  # statements that tell nothing of the user
"""Of each of these the latest, so that many of them leave room for what comes later."""


def fitted(notes: Sequence[Note]) -> list[Note]:
    """The notes of ``notes``, in order, that fit into a summary: the weakest go first, and of a kind the oldest."""
    ranked = [(strength(note), note) for note in notes]
    kept: list[tuple[int, Note]] = []
    seen: dict[str, int] = {}
    for rank, note in reversed(ranked):
        group = "passing" if rank == 1 else note.kind
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= (PASSING if rank == 1 else AT_MOST.get(note.kind, len(notes))):
            kept.append((rank, note))
    kept.reverse()
    while kept and (over := estimate_tokens(render(note for _, note in kept)) - SUMMARY_TOKENS) > 0:
        while kept and over > 0:
            _, gone = kept.pop(_weakest(kept))
            over -= estimate_tokens(gone.text)
    return [note for _, note in kept]


def _weakest(ranked: Sequence[tuple[int, Note]]) -> int:
    """The place of the note to go: of the lowest rank the oldest of the kind that has most."""
    lowest = min(rank for rank, _ in ranked)
    sizes = Counter(note.kind for rank, note in ranked if rank == lowest)
    [(kind, _)] = sizes.most_common(1)
    return next(place for place, (rank, note) in enumerate(ranked) if rank == lowest and note.kind == kind)
