"""Loading documents into a knowledge base: what changed, and nothing else, is written."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from clew.errors import ConfigurationError
from clew.graph.namespace import Namespace
from clew.graph.schema import Schema
from clew.identifiers import short_digest
from clew.knowledge.chunking import MAX_WEIGHT, OVERLAP_WEIGHT
from clew.knowledge.documents import Document
from clew.knowledge.extraction import EXTRACTION_VERSION, Extracted, extract
from clew.knowledge.graph_census import GraphCensus
from clew.knowledge.graph_writer import DocumentWrite, GraphWriter
from clew.knowledge.name_book import NameBook
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.knowledge.topics import topic_vectors
from clew.routing.knowledge_base import KnowledgeBaseProfile, KnowledgeBaseSummary
from clew.text.embedding import Embedder

MAX_NAMES: Final = 4_000  # names kept in the profile; the registry bounds their bytes
VECTOR_SAMPLE: Final = 2_000
BATCH: Final = 16  # documents in one transaction: stored whole or not at all, and about a second of embedding

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What one load did, in documents, and what the knowledge base holds now."""

    added: int
    updated: int
    unchanged: int
    profile: KnowledgeBaseProfile


class Ingest:
    """Loads documents into one knowledge base."""

    def __init__(
        self,
        *,
        namespace: Namespace,
        schema: Schema,
        census: GraphCensus,
        writer: GraphWriter,
        registry: KnowledgeBaseRegistry,
        embedder: Embedder,
        embedder_name: str,
    ) -> None:
        self._namespace = namespace
        self._schema = schema
        self._census = census
        self._writer = writer
        self._registry = registry
        self._embedder = embedder
        self._embedder_name = embedder_name

    def load(self, documents: list[Document], summary: KnowledgeBaseSummary, progress: Progress) -> LoadReport:
        """Load ``documents``; those whose content is stored already are passed over without a write.

        A document is stored whole or not at all, so a load that broke off goes on where it stopped when
        repeated. ConfigurationError if the knowledge base was made with another embedder.
        """
        known = self._registry.find(summary.prefix)
        if known and known.embedder and known.embedder != self._embedder_name:
            raise ConfigurationError(
                f"Knowledge base {summary.prefix!r} was loaded with the embedder {known.embedder!r}, not "
                f"{self._embedder_name!r}; load it under another prefix or set CLEW_EMBEDDER back."
            )
        self._schema.prepare(self._namespace, self._embedder.dimensions)
        stored = self._writer.hashes([document.id for document in documents])
        changed = [document for document in documents if stored.get(document.id) != self._hash(document)]
        if not changed and known and known.index_state == "ready" and _same_summary(known, summary):
            progress("comparing", len(documents), len(documents))
            return LoadReport(0, 0, len(documents), known)

        loading = _profile(summary, known, embedder=self._embedder_name, index_state="loading")
        self._registry.put(loading)
        self._store(changed, progress)
        profile = self._profile(loading)
        self._registry.put(profile)
        updated = sum(1 for document in changed if document.id in stored)
        return LoadReport(len(changed) - updated, updated, len(documents) - len(changed), profile)

    def _store(self, documents: list[Document], progress: Progress) -> None:
        names = NameBook(self._writer.entity_id)
        for row in self._writer.known_entities():
            names.add_known(row["id"], row["name"], row["spellings"])
        names.collect(documents)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        stored: set[str] = set()
        for begin in range(0, len(documents), BATCH):
            progress("loading", begin, len(documents))
            batch = [extract(document, names) for document in documents[begin : begin + BATCH]]
            vectors = iter(self._embedder.embed_passages([text for each in batch for text in _texts(each)]))
            writes = [
                DocumentWrite(each, [next(vectors) for _ in each.chunks], self._hash(each.document)) for each in batch
            ]
            self._writer.put(writes, names.entities, now, frozenset(stored))
            stored.update(*(each.mentioned for each in batch))
        self._writer.remove_orphans()
        progress("loading", len(documents), len(documents))

    def _profile(self, loading: KnowledgeBaseProfile) -> KnowledgeBaseProfile:
        return loading.model_copy(
            update={
                **self._census.counts(),
                "entity_names": tuple(dict.fromkeys(self._census.top_names(MAX_NAMES))),
                "topic_vectors": topic_vectors(loading, self._census.sample_vectors(VECTOR_SAMPLE), self._embedder),
                "index_state": "ready",
                "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )

    def _hash(self, document: Document) -> str:
        """The document and all that its passages and vectors are made with."""
        how = (EXTRACTION_VERSION, str(MAX_WEIGHT), str(OVERLAP_WEIGHT), self._embedder_name)
        return short_digest(document.content_hash, *how, length=32)


def _texts(extracted: Extracted) -> list[str]:
    """What is embedded of each chunk: the title gives a passage in the middle of a document its subject."""
    return [f"{extracted.document.title}\n{item.chunk.text}" for item in extracted.chunks]


def _same_summary(known: KnowledgeBaseProfile, summary: KnowledgeBaseSummary) -> bool:
    return all(getattr(known, name) == getattr(summary, name) for name in KnowledgeBaseSummary.model_fields)


def _profile(
    summary: KnowledgeBaseSummary, known: KnowledgeBaseProfile | None, *, embedder: str, index_state: str
) -> KnowledgeBaseProfile:
    fields = {**(known.model_dump() if known else {}), **summary.model_dump()}
    return KnowledgeBaseProfile(**{**fields, "embedder": embedder, "index_state": index_state})
