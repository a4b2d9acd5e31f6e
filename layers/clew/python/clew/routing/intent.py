"""Intents of a knowledge base: what people want of it, and what must be known before it can be told."""

import re
from itertools import pairwise
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from clew.text.names import name_key

MAX_PATTERN: Final = 200  # characters of a regular expression
PATTERN_FLAGS: Final = re.IGNORECASE | re.ASCII  # ASCII: so a Chinese character and a digit have a ``\b`` between them
MAX_VALUES: Final = 60
MAX_INTENTS: Final = 40

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Slot(BaseModel):
    """Something that only the user knows, and how to ask for it.

    ``values`` are the answers that there are, each as ``"name | other spelling | …"``; without them
    ``pattern``, a regular expression, finds one in a text (its first group, where it has one); with neither,
    the whole reply is the value. ``needed`` tells that it is to be asked for even where the documents found
    name none of the values.
    """

    model_config = ConfigDict(frozen=True)

    name: Name
    question: str = Field(min_length=1, max_length=300)
    question_zh: str = Field("", max_length=300)
    values: tuple[str, ...] = Field((), max_length=MAX_VALUES)
    pattern: str = Field("", max_length=MAX_PATTERN)
    needed: bool = False

    @field_validator("values")
    @classmethod
    def _values_differ(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, str] = {}
        for value in values:
            spellings = spellings_of(value)
            if not spellings:
                raise ValueError(f"the value {value!r} has no spelling")
            for spelling in spellings:
                if found.setdefault(name_key(spelling), value) != value:
                    raise ValueError(f"{spelling!r} is a spelling of two values")
        return values

    @field_validator("pattern")
    @classmethod
    def _pattern_compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern, PATTERN_FLAGS)
        except re.error as error:
            raise ValueError(f"is no regular expression: {error}") from error
        return pattern


class Intent(BaseModel):
    """One thing that people ask of a knowledge base; a message has it when it holds a word of each of ``words``.

    Each of ``words`` is a group of spellings, ``"deadline | due | 截止"``. ``slots`` are in the order in which
    they are asked for.
    """

    model_config = ConfigDict(frozen=True)

    name: Name
    words: tuple[str, ...] = Field(min_length=1)
    slots: tuple[Slot, ...] = ()

    @field_validator("words")
    @classmethod
    def _groups_have_words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if empty := [group for group in words if not spellings_of(group)]:
            raise ValueError(f"the group {empty[0]!r} has no word")
        return words

    @field_validator("slots")
    @classmethod
    def _slots_differ(cls, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        check_names_differ("slot", [slot.name for slot in slots])
        return slots


class IntentMatch(BaseModel):
    """An intent found in a message: ``known`` maps slots to the values that the message gives.

    A value is its first spelling in the message's language; several that the message names are joined by ``, ``.
    ``given`` are the slots that have a value, ``missing`` those that have none, and ``words`` the intent's.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    known: dict[str, str] = Field(default_factory=dict)
    missing: tuple[Slot, ...] = ()
    given: tuple[Slot, ...] = ()
    words: tuple[str, ...] = ()


def spellings_of(line: str) -> tuple[str, ...]:
    """The spellings in ``"name | other spelling"``; those without a letter or digit are left out."""
    return tuple(spelling for part in line.split("|") if name_key(spelling := part.strip()))


def check_names_differ(kind: str, names: list[str]) -> None:
    """ValueError names what two have in common."""
    for one, other in pairwise(sorted(names)):
        if one == other:
            raise ValueError(f"two have the {kind} name {one!r}")
