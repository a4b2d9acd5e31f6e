"""How many tokens of a prompt each of its parts may take."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

ANSWER_TOKENS: Final = 2_048
"""What the adapters let an answer take at most; the model's context has to hold it too."""


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """Upper limits in tokens. System text and question have none: they are never cut, and go off ``total``.

    ``history`` is what summary, episodes and window take together, of which the window has what the
    other two leave. ``turn`` and ``episode`` are the lengths from which a single one is cut before
    others are dropped for it. Where the numbers come from is in docs/decisions/0017.
    """

    total: int = 40_000
    known_of_user: int = 200
    history: int = 1_700
    summary: int = 500
    episodes: int = 500
    episode: int = 160
    turn: int = 600
    evidence: int = 5_000
    themes: int = 600

    @classmethod
    def within(cls, context_tokens: int, answer_tokens: int = ANSWER_TOKENS) -> Self:
        """The default for a model that reads ``context_tokens``, its answer included; 0 where that is not known."""
        default = cls()
        if not context_tokens:
            return default
        # A twentieth for what the estimate may be wrong by in the whole; an answer never takes over half.
        room = context_tokens * 19 // 20 - min(answer_tokens, context_tokens // 2)
        return cls(total=max(0, min(default.total, room)))

    def scaled(self, share: float) -> Self:
        """Every limit times ``share``."""
        return type(self)(**{each.name: int(getattr(self, each.name) * share) for each in fields(self)})


def shares(room: int, wanted: Mapping[str, int]) -> dict[str, int]:
    """``room`` among those who want some of it: all they want where it suffices, else in proportion to that."""
    total = sum(wanted.values())
    if total <= room:
        return dict(wanted)
    return {name: max(0, room) * tokens // total for name, tokens in wanted.items()}
