"""How far the words of a question are those of a text: BM25 over the texts of one conversation."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

K1: Final = 0.9  # how much a word counts that is said again
B: Final = 0.25  # how much a long text is held against its words; turns are short, so little
BIGRAM: Final = 0.5  # of a word's worth: bigrams overlap, so a Chinese word of three characters makes two of them


def word_scores(question_terms: Collection[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """A score of 0 or more for each text, given as terms; a word that few of ``texts`` hold counts more.

    A word of the question that one text in 600 holds is worth about 6 there.
    """
    wanted = frozenset(question_terms)
    scores = [0.0] * len(texts)
    if not wanted or not texts:
        return scores
    counts = [Counter(filter(wanted.__contains__, terms)) for terms in texts]
    holders = Counter(term for found in counts for term in found)
    weight = {
        term: (1 if term.isascii() else BIGRAM) * math.log1p((len(texts) - held + 0.5) / (held + 0.5))
        for term, held in holders.items()
    }
    average = sum(map(len, texts)) / len(texts) or 1.0
    for place, found in enumerate(counts):
        if found:
            saturation = K1 * (1 - B + B * len(texts[place]) / average)
            scores[place] = sum(weight[term] * count * (K1 + 1) / (count + saturation) for term, count in found.items())
    return scores
