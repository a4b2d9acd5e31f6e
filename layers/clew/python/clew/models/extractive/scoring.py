"""How well sentences answer a question: by words, by meaning, by the entities they name."""

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from clew.models.extractive.candidates import Candidate, rarity
from clew.models.extractive.question import Question
from clew.retrieval.scores import standardised
from clew.text.embedding import Embedder
from clew.text.glossary import synonyms, translated_groups

EMBEDDED: Final = 12  # sentences compared in meaning as well; each costs the laptop's embedder 20 to 40 ms
WORDS: Final = 0.6  # weight of shared words against meaning
STEM: Final = 4  # words that begin alike count as one from this length on: director, directed
ALIKE: Final = 0.7  # share of the longer word that both begin with
ANCHORED: Final = 0.8  # what of a sentence's score hangs on naming what the question names
BY_SUBJECT: Final = 0.7  # a sentence of a passage about the named entity, not naming it again
ADDED: Final = 0.1  # share of the asked words that a second sentence must bring
ADDED_BY_EACH: Final = 0.25  # share of the asked words that each of two sentences about one thing must bring
OTHER_SUBJECT: Final = 0.85  # a second sentence that stands in a passage about something else
BOTH_ASK: Final = 0.1  # for a first sentence that has asked words of its own
WRONG_KIND: Final = 0.6  # a sentence without a figure where the question asks for a time or an amount
NOWHERE: Final = 0.8  # a sentence that names no place where the question asks for one
SYNONYM: Final = 0.6  # what a synonym counts for against the word itself
ABSENT_BIGRAM: Final = 0.3  # weight of a bigram that no sentence has: mostly the end of one word and the next's start

_SOMEWHERE = re.compile(
    r"\b(?:in|at|near|from) (?:the )?[A-Z]|\b(?:Building|Hall|Room)\b|[在于].*[楼室馆院市县省国州]|生于"
)
_FIGURE = re.compile(r"\d|[一二三四五六七八九十]+[月日年周]")


class Scorer:
    """Scores of one language's sentences for one question.

    ``across`` tells that the sentences are in the other language than the question: what is asked is then
    looked for in the glossary's words, as far as it has any.
    """

    def __init__(
        self, question: Question, sentences: list[Candidate], embedder: Embedder, *, across: bool = False
    ) -> None:
        self._question = question
        self.across = across
        self._rarity = rarity(sentences)
        self._asked = _translated(question) if across else {term: synonyms(term) for term in question.asked}
        self._shared = {sentence.text: self._shared_terms(sentence) for sentence in sentences}
        self._total = sum(self._weight(term) for term in self._asked) or 1.0
        self.sentences = self._promising(sentences)
        vector = embedder.embed_query(question.text)
        vectors = embedder.embed_passages([sentence.text for sentence in self.sentences])
        self._cosine = {
            sentence.text: sum(a * b for a, b in zip(vector, other, strict=True))
            for sentence, other in zip(self.sentences, vectors, strict=True)
        }
        self._meaning = standardised(self._cosine)

    @property
    def asks_words(self) -> bool:
        """Whether there are words to look for in these sentences."""
        return bool(self._asked)

    def cosine(self, sentence: Candidate) -> float:
        return self._cosine[sentence.text]

    def words(self, *sentences: Candidate) -> float:
        """The share of the asked words, weighed by rarity, that the sentences have together."""
        shared: dict[str, float] = {}
        for sentence in sentences:
            for term, strength in self._shared[sentence.text].items():
                shared[term] = max(strength, shared.get(term, 0.0))
        return sum(strength * self._weight(term) for term, strength in shared.items()) / self._total

    def single(self, sentence: Candidate) -> float:
        """How well the sentence answers alone."""
        return self._relevance(sentence) * self._anchored(sentence) * self._fits_kind(sentence)

    def both(self, first: Candidate, second: Candidate) -> float:
        """How well two sentences about what the question names answer the two things that it asks."""
        about_named = min(self._anchor(first), self._anchor(second))
        if about_named < BY_SUBJECT or not self._question.named:
            return 0.0
        whole = self.words(first, second)
        if min(whole - self.words(first), whole - self.words(second)) < ADDED_BY_EACH:
            return 0.0
        fits = max(self._fits_kind(first), self._fits_kind(second))
        return (self._relevance(first, second) + BOTH_ASK / 2) * (1 - ANCHORED + ANCHORED * about_named) * fits

    def pair(self, first: Candidate, second: Candidate) -> float:
        """How well a sentence about what the question names, and one about what that brings in, answer together."""
        bridge = (first.mentions - self._question.named) & (second.mentions | second.subjects)
        about_named = self._anchor(first)
        if (
            not bridge
            or about_named < BY_SUBJECT / 2
            or (self._question.named and self._anchor(second) >= about_named)
            or not self._adds(first, second)
        ):
            return 0.0
        about = 1.0 if bridge & second.subjects else OTHER_SUBJECT
        both_ask = BOTH_ASK if self._shared[first.text] else 0.0
        return (self._relevance(first, second) + both_ask) * self._anchored(first) * about * self._fits_kind(second)

    def lacks_run(self, length: int) -> bool:
        """Whether ``length`` Chinese bigrams of the question in a row stand in no sentence."""
        absent = 0
        for term in self._question.sequence:
            absent = absent + 1 if not term.isascii() and term not in self._rarity else 0
            if absent >= length:
                return True
        return False

    def _shared_terms(self, sentence: Candidate) -> dict[str, float]:
        """The asked terms that the sentence has, by how surely: a synonym says a little less."""
        shared: dict[str, float] = {}
        for term, forms in self._asked.items():
            if has_term(sentence.terms, term):
                shared[term] = 1.0
            elif any(has_term(sentence.terms, form) for form in forms):
                shared[term] = 1.0 if self.across else SYNONYM
        return shared

    def _promising(self, sentences: list[Candidate]) -> list[Candidate]:
        """The sentences worth comparing in meaning: half by words and anchor, half by what those lead to."""
        ranked = sorted(sentences, key=lambda sentence: -(self.words(sentence) + self._anchor(sentence)))
        first = ranked[: EMBEDDED // 2]
        bridges = frozenset().union(*(s.mentions for s in first if self._anchor(s) >= BY_SUBJECT / 2))
        bridges -= self._question.named

        def led_to(sentence: Candidate) -> float:
            about = BY_SUBJECT if bridges & sentence.subjects else 0.0
            return -(self.words(sentence) + about)

        return list(dict.fromkeys([*first, *sorted(ranked, key=led_to)[: EMBEDDED // 2], *ranked]))[:EMBEDDED]

    def _adds(self, first: Candidate, second: Candidate) -> bool:
        """Whether the second brings asked words, or where words cannot tell, is nearer to the question."""
        if not self._asked:
            return self.cosine(second) > self.cosine(first)
        return self.words(first, second) - self.words(first) >= ADDED

    def _relevance(self, *sentences: Candidate) -> float:
        meaning = max(self._meaning[sentence.text] for sentence in sentences)
        return WORDS * self.words(*sentences) + (1 - WORDS) * meaning if self._asked else meaning

    def _anchor(self, sentence: Candidate) -> float:
        return anchor(self._question, sentence)

    def _anchored(self, sentence: Candidate) -> float:
        return 1 - ANCHORED + ANCHORED * self._anchor(sentence)

    def _fits_kind(self, sentence: Candidate) -> float:
        match self._question.kind:
            case "any":
                return 1.0
            case "place":
                return 1.0 if _SOMEWHERE.search(sentence.text) else NOWHERE
            case "time" | "amount":
                return 1.0 if _FIGURE.search(sentence.text) else WRONG_KIND

    def _weight(self, term: str) -> float:
        if self.across:
            return 1.0
        most = max(self._rarity.values(), default=1.0)
        if term not in self._rarity and not term.isascii():
            return most * ABSENT_BIGRAM
        return self._rarity.get(term, most)


def anchor(question: Question, sentence: Candidate) -> float:
    """How far the sentence is about what the question names: by naming it, or by its passage's subject."""
    if not question.named:
        return 1.0
    direct = len(question.named & sentence.mentions) / len(question.named)
    return max(direct, BY_SUBJECT * len(question.named & sentence.subjects) / len(question.named))


def _translated(question: Question) -> dict[str, frozenset[str]]:
    groups = translated_groups(question.asked_text, question.language)
    return {f"glossary line {number}": forms for number, forms in enumerate(groups)}


def has_term(terms: Iterable[str], wanted: str) -> bool:
    """Whether a term is there, or one that begins alike: words of one family differ at the end."""
    if len(wanted) == 1 and not wanted.isascii():
        return any(wanted in term for term in terms)
    return wanted in terms or (
        wanted.isascii() and len(wanted) >= STEM and any(_alike(term, wanted) for term in terms if term.isascii())
    )


def _alike(one: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= max(STEM, ALIKE * max(len(one), len(other)))
