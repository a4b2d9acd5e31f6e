"""Evidence as candidate sentences, each with its terms and the entities it names."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import Passage
from clew.text.sentences import split_sentences
from clew.text.terms import content_terms


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of the evidence.

    ``number`` is its passage's citation number; ``mentions`` are the entities it names, ``subjects``
    those that its passage is about.
    """

    number: int
    position: int
    text: str
    terms: frozenset[str]
    mentions: frozenset[str]
    subjects: frozenset[str]


def candidates(evidence: tuple[Passage, ...]) -> list[Candidate]:
    """All sentences of the evidence, each text once, in the evidence's order."""
    found: dict[str, Candidate] = {}
    for number, passage in enumerate(evidence, start=1):
        names = EntityNames(passage.entities)
        subjects = names.mentioned(passage.title)
        for position, sentence in enumerate(split_sentences(passage.text)):
            text = sentence.text.lstrip("#*- ").strip()
            mentions = names.mentioned(text)
            found.setdefault(
                text, Candidate(number, position, text, frozenset(content_terms(text)), mentions, subjects)
            )
    return list(found.values())


def rarity(sentences: Iterable[Candidate]) -> dict[str, float]:
    """How telling each term is: the logarithm of how few sentences have it (inverse document frequency)."""
    return rarity_of(sentence.terms for sentence in sentences)


def rarity_of(texts: Iterable[frozenset[str]]) -> dict[str, float]:
    """The same of texts' terms."""
    all_texts = list(texts)
    counts = Counter(term for terms in all_texts for term in terms)
    return {term: math.log(1 + len(all_texts) / count) for term, count in counts.items()}
