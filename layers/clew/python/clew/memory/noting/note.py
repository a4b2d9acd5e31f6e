"""One thing worth keeping of a conversation."""

from dataclasses import dataclass
from typing import Final, Literal

from clew.text.tokens import estimate_tokens

Kind = Literal["said", "preference", "decision", "request", "asked_back", "open", "topic", "earlier"]
STATEMENTS: Final[frozenset[Kind]] = frozenset(("said", "preference", "decision", "request"))
"""What the user states, as against what is asked, and ``earlier``, text of unknown shape."""

MAX_TOKENS: Final = 40  # of one note; a clause takes some 10


@dataclass(frozen=True, slots=True)
class Note:
    """``text`` is one line, in the words and the language in which it was said.

    ``asked_back`` is what the assistant wants to know of the user and has no reply to, ``open`` a question of
    the user without an answer, ``topic`` one with an answer.
    """

    kind: Kind
    text: str


def one_line(text: str) -> str:
    """``text`` on one line, without the marks at its ends that would differ between two tellings of the same."""
    return " ".join(text.split()).strip("，,；;。.、!！~ ").lstrip("-*•·#> ")


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def shortened(text: str) -> str:
    """``text`` on one line, cut off between words where it is too long for a note."""
    line = one_line(text)
    if estimate_tokens(line) <= MAX_TOKENS:
        return line
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(line[:middle]) < MAX_TOKENS else (low, middle - 1)
    cut = line[:low]
    # Between words, unless the last of them is as long as a text without spaces.
    space = cut.rfind(" ")
    return (cut[:space] if space > low // 2 else cut).rstrip("，,；;、 ") + "…"
