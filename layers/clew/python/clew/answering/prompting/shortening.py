"""Texts cut at the ends of sentences, so that they keep within a number of tokens."""

from collections.abc import Callable
from typing import Final

from clew.text.sentences import split_sentences

MARK: Final = "[…]"
"""Stands where something was left out of a message."""

CHARACTERS: Final = 12  # of a token at most, on average over any sentence; spares looking at what cannot fit

Count = Callable[[str], int]


def beginning(text: str, limit: int, count: Count) -> str:
    """The first sentences of ``text`` within ``limit`` tokens; empty where not even one fits."""
    if count(text) <= limit:
        return text
    end, left = 0, limit
    seen = text[: max(0, limit) * CHARACTERS]
    for sentence in split_sentences(seen):
        cost = count(text[end : sentence.end])
        if cost > left or (sentence.end == len(seen) < len(text)):
            break
        end, left = sentence.end, left - cost
    return text[:end]


def middle_out(text: str, limit: int, count: Count) -> str:
    """``text`` within ``limit`` tokens: its beginning, the mark, and its end, where a question often stands.

    The beginning has two thirds, and is cut inside of a sentence where the first is longer than that.
    Empty where hardly more than the mark would fit.
    """
    if count(text) <= limit:
        return text
    room = limit - count(f" {MARK} ")
    if room < 3:
        return ""
    begun = beginning(text, room * 2 // 3, count) or _within(text, room * 2 // 3, count)
    ended = _ending(text[len(begun) :], room - count(begun), count)
    return f"{begun.rstrip()} {MARK} {ended}".strip()


def _ending(text: str, limit: int, count: Count) -> str:
    """The last sentences of ``text`` within ``limit`` tokens; empty where not even one fits."""
    if limit <= 0:
        return ""
    seen = text[-limit * CHARACTERS :]
    start, left = len(seen), limit
    for sentence in reversed(split_sentences(seen)):
        cost = count(seen[sentence.start : start])
        if cost > left or (sentence.start == 0 and len(seen) < len(text)):
            break
        start, left = sentence.start, left - cost
    return seen[start:].strip()


def _within(text: str, limit: int, count: Count) -> str:
    """As many characters as fit, back to the last blank if one is near."""
    low, high = 0, min(len(text), limit * CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= limit else (low, middle - 1)
    blank = text.rfind(" ", max(0, low - 30), low)
    return text[: blank if blank > 0 else low]
