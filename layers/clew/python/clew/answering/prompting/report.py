"""What of a turn's context was given, and what of it the prompt holds."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

Part = Literal["system", "question", "known_of_user", "summary", "episodes", "window", "evidence", "themes"]

HISTORY: Final[tuple[Part, ...]] = ("summary", "episodes", "window")


@dataclass(frozen=True, slots=True)
class PartReport:
    """One part: how many items were given and kept, how many of those kept were cut, and their tokens.

    Items are turns of the window, episodes, passages, themes or facts; of system text, question and
    summary there is one.
    """

    given: int = 0
    kept: int = 0
    cut: int = 0
    given_tokens: int = 0
    tokens: int = 0

    @property
    def dropped(self) -> int:
        return self.given - self.kept


@dataclass(frozen=True, slots=True)
class ContextReport:
    """All parts of a prompt; ``budget`` is what they may take together."""

    budget: int
    parts: Mapping[Part, PartReport]

    @property
    def tokens(self) -> int:
        """Of the whole prompt."""
        return sum(part.tokens for part in self.parts.values())

    @property
    def history_tokens(self) -> int:
        """Of all that stands for the conversation so far: summary, episodes and window."""
        return sum(self.parts[name].tokens for name in HISTORY)

    @property
    def shortened(self) -> bool:
        """Whether anything that was given is missing."""
        return any(part.dropped or part.cut for part in self.parts.values())

    @property
    def fits(self) -> bool:
        """False where system text and question, which are never cut, are more than the budget by themselves."""
        return self.tokens <= self.budget

    def as_dict(self) -> dict[str, Any]:
        """For the execution log: numbers only, and only of parts of which something was given."""
        parts = {name: asdict(part) for name, part in self.parts.items() if part.given}
        return {
            "budget": self.budget,
            "tokens": self.tokens,
            "history_tokens": self.history_tokens,
            "shortened": self.shortened,
            "parts": parts,
        }
