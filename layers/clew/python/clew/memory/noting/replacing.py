"""Whether a later statement is about the same thing as an earlier one, and what is left of the earlier one then."""

import functools
import re
from dataclasses import dataclass
from typing import Final

from clew.memory.noting.attributes import attributes
from clew.memory.noting.note import Note, one_line
from clew.memory.noting.third_person import in_first_person
from clew.memory.noting.values import put_in_place, values_of, without_values
from clew.text.language import detect_language
from clew.text.names import units
from clew.text.terms import STOP_WORDS, content_terms

ENOUGH: Final = 0.75  # share of the earlier statement's terms that the later one has when it is about the same thing
ALIKE: Final = 0.5  # share of all their terms that two such statements have in common

# What tells that something said before no longer holds.
_CORRECTS = re.compile(
    r"\b(?:instead|actually|on second thoughts?|no longer|any ?more|changed (?:my|our) minds?|correction|rather than"
    r"|(?:make|change|changed|move|moved|switch|switched|postpone|postponed|push|pushed|reschedule|rescheduled|bring"
    r"|shift|shifted|set) (?:it|that|this|the \w+|our \w+|my \w+|from|to)|moved|postponed|rescheduled)\b"
    r"|改|换成|换到|推迟|延期|延到|提前到|提前至|不再|其实|更正|纠正|而是|还是.*吧|不.{1,10}了",
    re.I,
)
# Words that say how one stands to a thing, or that it changes, and not which thing it is.
_STANCE = re.compile(
    r"\b(?:do|does|don't|doesn't|not|no|never|longer|any ?more|really|like|love|enjoy|prefer|hate|dislike|favou?rite"
    r"|want|need|decided?|agreed?"
    r"|chose|chosen|let's|let|us|will|won't|going|plan|instead|actually|now|also|still|make|change[ds]?|move[ds]?"
    r"|switch(?:ed)?|set|postponed?"
    r"|push(?:ed)?|reschedule[ds]?|bring|forward|back|mind|on|at|to|second|thoughts?|please|always|it's|I'm|I'll"
    r"|we'll|I've|we've)\b"
    r"|不再|不喜欢|喜欢|讨厌|偏好|偏爱|最爱|热爱|爱看|爱吃|不想|想要|决定|定在|定于|定下|敲定|说好|约好|约在|改成"
    r"|改为|改到|改在|换成|换到|推迟到|推迟|提前到|提前"
    r"|打算|计划|准备|还是|其实|现在|已经|以后|请|不要|别|就|吧|不|没|想",
    re.I,
)
_NEGATIVE = re.compile(r"\b(?:not|no|never|hate|dislike|can't|cannot)\b|n't\b|不|没|讨厌|别", re.I)
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|not) (?P<en>[^,]+)$|不(?:是|看|去|选|吃|用|要)(?P<zh>[^，,]+?)(?:了)?[，,]", re.I
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """``left`` is what stays of the earlier note, None for nothing; ``absorbed`` that it says the later one too."""

    left: Note | None
    absorbed: bool = False


def replaced(earlier: Note, later: Note) -> Replaced | None:
    """What becomes of ``earlier`` when ``later`` is said; None where the two are about different things."""
    before, after = in_first_person(earlier.text), in_first_person(later.text)
    if one_line(before).lower() == one_line(after).lower():
        return Replaced(None)
    old, new = attributes(before), attributes(after)
    if old.keys() & new.keys():
        return _by_attributes(earlier, later)
    if old and new and not any(key.startswith("of:") for key in (*old, *new)):
        return None
    return _by_words(earlier, before, after)


def corrects(text: str) -> bool:
    """Whether a statement takes something back that was said before."""
    return _CORRECTS.search(text) is not None


def corrected(earlier: Note, later: Note) -> Note | None:
    """``earlier`` with the day, time or amount that ``later`` gives and nothing else; None where it does not fit."""
    values = values_of(later.text)
    if not values or _things(later.text) or detect_language(earlier.text) != detect_language(later.text):
        return None
    text, end = earlier.text, 0
    for kind, new in values:
        match = kind.search(text)
        if match:
            text, end = put_in_place(text, match, new)
        elif end:
            space = "" if detect_language(text) == "zh" else " "
            text = f"{text[:end]}{space}{new}{text[end:]}"
        else:
            return None
    return Note(earlier.kind, one_line(text))


def same_business(earlier: Note, later: Note) -> bool:
    """Whether two decisions share what is done, such as watching: «let's watch Dune instead» of another film."""
    return bool(_doings(earlier.text) & _doings(later.text))


def _by_attributes(earlier: Note, later: Note) -> Replaced:
    """What becomes of an earlier note of which a later one has some attributes."""
    old, new = attributes(in_first_person(earlier.text)), attributes(in_first_person(later.text))
    if old.keys() <= new.keys():
        return Replaced(None)
    # The earlier one says more than what has changed, so only that is changed in it.
    text, said = earlier.text, in_first_person(later.text)
    if in_first_person(text) != text or detect_language(text) != detect_language(said):
        return Replaced(earlier)
    pairs = sorted(((old[key], new[key]) for key in old.keys() & new.keys()), key=lambda pair: -pair[0].start)
    for was, becomes in pairs:
        if was.start == was.end or becomes.start == becomes.end:
            return Replaced(earlier)
        text = text[: was.start] + said[becomes.start : becomes.end] + text[was.end :]
    return Replaced(Note(earlier.kind, text), absorbed=new.keys() <= old.keys())


def _by_words(earlier: Note, before: str, after: str) -> Replaced | None:
    if _names_replaced(before, after):
        return Replaced(None)
    mine, theirs = _things(before), _things(after)
    common = mine & theirs
    if mine and len(common) / len(mine) >= ENOUGH and len(common) / len(mine | theirs) >= ALIKE:
        return Replaced(None)
    says_less = mine and theirs and theirs <= mine and not corrects(after) and _stance(before) == _stance(after)
    return Replaced(earlier, absorbed=True) if says_less else None


def _names_replaced(before: str, after: str) -> bool:
    match = _INSTEAD_OF.search(after)
    if match is None:
        return False
    named = set(content_terms(match["en"] or match["zh"]))
    return bool(named) and named <= set(content_terms(before))


@functools.lru_cache(maxsize=1_024)
def _things(text: str) -> frozenset[str]:
    """The terms of what a statement is about, without its values and without how one stands to it."""
    return frozenset(content_terms(_STANCE.sub(" ", without_values(in_first_person(text)))))


def _stance(text: str) -> bool:
    return _NEGATIVE.search(text) is not None


def _doings(text: str) -> frozenset[str]:
    return frozenset(unit.text for unit in units(_STANCE.sub(" ", text))) - STOP_WORDS - frozenset("我你的了在是们")
