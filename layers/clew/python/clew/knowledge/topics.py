"""What a knowledge base is about, as a few vectors that a question can be compared with."""

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.embedding import Embedder, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

CLUSTERS: Final = 16
ROUNDS: Final = 8


def topic_vectors(
    summary: KnowledgeBaseSummary, passages: Iterable[Vector], embedder: Embedder
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


def centroids(vectors: Iterable[Vector], clusters: int = CLUSTERS) -> list[Vector]:
    """Centres of ``clusters`` groups of unit vectors: spherical k-means from spread-out starting points.

    The vectors themselves where there are no more of them.
    """
    import numpy as np

    packed = array("d")
    count = 0
    for vector in vectors:
        packed.extend(vector)
        count += 1
    points: Points = np.frombuffer(packed).reshape(count, -1) if count else np.empty((0, 0))
    if count <= clusters:
        return [point.tolist() for point in points]
    centres = points[_spread(points, clusters)]
    for _ in range(ROUNDS):
        closest = (points @ centres.T).argmax(axis=1)
        for number in range(clusters):
            group = points[closest == number]
            if len(group):
                total = group.sum(axis=0)
                centres[number] = total / (np.linalg.norm(total) or 1.0)
    return [centre.tolist() for centre in centres]


def dot(one: Vector | tuple[float, ...], other: Vector | tuple[float, ...]) -> float:
    """The cosine of two unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def _spread(points: "Points", count: int) -> list[int]:
    """Start at the first point, then each time at the one farthest from those chosen: the same every time."""
    import numpy as np

    chosen = [0]
    best = points @ points[0]
    while len(chosen) < count:
        chosen.append(int(best.argmin()))
        best = np.maximum(best, points @ points[chosen[-1]])
    return chosen
