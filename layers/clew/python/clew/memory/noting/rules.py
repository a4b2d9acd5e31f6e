"""The rules of the two languages, and which of them a text follows."""

import re
from typing import Final, Literal, Protocol

from clew.memory.noting import chinese, english
from clew.memory.noting.note import Kind
from clew.text.language import Language, detect_language

Doing = Kind | Literal["fragment"]
"""What a clause does; a fragment is a few words without a verb, which search for something or reply."""

_ENGLISH_START = re.compile(r"\W*(?:I|my|we|our|please|let's|call|answer)\b", re.I)
_CHINESE_GRAMMAR = re.compile(r"[我你的了吗呢是吧]")


class Rules(Protocol):
    """What the module of a language gives."""

    @property
    def OPENING(self) -> re.Pattern[str]:  # noqa: N802  (a constant there)
        """Greetings and links before what is said."""
        ...

    def is_question(self, clause: str) -> bool: ...

    def is_opinion(self, clause: str) -> bool:
        """Whether a clause holds for the moment, or for what its speaker thinks, rather than for the speaker."""
        ...

    def in_first_person(self, clause: str) -> bool: ...

    def is_lasting(self, clause: str) -> bool:
        """Whether a clause tells what must not be forgotten, of its speaker's health for one."""
        ...

    def kind_of(self, clause: str) -> Doing | None:
        """What a clause does; ``topic`` where it asks for something, None where it says nothing worth keeping."""
        ...

    def overrides(self, text: str) -> bool: ...


_RULES: Final[dict[Language, Rules]] = {"en": english, "zh": chinese}


def rules_of(text: str) -> Rules:
    return _RULES[grammar_of(text)]


def grammar_of(text: str) -> Language:
    """The language of the text's grammar: «I study 海洋科学» is English."""
    if _ENGLISH_START.match(text) and not _CHINESE_GRAMMAR.search(text):
        return "en"
    return detect_language(text)


def overrides(text: str) -> bool:
    """Whether a text would rather give the assistant orders about its orders than tell it something."""
    return any(rules.overrides(text) for rules in _RULES.values())
