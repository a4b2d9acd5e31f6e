"""What a clause says of its speaker, as attributes that have one value at a time: a name, a home, a subject.

The keys are the same in both languages, so that 我搬到杭州了 is about what «I live in Beijing» was about.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from clew.memory.noting import chinese_attributes, english_attributes
from clew.text.language import Language
from clew.text.terms import content_terms

_LANGUAGES: Final = {"en": english_attributes, "zh": chinese_attributes}
_HAN = re.compile(r"[㐀-鿿]")
_LATIN = re.compile(r"[A-Za-z]")
# What a request tells, which needs no first person.
_REQUESTED: Final = frozenset(("called", "reply_language", "reply_length"))


@dataclass(frozen=True, slots=True)
class Value:
    """Where in the clause the value stands; empty where the attribute is told without one."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Patterns:
    single: tuple[tuple[str, re.Pattern[str]], ...]
    own: re.Pattern[str]
    another: re.Pattern[str]
    speaker: re.Pattern[str]
    others: re.Pattern[str]
    intended: re.Pattern[str]


@functools.lru_cache(maxsize=1_024)
def attributes(clause: str) -> Mapping[str, Value]:
    """The attributes that ``clause`` gives a value; those of other people have their names before the key.

    A clause without one of these may still tell of a thing of the speaker's own, under ``of:`` and its name.
    """
    found: dict[str, Value] = {}
    for language in _languages_of(clause):
        for key, value in _found(clause, _patterns(language)):
            found.setdefault(key, value)
    singles = {key: value for key, value in found.items() if not key.startswith("of:")}
    return MappingProxyType(singles or found)


def _languages_of(clause: str) -> Iterator[Language]:
    if _HAN.search(clause):
        yield "zh"
    if _LATIN.search(clause):
        yield "en"


def _found(clause: str, patterns: _Patterns) -> Iterator[tuple[str, Value]]:
    another = patterns.another.search(clause)
    owner = f"{_term(another['name'])}." if another else ""
    intended = patterns.intended.search(clause) is not None
    tells = not intended and patterns.speaker.search(clause) is not None
    for key, pattern in patterns.single:
        match = pattern.search(clause) if tells or key in _REQUESTED else None
        if match and not patterns.others.search(clause, 0, match.start()):
            yield owner + key, _value(match)
    if not intended and (match := patterns.own.search(clause)):
        yield f"of:{_term(match['name'])}", _value(match)


def _value(match: re.Match[str]) -> Value:
    if "value" in match.re.groupindex:
        return Value(*match.span("value"))
    return Value(match.end(), match.end())


def _term(name: str) -> str:
    return " ".join(content_terms(name)) or name.lower()


@functools.cache
def _patterns(language: Language) -> _Patterns:
    source = _LANGUAGES[language]
    return _Patterns(
        tuple((key, re.compile(text)) for key, texts in source.ATTRIBUTES.items() for text in texts),
        re.compile(source.OWN),
        re.compile(source.ANOTHER),
        re.compile(source.SPEAKER),
        re.compile(source.OTHERS),
        re.compile(source.INTENDED),
    )
