"""What a question asks of the things it names, as sets of terms."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from clew.retrieval.evidence import EntityRef
from clew.retrieval.question_words import Word, words, written
from clew.text.glossary import synonyms, translated_groups
from clew.text.language import detect_language
from clew.text.names import units
from clew.text.terms import content_terms

NEAR: Final = 48  # characters around a name: a clause such as «music composed by …»
_CLAUSE_END: Final = re.compile("[，；：。！？]")  # a Chinese clause is shorter, and ends with a mark of its own


@dataclass(frozen=True, slots=True)
class Need:
    """One thing asked: the question's word for it, and all terms in either language that would say it."""

    word: str
    forms: frozenset[str]


Asked = list[Need]


def asked_of(query: str, named: Iterable[EntityRef]) -> Asked:
    """What ``query`` asks besides the names in it: a need for each word, with its synonyms and translations."""
    names = {term for entity in named for name in (entity.name, *entity.aliases) for term in content_terms(name)}
    asked = (word for word in dict.fromkeys(words(content_terms(query), names)) if names.isdisjoint(word))
    spelt = {term: unit.text for unit in reversed(units(query)) for term in content_terms(unit.text)}
    return [_need(word, spelt.get(word[0], written(word))) for word in asked]


def share_said(asked: Asked, text: str) -> float:
    """The share of what is asked that ``text`` has words for, in [0, 1]."""
    if not asked:
        return 0.0
    terms = set(content_terms(text))
    return sum(1 for need in asked if need.forms & terms) / len(asked)


def share_said_of(asked: Asked, sentence: str, name: str) -> float:
    """The same for what ``sentence`` says of ``name``: words beside the name count as much again as the rest.

    «Written by Lee Hall, with music composed by Stephen Warbeck» says of Warbeck, and not of Hall, who composed;
    «由李安执导，谭盾作曲» says it of 谭盾.
    """
    whole = share_said(asked, sentence)
    return (whole + share_said(asked, _beside(sentence, name))) / 2 if whole else 0.0


def _beside(sentence: str, name: str) -> str:
    """The clause of ``sentence`` around ``name``; all of it where the name is spelt otherwise there."""
    start = sentence.casefold().find(name.casefold())
    if start < 0:
        return sentence
    end = start + len(name)
    before, after = sentence[max(0, start - NEAR) : start], sentence[end : end + NEAR // 2]
    return _CLAUSE_END.split(before)[-1] + sentence[start:end] + _CLAUSE_END.split(after, maxsplit=1)[0]


def _need(word: Word, text: str) -> Need:
    """The need of a word that the question writes as ``text``: the stem of a stem is another one, and no word."""
    return Need(text, frozenset().union(*map(synonyms, word), *translated_groups(text, detect_language(text))))
