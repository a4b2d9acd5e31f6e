"""Which turns of one conversation bear most on a question.

By words, by meaning, and by what stands beside a turn: what answers a question is often said a turn or two away
from what is worded like it. Nothing is learnt and no model is asked; whoever calls brings the similarities.
The weights were chosen on one half of the dialogues in ``tests/data/dialogues`` and measured on the other:
``docs/benchmarks.md``.
"""

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from clew.memory.asked_period import asked_periods
from clew.memory.turn_time import moment, sittings
from clew.memory.word_match import word_scores
from clew.text.terms import content_terms, index_terms

# In standard deviations of the conversation's similarities to the question, which are worth 1.
WORDS: Final = 0.4  # for one point of ``word_scores``
NEIGHBOURS: Final = (0.25, 0.1)  # of the score of the turns next to a turn, and of those next to these
SPEAKER: Final = 0.7  # for a turn of whom the question names; people are confused, so no more than that
PERIOD: Final = 1.0  # for a turn of the time that the question names
LENGTH: Final = 0.3  # for one standard deviation of the logarithm of the length: "That's great!" tells little


class Candidate(NamedTuple):
    """A turn as it is ranked: ``seq`` stands for it, ``cosine`` is its similarity to the question on any scale.

    ``terms`` are those of ``content_terms``. ``speaker`` is a person's name and ``time`` when it was said, ISO 8601
    if possible; both may be empty.
    """

    seq: int
    cosine: float
    terms: Sequence[str]
    speaker: str = ""
    time: str = ""


class Ranked(NamedTuple):
    """A turn and how much it bears on the question; scores compare within one ranking only."""

    seq: int
    score: float


def rank(question: str, turns: Sequence[Candidate], asked_at: str = "") -> list[Ranked]:
    """All of ``turns``, which come in the order of the conversation, best first; equal ones keep that order.

    ``asked_at`` (ISO 8601) is what "yesterday" in the question counts from.
    """
    if not turns:
        return []
    by_words = match_words(question, turns)
    by_meaning = _standardised([turn.cosine for turn in turns])
    scores = _with_neighbours(
        [WORDS * words + meaning for words, meaning in zip(by_words, by_meaning, strict=True)],
        sittings([turn.time for turn in turns]),
    )
    lengths = _standardised([math.log1p(len(turn.terms)) for turn in turns])
    spoken_by = _asked_speaker(question, {turn.speaker for turn in turns})
    periods = asked_periods(question, asked_at)
    for place, turn in enumerate(turns):
        scores[place] += LENGTH * lengths[place]
        if turn.speaker and turn.speaker == spoken_by:
            scores[place] += SPEAKER
        said_at = moment(turn.time) if periods and turn.time else None
        if said_at and any(period.covers(said_at.date()) for period in periods):
            scores[place] += PERIOD
    return in_order(turns, scores)


def match_words(question: str, turns: Sequence[Candidate]) -> list[float]:
    """How far each turn has the question's words, without the names of those who speak.

    A name is in the question because of who spoke, and in a turn because somebody was spoken to: most often
    by the one whom the question names.
    """
    speakers = {turn.speaker for turn in turns}
    names = {term for speaker in speakers for term in content_terms(speaker)}
    # Chinese names are cut out first: no space keeps them from making bigrams with what stands beside them.
    for speaker in speakers:
        if speaker and not speaker.isascii():
            question = question.replace(speaker, " ")
            if len(speaker) >= 3:
                question = question.replace(speaker[1:], " ")  # the given name alone
    return word_scores(set(content_terms(question)) - names, [turn.terms for turn in turns])


def in_order(turns: Sequence[Candidate], scores: Sequence[float]) -> list[Ranked]:
    """The turns by their scores, best first; equal ones as they come."""
    places = sorted(range(len(turns)), key=lambda place: -scores[place])
    return [Ranked(turns[place].seq, scores[place]) for place in places]


def _asked_speaker(question: str, speakers: Collection[str]) -> str:
    """The speaker whom the question names; empty where it names none or more than one."""
    asked = set(index_terms(question))
    named = {speaker: len(asked.intersection(content_terms(speaker))) for speaker in speakers if speaker}
    most = max(named.values(), default=0)
    best = [speaker for speaker, terms in named.items() if terms == most]
    return best[0] if most and len(best) == 1 else ""


def _with_neighbours(scores: Sequence[float], sitting: Sequence[int]) -> list[float]:
    """Each score and a share of those of the turns around it, but none from another sitting."""
    credited = list(scores)
    for distance, share in enumerate(NEIGHBOURS, start=1):
        for place in range(distance, len(scores)):
            before = place - distance
            if sitting[before] == sitting[place]:
                credited[place] += share * scores[before]
                credited[before] += share * scores[place]
    return credited


def _standardised(values: Sequence[float]) -> list[float]:
    """Distances from the mean in standard deviations; all 0 where the values do not differ."""
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    if deviation < 1e-9:
        return [0.0] * len(values)
    return [(value - mean) / deviation for value in values]
