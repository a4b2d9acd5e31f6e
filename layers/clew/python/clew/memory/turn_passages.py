"""What is embedded of a turn: the turn by itself, and the turn after the two before it.

A turn means what it answers: "Since March, yes" is about nothing until one knows what was asked. By itself it
is what was said, and nothing else's. A question is compared with both.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

BEFORE: Final = 2  # turns that stand before the turn in its context; never of another sitting
ALONE: Final = 0.5
"""What the similarity to the turn by itself counts beside that to the turn in its context."""


class Said(NamedTuple):
    """What one person said, and in which sitting (``turn_time.sittings``)."""

    speaker: str
    text: str
    sitting: int = 0


def in_context(turns: Sequence[Said], place: int) -> str:
    """The turn at ``place`` after those before it, each with its speaker, on lines of their own."""
    around = turns[max(0, place - BEFORE) : place + 1]
    return "\n".join(f"{said.speaker}: {said.text}" for said in around if said.sitting == turns[place].sitting)
