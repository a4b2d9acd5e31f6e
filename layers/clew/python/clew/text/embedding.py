"""Text as vectors: the protocol of an embedder."""

from typing import Protocol

Vector = list[float]


class Embedder(Protocol):
    """Turns text into unit-length vectors of ``dimensions`` numbers.

    Queries and passages are embedded apart, since retrieval models are trained with two prefixes.
    Both raise ModelThrottledError or ModelUnavailableError where a remote model refuses.
    """

    @property
    def dimensions(self) -> int:
        """Length of every vector; the graph's vector indexes are made with it."""
        ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_passages(self, texts: list[str]) -> list[Vector]: ...
