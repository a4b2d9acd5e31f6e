"""Keeping what matters most of a list within a number of tokens."""

from collections.abc import Callable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def fit(
    items: Sequence[_Item],
    limit: int,
    cost: Callable[[_Item], int],
    shorten: Callable[[_Item, int], _Item | None],
    *,
    fill: bool = False,
) -> tuple[_Item, ...]:
    """The first of ``items`` (best first) that ``limit`` tokens hold; the last go.

    The best one is shortened rather than dropped; with ``fill``, so is the first that does not fit whole.
    ``shorten(item, tokens)`` gives None where nothing worth having would be left.
    """
    kept: list[_Item] = []
    for item in items:
        tokens = cost(item)
        if tokens > limit:
            shortened = shorten(item, limit) if fill or not kept else None
            return (*kept, shortened) if shortened is not None else tuple(kept)
        kept.append(item)
        limit -= tokens
    return tuple(kept)


def evenly(room: int, wanted: Sequence[int]) -> list[int]:
    """``room`` among those who want some of it: what short ones leave of an even share, long ones have."""
    given = [0] * len(wanted)
    for done, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[place] = min(wanted[place], room // (len(wanted) - done))
        room -= given[place]
    return given
