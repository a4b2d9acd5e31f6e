"""An embedder for tests that are not about meaning: texts that share words are near each other, in no time."""

import hashlib
import math

from clew.text.embedding import Vector
from clew.text.terms import content_terms

DIMENSIONS = 64


class TermEmbedder:
    """Each term adds to one of 64 directions; a passage that holds ``breaks_at`` is where it fails."""

    def __init__(self, breaks_at: str = "", error: BaseException | None = None) -> None:
        self.texts = 0
        self._breaks_at = breaks_at
        self._error = error or RuntimeError("the embedder broke")

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed_query(self, text: str) -> Vector:
        return _vector(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        if self._breaks_at and any(self._breaks_at in text for text in texts):
            raise self._error
        self.texts += len(texts)
        return [_vector(text) for text in texts]


def _vector(text: str) -> Vector:
    numbers = [0.001] * DIMENSIONS  # no text is without direction
    for term in content_terms(text):
        numbers[hashlib.sha256(term.encode()).digest()[0] % DIMENSIONS] += 1.0
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]
