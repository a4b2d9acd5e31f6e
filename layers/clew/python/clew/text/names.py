"""Names as keys: one spelling-insensitive form per name, and all the names that a text may hold."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from clew.text.terms import STOP_WORDS, fold

MAX_UNITS: Final = 16  # words of a Latin name or characters of a CJK one: the longest film titles fit

_UNIT = re.compile(r"[a-z0-9]+|[㐀-䶿一-鿿぀-ヿ가-힣]")
_CJK = re.compile(r"[㐀-鿿぀-ヿ가-힣]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A Latin word or a single CJK character, folded, and where it stands in the text."""

    text: str
    start: int
    end: int

    @property
    def is_cjk(self) -> bool:
        return bool(_CJK.match(self.text))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that could be a name: its key and where it stands."""

    key: str
    start: int
    end: int


def units(text: str) -> list[Unit]:
    """The units of ``text``; positions refer to ``text`` itself, also where folding changes its length."""
    found: list[Unit] = []
    for match in re.finditer(r"[^\W_]+", text):
        folded = fold(match.group())
        # Most often a character folds to one character; «½» and «ﬁ» fold to more.
        origin: Sequence[int] = range(len(folded))
        if len(folded) != len(match.group()):
            origin = [place for place, character in enumerate(match.group()) for _ in fold(character)]
        for piece in _UNIT.finditer(folded):
            start, last = origin[piece.start()], origin[piece.end() - 1]
            found.append(Unit(piece.group(), match.start() + start, match.start() + last + 1))
    return found


def name_key(name: str) -> str:
    """The form under which a name is looked up: folded, without punctuation, one space between Latin words."""
    return join_units(units(name))


def candidate_spans(text: str, limit: int = 4_000) -> Iterator[Span]:
    """Every stretch of up to MAX_UNITS units that may be a name, longest first at each place.

    Stretches of stop words alone, single letters and single characters are left out. At most ``limit``
    spans are given, so that a huge text cannot make a huge query.
    """
    sequence = units(text)
    given = 0
    for begin in range(len(sequence)):
        for size in range(min(MAX_UNITS, len(sequence) - begin), 0, -1):
            stretch = sequence[begin : begin + size]
            if not _may_be_name(stretch):
                continue
            yield Span(join_units(stretch), stretch[0].start, stretch[-1].end)
            given += 1
            if given >= limit:
                return


def _may_be_name(stretch: list[Unit]) -> bool:
    if len(stretch) == 1 and len(stretch[0].text) < 2:
        return False
    return any(unit.text not in STOP_WORDS for unit in stretch)


def join_units(stretch: list[Unit]) -> str:
    """The key of a name made of these units."""
    key = ""
    latin_before = False
    for unit in stretch:
        if key and (latin_before or not unit.is_cjk) and not (latin_before and unit.is_cjk):
            key += " "
        key += unit.text
        latin_before = not unit.is_cjk
    return key
