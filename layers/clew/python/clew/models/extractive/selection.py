"""Choosing the sentences that answer: one, a few alike, or two that an entity links."""

from dataclasses import dataclass
from typing import Final

from clew.models.extractive.candidates import Candidate, candidates
from clew.models.extractive.question import Question
from clew.models.extractive.scoring import Scorer, anchor
from clew.retrieval.evidence import Passage
from clew.text.embedding import Embedder
from clew.text.language import detect_language
from clew.text.terms import content_terms

SECOND_GAIN: Final = 0.05  # what a second sentence must add to the score to be worth saying
SAME: Final = 0.93  # sentences this close to the best say as much and are quoted too
MAX_QUOTED: Final = 3

# When evidence answers. Cosines are those of e5, whose scores lie between .7 and .97; the figures were read
# off the answerable and unanswerable questions of the demo knowledge bases.
ENOUGH_WORDS: Final = 0.5  # share of the asked words that is enough by itself
SOME_WORDS: Final = 0.3  # enough together with
SOME_MEANING: Final = 0.83
NEAR: Final = 0.93  # near enough without a shared word
NEAR_ACROSS: Final = 0.90  # in the other language, about what the question names
NEAR_ACROSS_WORDED: Final = 0.78  # the same, having the glossary's words for what is asked
ALL_WORDS: Final = 0.95
NEAR_ACROSS_ALL: Final = 0.68  # the same, having all of them
ABSENT_RUN: Final = 3  # bigrams in a row that no sentence has: four characters of an unknown name
LEAST_ANCHOR: Final = 0.3


@dataclass(frozen=True, slots=True)
class Selection:
    """The sentences to quote, in order, and their score; none if the evidence does not answer."""

    sentences: tuple[Candidate, ...] = ()
    score: float = 0.0


def select(question: Question, evidence: tuple[Passage, ...], embedder: Embedder) -> Selection:
    """The sentences of ``evidence`` that answer: in the question's language if they do, else in the other."""
    sentences = candidates(evidence)
    within = [sentence for sentence in sentences if detect_language(sentence.text) == question.language]
    across = [sentence for sentence in sentences if detect_language(sentence.text) != question.language]
    for group, is_across in ((within, False), (across, True)):
        if not any(anchor(question, sentence) >= LEAST_ANCHOR for sentence in group):
            continue  # nothing here is about what the question names
        scorer = Scorer(question, group, embedder, across=is_across)
        chosen, score = _best(scorer)
        if _answers(question, scorer, chosen, sentences):
            return Selection(tuple(chosen), score)
    return Selection()


def _best(scorer: Scorer) -> tuple[list[Candidate], float]:
    best = max(scorer.sentences, key=scorer.single)
    single = scorer.single(best)
    two = [(one, other) for one in scorer.sentences for other in scorer.sentences if one != other]
    ways = [(scorer.pair(one, other), one, other) for one, other in two]
    ways += [(scorer.both(one, other), one, other) for one, other in two if one.position <= other.position]
    paired, first, second = max(ways, key=lambda item: item[0], default=(0.0, best, best))
    if paired > single + SECOND_GAIN:
        return [first, second], paired
    alike = [sentence for sentence in scorer.sentences if sentence != best and scorer.single(sentence) >= SAME * single]
    return [best, *sorted(alike, key=lambda sentence: -scorer.single(sentence))[: MAX_QUOTED - 1]], single


def _answers(question: Question, scorer: Scorer, chosen: list[Candidate], evidence: list[Candidate]) -> bool:
    if max(anchor(question, sentence) for sentence in chosen) < LEAST_ANCHOR:
        return False
    cosine = max(scorer.cosine(sentence) for sentence in chosen)
    words = scorer.words(*chosen)
    if scorer.across:
        enough = NEAR_ACROSS
        if scorer.asks_words and words >= ENOUGH_WORDS:
            enough = NEAR_ACROSS_WORDED if words < ALL_WORDS else NEAR_ACROSS_ALL
        return bool(question.named) and cosine >= enough and not _unknown(question, evidence)
    if _unknown(question, chosen) or scorer.lacks_run(ABSENT_RUN):
        return False
    return (
        not question.asked
        or words >= ENOUGH_WORDS
        or (words >= SOME_WORDS and cosine >= SOME_MEANING)
        or cosine >= NEAR
    )


def _unknown(question: Question, sentences: list[Candidate]) -> bool:
    """Whether the question names something that none of the sentences has."""
    terms = frozenset(term for sentence in sentences for term in sentence.terms)
    return not all(set(content_terms(name)) <= terms for name in question.unknown_names)
