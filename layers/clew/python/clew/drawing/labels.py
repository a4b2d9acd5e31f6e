"""The words on a picture: an entity in the reader's spelling, broken into short lines."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from clew.retrieval.evidence import EntityRef
from clew.text.language import Language, detect_language
from clew.text.names import name_key

ELLIPSIS: Final = "…"
STEPS: Final = 24  # in which lines are made shorter as long as they do not become more
MAX_NAME: Final = 240  # characters of a name that are looked at; fewer are ever shown
_PIECE = re.compile(r"[㐀-鿿぀-ヿ가-힣][，。、：；！？》）」』”’]*|[^\s㐀-鿿぀-ヿ가-힣]+|\s+")

Measure = Callable[[str], float]
"""How wide a text is, in points."""


@dataclass(frozen=True, slots=True)
class Label:
    """An entity's spelling in the reader's language, and that in the other one, empty where there is none."""

    name: str
    other: str = ""


def label(entity: EntityRef, language: Language, asked: str = "") -> Label:
    """The label of ``entity`` for a reader of ``language``; as it was ``asked`` for, where that is a spelling of it."""
    spellings = [clean(name)[:MAX_NAME] for name in (entity.name, *entity.aliases)]
    by_language = {
        each: _fullest(spellings[0], [name for name in spellings if detect_language(name) == each]) for each in _BOTH
    }
    other = by_language["en" if language == "zh" else "zh"]
    name = _as_asked(asked, spellings) or by_language[language] or spellings[0]
    return Label(name, other if other != name else "")


def clean(text: str) -> str:
    """``text`` on one line, without what a picture cannot hold: control characters and halves of characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def wrapped(text: str, width: float, measure: Measure, max_lines: int) -> list[str]:
    """``text`` in lines of at most ``width``, about equally long; what is beyond ``max_lines`` becomes an ellipsis."""
    lines = _broken(text, width, measure)
    if len(lines) > max_lines:
        return [*lines[: max_lines - 1], _cut(" ".join(lines[max_lines - 1 :]), width, measure)]
    longest_word = max(map(measure, _pieces(text, width, measure)), default=0.0)
    for step in range(1, STEPS):
        narrower = width * (1 - step / STEPS)
        shorter = _broken(text, narrower, measure)
        if narrower < longest_word or len(shorter) > len(lines):
            break
        lines = shorter
    return lines


_BOTH: Final[tuple[Language, ...]] = ("en", "zh")


def _fullest(main: str, spellings: list[str]) -> str:
    """The main name if it is among them, else the longest: short forms are spellings too."""
    return main if main in spellings else max(spellings, key=len, default="")


def _as_asked(asked: str, spellings: Iterable[str]) -> str:
    key = name_key(asked)
    return next((name for name in spellings if key and name_key(name) == key), "")


def _broken(text: str, width: float, measure: Measure) -> list[str]:
    lines = [""]
    for piece in _pieces(text, width, measure):
        if lines[-1] and measure(lines[-1] + piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines if line.strip()]


def _pieces(text: str, width: float, measure: Measure) -> Iterable[str]:
    """Where a line may break: at spaces, between Chinese characters, and within a word that fills a line alone."""
    for piece in _PIECE.findall(text):
        if measure(piece) <= width:
            yield piece
        else:
            yield from piece


def _cut(text: str, width: float, measure: Measure) -> str:
    while text and measure(text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
