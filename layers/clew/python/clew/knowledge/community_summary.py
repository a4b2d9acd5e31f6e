"""What a community is called and what is said of it: its most central entities and the sentences on them."""

import functools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from clew.text.language import Language, detect_language
from clew.text.names import units
from clew.text.terms import content_terms

TITLE_NAMES: Final = 3
MAX_SENTENCES: Final = 5
MAX_CHARACTERS: Final = 600
ALIKE: Final = 0.8  # of a sentence's terms in a longer one: both say the same
COVERED: Final = 0.1  # what an entity adds to a sentence's worth once a better sentence has named it
CLOSING: Final = "”\"'」』）)"
ZH_FINAL: Final = tuple("。！？；")
FINAL: Final = (*ZH_FINAL, *".!?…")

Relation = tuple[int, int, float, int]
"""Source, target, weight, and the number of the sentence."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, what it is about and what it relates that to: spellings, the main name first."""

    text: str
    subject: tuple[str, ...]
    object: tuple[str, ...]


def by_centrality(relations: Iterable[Relation]) -> dict[int, float]:
    """The entities with their weighted degrees, greatest first; equal ones in the order of their numbers."""
    degrees: defaultdict[int, float] = defaultdict(float)
    for source, target, weight, _ in relations:
        degrees[source] += weight
        degrees[target] += weight
    return dict(sorted(degrees.items(), key=lambda item: (-item[1], item[0])))


def telling_sentences(relations: Sequence[Relation], count: int) -> list[Relation]:
    """A relation for each of up to ``count`` sentences that together name the most central entities, best first."""
    central = by_centrality(relations)
    first: dict[int, Relation] = {}
    named: defaultdict[int, set[int]] = defaultdict(set)
    for relation in relations:
        source, target, _, sentence = relation
        known = first.setdefault(sentence, relation)
        if central[source] + central[target] > central[known[0]] + central[known[1]]:
            first[sentence] = relation
        named[sentence] |= {source, target}
    # Only the best by themselves: going through all of a large community again for each would take long.
    left = sorted(named, key=lambda each: -sum(central[entity] for entity in named[each]))[: 8 * count]
    chosen: list[Relation] = []
    covered: set[int] = set()
    while left and len(chosen) < count:
        worth = [sum(central[e] * (COVERED if e in covered else 1.0) for e in named[each]) for each in left]
        best = left.pop(worth.index(max(worth)))
        covered |= named[best]
        chosen.append(first[best])
    return chosen


def make_title(names: Iterable[str], language: Language) -> str:
    """The first three of ``names``, without those that are part of another."""
    chosen: list[str] = []
    for name in names:
        if len(chosen) == TITLE_NAMES:
            break
        if not any(_within(name, other) or _within(other, name) for other in chosen):
            chosen.append(name)
    return ("、" if language == "zh" else ", ").join(chosen)


def main_language(statements: Iterable[Statement]) -> Language:
    """The language of most statements."""
    languages = [_language(each.text) for each in statements]
    return "zh" if 2 * languages.count("zh") > len(languages) else "en"


def make_summary(statements: Sequence[Statement], language: Language) -> str:
    """Up to five sentences of ``statements``, best first there, and none twice in other words.

    Sentences on one subject stand together. Those in ``language`` come first, those in the other language
    follow in a paragraph of their own.
    """
    chosen: list[Statement] = []
    room = MAX_CHARACTERS
    for statement in sorted(statements, key=lambda each: not _ends(each.text)):
        length = len(standing_alone(statement))
        if len(chosen) == MAX_SENTENCES:
            break
        if (length <= room or not chosen) and not any(_alike(statement, other) for other in chosen):
            chosen.append(statement)
            room -= length + 1
    other: Language = "en" if language == "zh" else "zh"
    paragraphs = (
        _paragraph([statement for statement in chosen if _language(statement.text) == each], each)
        for each in (language, other)
    )
    return "\n".join(filter(None, paragraphs))


def _paragraph(statements: list[Statement], language: Language) -> str:
    subjects = list(dict.fromkeys(statement.subject for statement in statements))
    ordered = sorted(statements, key=lambda statement: subjects.index(statement.subject))
    sentences = [
        _finished(each.text) if before and before.subject == each.subject else standing_alone(each)
        for before, each in zip((None, *ordered), ordered, strict=False)
    ]
    return ("" if language == "zh" else " ").join(sentences)


def standing_alone(statement: Statement) -> str:
    """The sentence, with the names before it that it leaves to its neighbours in the document.

    Where it does not name its subject, that; where it does not name the object either, both.
    """
    text = _finished(statement.text)
    missing = [names for names in (statement.subject, statement.object) if not _names(text, names)]
    if statement.subject not in missing:
        return text
    language = _language(text)
    colon = "：" if language == "zh" else ": "
    return " – ".join(dict.fromkeys(_called(names, language) for names in missing)) + colon + text


def _finished(text: str) -> str:
    return text if _ends(text) else f"{text}…"


def _ends(text: str) -> bool:
    return text.rstrip(CLOSING).endswith(FINAL)


def _language(sentence: str) -> Language:
    """By its full stop: names in the other language, in brackets, may be longer than the rest."""
    return "zh" if sentence.rstrip(CLOSING).endswith(ZH_FINAL) else detect_language(sentence)


def _called(names: tuple[str, ...], language: Language) -> str:
    """The first spelling in ``language``, else the main name."""
    return next((name for name in names if detect_language(name) == language), names[0])


def _names(text: str, spellings: Iterable[str]) -> bool:
    return any(_within(spelling, text) for spelling in spellings)


def _within(name: str, text: str) -> bool:
    """Whether ``text`` has the words of ``name``, however they are written."""
    words = _words(name)
    return words != " " and words in _words(text)


def _alike(one: Statement, other: Statement) -> bool:
    """Whether the shorter one's terms are in the longer one, those that are no names by themselves too.

    Names alone make short sentences on the same entities look alike.
    """
    shorter, longer = sorted((one, other), key=lambda each: len(_terms(each.text)))
    terms, others = _terms(shorter.text), _terms(longer.text)
    said = terms.difference(*(_terms(name) for name in (*shorter.subject, *shorter.object)))
    return all(len(part & others) >= ALIKE * len(part) for part in (terms, said))


# A sentence comes up at each level and beside each other one.
@functools.lru_cache(maxsize=8_192)
def _words(text: str) -> str:
    """Latin words and Chinese characters, folded, each between spaces."""
    return "".join((" ", *(f"{unit.text} " for unit in units(text))))


@functools.lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))
