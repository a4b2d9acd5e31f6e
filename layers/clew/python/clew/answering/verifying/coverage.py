"""Coverage: how much of what a question asks the passages found have words for."""

import re
from dataclasses import dataclass
from typing import Final

from clew.retrieval.asked import Asked, Need, asked_of
from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import EntityRef, Evidence
from clew.routing.intent import IntentMatch
from clew.routing.question_kind import question_kind
from clew.routing.spelling import blanked, find_values, word_spans
from clew.text.names import units
from clew.text.terms import content_terms

HALF: Final = 0.5  # of the words said: below, and with two missing, it is more than another way to put it
# What the question marks as a name: quoted, in 《》, capitalised inside a sentence, or letters with digits.
_MARKED: Final = re.compile(
    r"《[^《》]+》|「[^「」]+」|“[^“”]+”|\"[^\"]+\"|(?<![.!?:]\s)(?<!^)\b[A-Z][\w’'-]*|\b[A-Za-z]+\d\w*"
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """``missing`` are words of the question that no passage says, ``names`` those of them that it marks as names.

    ``said_any`` tells whether any of its words or names is said at all, ``enough`` whether what is missing may
    as well be another way to put what is there.
    """

    missing: tuple[str, ...]
    names: tuple[str, ...]
    said_any: bool
    enough: bool


def coverage(question: str, evidence: Evidence, intent: IntentMatch | None = None) -> Coverage:
    """What of ``question`` the passages of ``evidence`` say, in either language.

    A word of ``intent`` and a value that it has from the question are said by any of their spellings. Open
    questions and those for an overview are put in words that no document repeats, so that of them only names
    count. Where a round of research has found enough, that holds.
    """
    named = named_in(question, evidence)
    spelt = _said_by_spelling(question, evidence, intent) if intent else []
    asked = asked_of(blanked(question, spelt), named)
    said = {term for passage in evidence.passages for term in content_terms(f"{passage.title}\n{passage.text}")}
    missing = [need for need in asked if need.forms.isdisjoint(said)]
    names = _marked(question, missing)
    # A question without a word of its own, such as «What about it?», cannot be held against anything.
    said_any = bool(evidence.passages) and (
        bool(spelt) or len(missing) < len(asked) or not (asked or named) or _any_mentioned(named, evidence)
    )
    by_words = len(missing) < 2 or len(missing) <= HALF * (len(asked) + len(spelt))
    unworded = question_kind(question) in ("open", "overview")
    researched = any(each.stopped == "enough" for each in evidence.reference.rounds)
    return Coverage(
        missing=tuple(need.word for need in missing),
        names=names,
        said_any=said_any,
        enough=said_any and (researched or (not names and (by_words or unworded))),
    )


def named_in(question: str, evidence: Evidence) -> list[EntityRef]:
    """The entities that ``question`` names; ``linked`` has those that it comes near to where it names none."""
    linked = evidence.reference.linked
    ids = EntityNames(linked).mentioned(question)
    return [entity for entity in linked if entity.id in ids]


def _said_by_spelling(question: str, evidence: Evidence, intent: IntentMatch) -> list[tuple[int, int]]:
    """Where ``question`` has words and values of the intent that passages have too, however spelt."""
    texts = [f"{passage.title}\n{passage.text}" for passage in evidence.passages]
    asked, told = units(question), [units(text) for text in texts]
    spans: list[tuple[int, int]] = []
    for group in intent.words:
        if any(word_spans(each, group) for each in told):
            spans += word_spans(asked, group)
    for slot in intent.given:
        spoken = {found.value for text in texts for found in find_values(slot, text)}
        spans += [(found.start, found.end) for found in find_values(slot, question) if found.value in spoken]
    return spans


def _marked(question: str, missing: Asked) -> tuple[str, ...]:
    marked = {unit.text for match in _MARKED.finditer(question) for unit in units(match.group())}
    joined = "".join(match.group() for match in _MARKED.finditer(question))
    return tuple(need.word for need in missing if _stands_in(need, marked, joined))


def _stands_in(need: Need, marked: set[str], joined: str) -> bool:
    return need.word in marked if need.word.isascii() else need.word in joined


def _any_mentioned(named: list[EntityRef], evidence: Evidence) -> bool:
    ids = {entity.id for entity in named}
    return any(entity.id in ids for passage in evidence.passages for entity in passage.entities)
