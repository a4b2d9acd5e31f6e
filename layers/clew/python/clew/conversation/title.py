"""The title of a conversation: the start of its first message, cut where a word or a character ends."""

import unicodedata
from typing import Final

WIDTH: Final = 80
"""Columns of a title: a Chinese character takes two, so that a title is as wide in either language."""
_CHARACTERS: Final = 120  # what takes no column, such as an accent of its own, must end too
_ELLIPSIS: Final = "…"
_LEAST: Final = WIDTH // 2  # a word that begins before this column and is cut stays, cut
_LOOSE: Final = ",;:，、；：－-"


def title_of(content: str) -> str:
    """``content`` on one line, with an ellipsis where it is longer than a title."""
    line = " ".join(content.split())
    if _fitting(line, WIDTH) == len(line):
        return line
    end = _fitting(line, WIDTH - 1)
    while end and _belongs_to_the_last(line, end):
        end -= 1
    text = line[: _word_border(line, end)]
    while text and (text[-1] in _LOOSE or unicodedata.category(text[-1]) in ("Zs", "Ps", "Pi")):
        text = text[:-1]  # no space, comma or opening bracket before the ellipsis
    return text + _ELLIPSIS


def _fitting(line: str, columns: int) -> int:
    """How many characters of ``line`` fit."""
    for position, character in enumerate(line[:_CHARACTERS]):
        columns -= _width(character)
        if columns < 0:
            return position
    return min(len(line), _CHARACTERS)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _belongs_to_the_last(line: str, at: int) -> bool:
    """Whether the character there continues the one before it, as an accent or a part of an emoji does."""
    return _width(line[at]) == 0 or line[at - 1] == "\N{ZERO WIDTH JOINER}"


def _word_border(line: str, end: int) -> int:
    """``end``, or the beginning of the word that it would cut."""
    start = end
    if end and _in_word(line[end]):
        while start and _in_word(line[start - 1]):
            start -= 1
    return start if sum(map(_width, line[:start])) >= _LEAST else end


def _in_word(character: str) -> bool:
    """Whether it is of a script that puts spaces between words."""
    return character in "'’_" or (character.isalnum() and _width(character) == 1)
