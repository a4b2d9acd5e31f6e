"""What a scripted chat model does with a request."""

import math
from dataclasses import dataclass
from typing import Final, Literal

Break = Literal["none", "cut", "malformed"]

FOR_EVER: Final = math.inf
WORDS: Final = 12  # tokens of an answer, unless a script says otherwise
PACE_MS: Final = 20.0


@dataclass(frozen=True)
class Script:
    """One answer: how many tokens, how fast, and what goes wrong with it.

    A ``status`` other than 200 refuses the request. ``first_ms`` pass before the first token and ``pace_ms`` before
    each other one. Before token number ``silent_at`` (from 0) it says nothing for ``silent_s`` more seconds, which
    may be ``FOR_EVER``. Before token ``breaks_at`` it breaks: ``cut`` aborts the connection in the middle of that
    token's frame, ``malformed`` sends a frame that is no JSON. No ``tokens`` are an answer that ends at once.
    """

    tokens: int = WORDS
    pace_ms: float = PACE_MS
    first_ms: float = PACE_MS
    status: int = 200
    silent_at: int = -1
    silent_s: float = 0.0
    breaks_at: int = -1
    breaks: Break = "none"

    def pause(self, number: int) -> float:
        """The seconds before token ``number``."""
        silence = self.silent_s if number == self.silent_at else 0.0
        return (self.first_ms if number == 0 else self.pace_ms) / 1000 + silence

    def text(self) -> str:
        """The whole answer."""
        return "".join(word(number) for number in range(self.tokens))


def word(number: int) -> str:
    """Token ``number`` of every answer: no two are the same, so what is lost or doubled shows."""
    return f"word{number} "
