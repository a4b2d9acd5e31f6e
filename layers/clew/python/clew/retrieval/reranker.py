"""The reranker: a model that reads a question beside each passage and says how well it answers."""

from typing import Protocol


class Reranker(Protocol):
    """Scores passages against a question, where one is configured."""

    def rerank(self, query: str, texts: list[str]) -> list[float]:
        """One relevance in [0, 1] for each of ``texts``, in their order.

        Raises TransientError's kinds when the model cannot answer for now, ModelError when it refuses.
        """
        ...
