"""Whether an English pronoun means something that the message itself names before it."""

import re
from collections.abc import Sequence
from typing import Final

from clew.answering.rewriting import english
from clew.answering.rewriting.kinds import PEOPLE, Kind
from clew.answering.rewriting.naming import Named
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.references import Reference
from clew.answering.rewriting.window import Window

_CLAUSE_BORDER: Final = re.compile(
    r"[,;:.?!–—]|\b"
    + any_of("and but or when where if that because while before after which who how why since so whether than")
    + r"\b",
    re.I,
)
_PREPOSITION: Final = re.compile(r"\s+(?:of|for|in|about|on|to|with|from|by|at|behind|than|as)\s+", re.I)
# «In Inception, who does he play?»: what a sentence sets out from is nobody.
_SET_OUT: Final = re.compile(r"\b(?:in|at|from|for) $", re.I)
_COPULA: Final = re.compile(r"\b(?:is|was|are|were) $", re.I)
# «Who directed it and where was he born?», «Who won a prize for his part?»
_WHO_BEFORE: Final = re.compile(r"\bwho\b.*(?:,|\band\b)", re.I)
_WHO_FOR: Final = re.compile(r"\bwho (?!did|does|do|is|was|are|were)\w+.* (?:for|in|with)\s+$", re.I)

_DETERMINER: Final = r"(?:an?|the|my|your|our|each|every|any|some|which|what|no|other|another)"
_AUXILIARY: Final = r"(?:is|are|was|were|does?|did|can|has|have|had|will|would|should|must)"
_PERSON: Final = any_of(
    " ".join(english.ROLES),
    "student students applicant applicants undergraduate undergraduates person persons people member members",
    "candidate candidates friend friends character characters professors teachers directors actors children men",
    "women man woman boy girl",
)
_PERSON_NOUN: Final = re.compile(
    rf"\b{_DETERMINER} (?:[a-z-]+ ){{0,3}}?{_PERSON}\b"
    r"|\b(?:(?:some|any|every|no)(?:one|body)|people|students?|graduates|undergraduates)\b",
    re.I,
)
_THING_NOUN: Final = re.compile(
    rf"\b(?:an?|the|my|your|our|any|each|every|some|another) [a-z-]+|\b(?:which|what) (?!{_AUXILIARY}\b)[a-z-]+", re.I
)
_PLURAL_NOUN: Final = re.compile(
    r"\b(?!(?:is|was|has|does|its|his|this|thus|always|besides|perhaps|yes|as|us)\b)[a-z]{3,}s\b|\b(?:people|children|men|women)\b"
)
_ASKED_FOR: Final = re.compile(r"\b(?:which|what|how many|whose) $", re.I)


def refers_inside(message: str, reference: Reference, names: Sequence[Named], window: Window) -> bool:
    """Whether ``reference`` needs no earlier turn."""
    if reference.pair:
        return False
    if reference.noun:
        return _is_called_before(message, reference, names)
    if any(_may_mean(name, message, reference, window) for name in names if name.end <= reference.start):
        return True
    if reference.wanted == PEOPLE:
        before = message[: reference.start]
        if _WHO_BEFORE.search(before) and not re.match(r"(?:and|but)\b", before, re.I):
            return True
        if reference.owns and _WHO_FOR.search(before):
            return True
    return _is_described_before(message, reference)


def _is_called_before(message: str, reference: Reference, names: Sequence[Named]) -> bool:
    """Whether the noun stands in the message before: «Which office … and where is that office?»

    «By the same director» of two that the message names says that they share one.
    """
    before = message[: reference.start]
    if re.search(rf"\b{re.escape(reference.noun)}\b", before, re.I):
        return True
    if not message.lower().startswith("the same", reference.start):
        return False
    shared = len(names) > 1 or re.search(r"\b(?:both|and|or)\b", before, re.I)
    return bool(shared) or message.startswith(" as ", reference.end)


def _may_mean(name: Named, message: str, reference: Reference, window: Window) -> bool:
    """Whether the pronoun may mean ``name``, which stands before it.

    A possessive may mean a name in its own clause, an object may not: «Did Nolan write it?»
    """
    kind = window.kind_of(name.text)
    before, between = message[: name.start], message[name.end : reference.start]
    if reference.wanted == PEOPLE:
        agrees = kind in (Kind.PERSON, Kind.UNKNOWN) and not _SET_OUT.search(before)
    else:
        agrees = reference.plural or kind not in (Kind.PERSON, Kind.TIME)
    if not agrees:
        return False
    says_what_it_is = not between.strip() and _COPULA.search(before)  # «Is Emma Thomas his wife?»
    return bool(_CLAUSE_BORDER.search(between)) or (reference.owns and not says_what_it_is)


def _is_described_before(message: str, reference: Reference) -> bool:
    """Whether a noun before the pronoun may be what it means: «If a student fails, can he …?»"""
    persons = reference.wanted == PEOPLE
    noun = _PERSON_NOUN if persons else _PLURAL_NOUN if reference.plural else _THING_NOUN
    for match in noun.finditer(message, 0, reference.start):
        if _CLAUSE_BORDER.search(message, match.end(), reference.start):
            return True
        if not reference.owns or (reference.plural and _ASKED_FOR.search(message, 0, match.start())):
            continue
        # «the director and his wife», but not «the composer of his films», nor «which film did his wife …».
        asked_for = match.group().lower().startswith("wh")
        asked_for = asked_for and (not persons or bool(re.match(r" (?:did|does|do)\b", message[match.end() :])))
        if not asked_for and not _PREPOSITION.fullmatch(message, match.end(), reference.start):
            return True
    return False
