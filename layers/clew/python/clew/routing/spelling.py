"""Finding spellings in a text, in either language, whatever their case and width."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clew.routing.intent import PATTERN_FLAGS, Slot, spellings_of
from clew.text.names import Unit, units
from clew.text.terms import fold, index_terms

PLURAL: Final = 4  # letters from which on an «s» at the end is taken for a plural
SEARCHED: Final = 4_000  # characters of a text that are looked at
# What takes back the value that follows: «not a graduate student», «不是研究生».
_DENIED: Final = re.compile(
    r"(?:\bnot|n['’]t|\bnor|\bneither)(?:\s+(?:an?|the|in|for|my))*\s*$|(?:不是|并非|不读|不在|非)\s*$", re.I
)

_Keys = tuple[str, ...]
_Table = dict[str, tuple[tuple[_Keys, str], ...]]


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value of a slot in a text: its first spelling, where it stands, and whether the text denies it."""

    value: str
    start: int
    end: int
    denied: bool = False


def says(text: str, group: str) -> bool:
    """Whether ``text`` holds a spelling of ``group``, words of one stem taken for the same."""
    return bool(word_spans(units(text[:SEARCHED]), group))


def word_spans(text_units: Sequence[Unit], group: str) -> list[tuple[int, int]]:
    """Where a text of these units holds spellings of ``group``."""
    return [(start, end) for start, end, _ in _spans(text_units, tuple(map(_stem, text_units)), _stems(group))]


def find_values(slot: Slot, text: str) -> list[FoundValue]:
    """The values of ``slot`` that ``text`` names, in its order; of spellings that overlap the longest."""
    text = text[:SEARCHED]
    if not slot.values:
        return _by_pattern(slot.pattern, text) if slot.pattern else []
    text_units = units(text)
    spans = _spans(text_units, tuple(map(_singular, text_units)), _values(slot.values))
    return [FoundValue(value, start, end, denied=_is_denied(text, start)) for start, end, value in spans]


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with blanks in the place of ``spans``."""
    covered = {place for start, end in spans for place in range(start, end)}
    return "".join(" " if place in covered else character for place, character in enumerate(text))


def without_values(slot: Slot, text: str) -> str:
    """``text`` with blanks in the place of the values of ``slot``."""
    return blanked(text, ((found.start, found.end) for found in find_values(slot, text)))


def _by_pattern(pattern: str, text: str) -> list[FoundValue]:
    found = []
    for match in re.finditer(pattern, text, PATTERN_FLAGS):
        value = (match[1] if match.re.groups else match[0]) or ""
        if value.strip():
            found.append(FoundValue(value.strip(), match.start(), match.end(), denied=_is_denied(text, match.start())))
    return found or ([] if text == fold(text) else _by_pattern(pattern, fold(text)))


def _is_denied(text: str, start: int) -> bool:
    return bool(_DENIED.search(text[:start]))


def _spans(text_units: Sequence[Unit], keys: _Keys, table: _Table) -> list[tuple[int, int, str]]:
    """Start, end and meaning of each spelling of ``table`` in a text; the longest wins where they overlap."""
    found: list[tuple[int, int, str]] = []
    for place, key in enumerate(keys):
        for spelling, meaning in table.get(key, ()):
            if keys[place : place + len(spelling)] == spelling:
                found.append((text_units[place].start, text_units[place + len(spelling) - 1].end, meaning))
    kept: list[tuple[int, int, str]] = []
    for start, end, meaning in sorted(found, key=lambda span: (span[0] - span[1], span[0])):
        if not any(start < other_end and other_start < end for other_start, other_end, _ in kept):
            kept.append((start, end, meaning))
    return sorted(kept)


@lru_cache(maxsize=1_024)
def _stems(group: str) -> _Table:
    return _table([(tuple(map(_stem, units(spelling))), group) for spelling in spellings_of(group)])


@lru_cache(maxsize=256)
def _values(values: tuple[str, ...]) -> _Table:
    named = [(spellings_of(value), value) for value in values]
    return _table([(tuple(map(_singular, units(spelling))), names[0]) for names, _ in named for spelling in names])


def _table(spellings: list[tuple[_Keys, str]]) -> _Table:
    table: defaultdict[str, list[tuple[_Keys, str]]] = defaultdict(list)
    for keys, meaning in spellings:
        table[keys[0]].append((keys, meaning))
    return {first: tuple(rest) for first, rest in table.items()}


def _stem(unit: Unit) -> str:
    return unit.text if unit.is_cjk else index_terms(unit.text)[0]


def _singular(unit: Unit) -> str:
    """The word without the «s» of a plural; stems would make graduates of all that graduate."""
    word = unit.text
    return word[:-1] if len(word) >= PLURAL and word.endswith("s") and not word.endswith("ss") else word
