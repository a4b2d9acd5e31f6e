"""Dependence: whether what was found answers a question differently by something that only the user knows."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from clew.answering.verifying.coverage import named_in
from clew.retrieval.asked import asked_of
from clew.retrieval.evidence import Evidence, Passage
from clew.routing.intent import IntentMatch, Slot
from clew.routing.question_kind import question_kind
from clew.routing.spelling import blanked, find_values, without_values, word_spans
from clew.text.names import units
from clew.text.sentences import split_sentences
from clew.text.terms import content_terms

LEAST: Final = 0.5  # of what is asked: a sentence that says less does not answer
AS_GOOD: Final = 0.65  # of the best sentence's share: what says less is about something else beside it
PARALLEL: Final = 0.6  # of the shorter one's words: a rule and its exception are put alike
_CLAUSE: Final = re.compile(r"[,;，；]")
_AND: Final = re.compile(r"\b(?:and|or|while|but|whereas)\b|[、和或而与]")
_FIGURE: Final = re.compile(r"\d|[一二两三四五六七八九十]")

_Terms = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence of the evidence, the title over it, and how much of what is asked it says."""

    text: str
    title: str
    share: float

    def values(self, slot: Slot) -> set[str]:
        """The values of ``slot`` that it speaks of: those that it names, else the one that its title names."""
        named = {found.value for found in find_values(slot, self.text)}
        if named:
            return named
        above = {found.value for found in find_values(slot, self.title)}
        return above if len(above) == 1 else set()


def open_slot(question: str, match: IntentMatch, evidence: Evidence) -> Slot | None:
    """The first missing slot of ``match`` on which the answer to ``question`` depends, as far as can be seen.

    It does where sentences that answer tell different things of two values, or put a rule for all and an
    exception for one. Sentences about other values than the known ones do not count. A slot that is needed
    is open as well where they speak of one value at most, unless what is known has left that one over.
    Overviews and comparisons are of all values.
    """
    if question_kind(question) in ("overview", "comparison"):
        return None
    statements = _narrowed(_answering(question, match, evidence), match)
    return next((slot for slot in match.missing if _is_open(slot, statements, narrowed=bool(match.known))), None)


def of_known_values(match: IntentMatch, evidence: Evidence) -> Evidence:
    """``evidence`` without the passages that are about other values than the known ones, by their titles.

    One that speaks of a known value all the same stays; where nothing would be left, all stay.
    """
    kept = tuple(
        passage
        for passage in evidence.passages
        if not any(_is_about_another(slot, _known(slot, match), passage) for slot in match.given)
    )
    if not kept or len(kept) == len(evidence.passages):
        return evidence
    return evidence.model_copy(update={"passages": kept})


def _is_about_another(slot: Slot, known: set[str], passage: Passage) -> bool:
    above = {found.value for found in find_values(slot, passage.title)}
    if not above or not known or above & known:
        return False
    return known.isdisjoint(found.value for found in find_values(slot, passage.text))


def _answering(question: str, match: IntentMatch, evidence: Evidence) -> list[_Statement]:
    """The sentences that say most of what is asked, and do not contradict what is known."""
    share_of = _Measure(question, match, evidence)
    statements = [
        _Statement(sentence.text, passage.title, share_of(sentence.text, passage.title))
        for passage in evidence.passages
        for sentence in split_sentences(passage.text)
    ]
    for slot in match.given:
        known = _known(slot, match)
        statements = [each for each in statements if not (spoken := each.values(slot)) or spoken & known]
    enough = max(LEAST, AS_GOOD * max((each.share for each in statements), default=0.0))
    return [each for each in statements if each.share >= enough]


def _narrowed(statements: list[_Statement], match: IntentMatch) -> list[_Statement]:
    """Those that speak of the known values themselves, where there are any."""
    for slot in match.given:
        known = _known(slot, match)
        statements = [each for each in statements if each.values(slot) & known] or statements
    return statements


def _known(slot: Slot, match: IntentMatch) -> set[str]:
    return {found.value for found in find_values(slot, match.known[slot.name])}


class _Measure:
    """The share of what a question asks that a sentence says.

    What is asked are the intent's words, the things that the question names, and its other words; values of
    slots are none of these. A title says what its sentences are about. Without a word of the intent's first
    group a sentence is about something else.
    """

    def __init__(self, question: str, match: IntentMatch, evidence: Evidence) -> None:
        asked = units(question)
        entities = [" | ".join((entity.name, *entity.aliases)) for entity in named_in(question, evidence)]
        slots = (*match.missing, *match.given)
        values = [(found.start, found.end) for slot in slots for found in find_values(slot, question)]
        groups = {group: word_spans(asked, group) for group in match.words}
        taken = [*values, *chain.from_iterable(groups.values())]
        named = {names: spans for names in entities if not _within(spans := word_spans(asked, names), taken)}
        taken += chain.from_iterable(named.values())
        self._subject, *others = match.words or ("",)
        self._topics = [*others, *named]
        self._needs = asked_of(blanked(question, taken), ())

    def __call__(self, sentence: str, title: str) -> float:
        both = units(f"{title}\n{sentence}")
        if self._subject and not word_spans(both, self._subject):
            return 0.0
        terms = set(content_terms(sentence))
        said = sum(1 for topic in self._topics if word_spans(both, topic))
        said += sum(1 for need in self._needs if need.forms & terms)
        return (1 + said) / (1 + len(self._topics) + len(self._needs))


def _within(spans: list[tuple[int, int]], others: list[tuple[int, int]]) -> bool:
    """Whether each of ``spans`` overlaps one of the others."""
    return all(
        any(start < other_end and other_start < end for other_start, other_end in others) for start, end in spans
    )


def _is_open(slot: Slot, statements: list[_Statement], *, narrowed: bool) -> bool:
    """``narrowed`` tells that something is known by which other values may have fallen away."""
    told = _told(slot, statements)
    told.pop("", None)
    if len(told) > 1:
        return len({frozenset(each) for each in told.values()}) > 1
    if slot.needed and not (told and narrowed):
        return True
    whole = _told(slot, [each for each in statements if each.share == 1])
    return any(
        _are_parallel(rule, exception)
        for value in told
        for rule in whole.get("", ())
        for exception in whole.get(value, ())
    )


def _told(slot: Slot, statements: list[_Statement]) -> dict[str, set[_Terms]]:
    """What is told of each value of ``slot``, without its name; under the empty name what is told of none."""
    told: defaultdict[str, set[_Terms]] = defaultdict(set)
    for statement in statements:
        values = statement.values(slot)
        pieces = [(statement.text, values)] if len(values) < 2 else list(_pieces(slot, statement.text))
        for text, spoken in pieces:
            rest = _terms(slot, text)
            for value in spoken or {""}:
                told[value].add(rest)
    return told


def _pieces(slot: Slot, sentence: str) -> Iterator[tuple[str, set[str]]]:
    """The clauses of a sentence that names several values, each with those that it is about."""
    for clause, values in _joined(slot, _CLAUSE.split(sentence)):
        parts = list(_joined(slot, _AND.split(clause))) if len(values) > 1 else []
        # «150 for undergraduates and 32 for graduates» tells two things, «open to undergraduates and graduates» one.
        if len(parts) > 1 and all(_FIGURE.search(without_values(slot, part)) for part, _ in parts):
            yield from parts
        else:
            yield clause, values


def _joined(slot: Slot, parts: list[str]) -> Iterator[tuple[str, set[str]]]:
    """``parts`` with the values that they name; one that names none, or nothing else, is told with its neighbour."""
    text, values = "", set[str]()
    for part in parts:
        named = {found.value for found in find_values(slot, part)}
        if named and values and _terms(slot, text):
            yield text, values
            text, values = "", set()
        text, values = f"{text} {part}", values | named
    yield text, values


def _terms(slot: Slot, text: str) -> _Terms:
    """The terms of ``text`` besides the names of values."""
    return frozenset(content_terms(without_values(slot, text)))


def _are_parallel(rule: _Terms, exception: _Terms) -> bool:
    """Whether both are put in about the same words, and do not say the same."""
    words, others = ({term for term in terms if not term.isdigit()} for terms in (rule, exception))
    return rule != exception and len(words & others) >= PARALLEL * max(1, min(len(words), len(others)))
