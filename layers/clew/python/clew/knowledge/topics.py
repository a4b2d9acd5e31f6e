"""What a knowledge base is about, as a few vectors that a question can be compared with."""

import math
from typing import Final

from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.embedding import Embedder, Vector

CLUSTERS: Final = 16
ROUNDS: Final = 8


def topic_vectors(
    summary: KnowledgeBaseSummary, passages: list[Vector], embedder: Embedder
) -> tuple[tuple[float, ...], ...]:
    """Unit vectors of the profile's title, descriptions and examples, and of groups of passages.

    Examples are embedded as queries, since that is what they are compared with.
    """
    said = [
        text
        for text in (
            f"{summary.title}. {summary.description}" if summary.description else summary.title,
            f"{summary.title_zh}。{summary.description_zh}" if summary.description_zh else summary.title_zh,
        )
        if text
    ]
    vectors = embedder.embed_passages(said)
    vectors += [embedder.embed_query(example) for example in summary.examples]
    vectors += centroids(passages)
    return tuple(tuple(round(number, 6) for number in vector) for vector in vectors)


def centroids(vectors: list[Vector], clusters: int = CLUSTERS) -> list[Vector]:
    """Centres of ``clusters`` groups of unit vectors: spherical k-means from spread-out starting points."""
    if len(vectors) <= clusters:
        return [list(vector) for vector in vectors]
    centres = _spread(vectors, clusters)
    for _ in range(ROUNDS):
        groups: list[list[Vector]] = [[] for _ in centres]
        for vector in vectors:
            groups[_closest(vector, centres)].append(vector)
        centres = [_mean(group) if group else centre for group, centre in zip(groups, centres, strict=True)]
    return centres


def dot(one: Vector | tuple[float, ...], other: Vector | tuple[float, ...]) -> float:
    """The cosine of two unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def _spread(vectors: list[Vector], count: int) -> list[Vector]:
    """Start at the first vector, then each time at the one farthest from those chosen: the same every time."""
    chosen = [vectors[0]]
    best = [dot(vector, chosen[0]) for vector in vectors]
    while len(chosen) < count:
        farthest = min(range(len(vectors)), key=best.__getitem__)
        chosen.append(vectors[farthest])
        best = [max(known, dot(vector, vectors[farthest])) for known, vector in zip(best, vectors, strict=True)]
    return chosen


def _closest(vector: Vector, centres: list[Vector]) -> int:
    return max(range(len(centres)), key=lambda index: dot(vector, centres[index]))


def _mean(group: list[Vector]) -> Vector:
    total = [sum(column) for column in zip(*group, strict=True)]
    length = math.sqrt(dot(total, total)) or 1.0
    return [number / length for number in total]
