"""A corpus in a graph: loaded as ``clew ingest`` loads it, with a note of where the seconds went."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from unittest.mock import patch

from clew.graph.namespace import Namespace
from clew.knowledge.documents import Document, DocumentSource
from clew.knowledge.extracted import Extracted
from clew.knowledge.extraction import RuleExtraction
from clew.knowledge.name_book import NameBook
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.text.embedding import Embedder, Vector
from tests.integration.graph.library import Library

EMBEDDER: Final = "e5"
SAMPLED: Final = 64  # passages embedded after a load, to measure what embedding costs where vectors are remembered
KEPT: Final = 32  # one of so many passages is kept to choose those from
TENANT: Final = "bench"
KB: Final = "corpus"


@dataclass
class Load:
    """What one load took, in seconds; ``writes`` are transactions and stored profiles."""

    total: float = 0.0
    embedding: float = 0.0
    extraction: float = 0.0
    writing: float = 0.0
    writes: int = 0
    documents: int = 0
    chunks: int = 0
    entities: int = 0
    relations: int = 0
    passages: int = 0
    characters: int = 0
    kept: list[str] = field(default_factory=list)

    @property
    def others(self) -> float:
        """Collecting names, communities, the profile."""
        return self.total - self.embedding - self.extraction - self.writing

    def sample(self) -> list[str]:
        """Some of what was embedded, from all parts of the corpus."""
        return self.kept[:: max(1, len(self.kept) // SAMPLED)][:SAMPLED]


def corpus_namespace(title_links: bool) -> Namespace:
    """Where the corpus is kept; without links by exact title it is another graph, in a tenant of its own."""
    return Namespace(TENANT if title_links else f"{TENANT}-no-title-links", KB)


def load_corpus(
    library: Library,
    documents: DocumentSource,
    embedder: Embedder,
    *,
    title_links: bool = True,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Load:
    """Load ``documents`` into their namespace."""
    load = Load()
    graph = library.engine.graph
    write, put = graph.write, KnowledgeBaseRegistry.put

    def timed_write(work: Any) -> Any:
        load.writes += 1
        began = time.perf_counter()
        try:
            return write(work)
        finally:
            load.writing += time.perf_counter() - began

    def counted_put(self: KnowledgeBaseRegistry, profile: Any) -> None:
        load.writes += 1
        put(self, profile)

    began = time.perf_counter()
    with patch.object(graph, "write", timed_write), patch.object(KnowledgeBaseRegistry, "put", counted_put):
        report = library.load(
            corpus_namespace(title_links),
            documents,
            _TimedEmbedder(embedder, load),
            embedder_name=EMBEDDER,
            extraction=_TimedExtraction(load, title_links=title_links),
            progress=progress,
        )
    load.total = time.perf_counter() - began
    profile = report.profile
    load.documents, load.chunks = profile.documents, profile.chunks
    load.entities, load.relations = profile.entities, profile.relations
    return load


class _TimedEmbedder:
    def __init__(self, embedder: Embedder, load: Load) -> None:
        self._embedder = embedder
        self._load = load

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        began = time.perf_counter()
        vectors = self._embedder.embed_passages(texts)
        self._load.embedding += time.perf_counter() - began
        for text in texts:
            if self._load.passages % KEPT == 0:
                self._load.kept.append(text)
            self._load.passages += 1
            self._load.characters += len(text)
        return vectors


class _TimedExtraction(RuleExtraction):
    def __init__(self, load: Load, *, title_links: bool) -> None:
        super().__init__(title_links=title_links)
        self._load = load

    def extract(self, documents: list[Document], names: NameBook) -> list[Extracted]:
        began = time.perf_counter()
        extracted = super().extract(documents, names)
        self._load.extraction += time.perf_counter() - began
        return extracted
