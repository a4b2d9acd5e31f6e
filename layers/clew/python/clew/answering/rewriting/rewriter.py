"""The protocol of what makes a message stand alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.answering.focus import Focus
from clew.memory.episode import Episode


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """An earlier turn: the question as retrieval had it, what was answered, and what it was about."""

    question: str
    focus: Focus
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Past:
    """What a message may lean on: the window's turns, newest first, and older ones, found when asked for.

    ``recall`` takes a text and gives the episodes that bear on it, best first; it may take some 50 ms and
    gives none where the graph does not answer.
    """

    turns: Sequence[PreviousTurn] = ()
    recall: Callable[[str], Sequence[Episode]] = field(default=lambda _: ())


class Rewriter(Protocol):
    """Makes a message stand alone; one that stands alone already comes back as it is."""

    def rewrite(self, message: str, past: Past) -> str: ...
