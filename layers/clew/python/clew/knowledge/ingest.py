"""Loading documents into a knowledge base and removing them: what changed, and nothing else, is written."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, compress
from typing import Final

from clew.errors import ConfigurationError, InvalidRequestError, UnknownKnowledgeBaseError
from clew.graph.namespace import Namespace
from clew.graph.schema import Schema
from clew.identifiers import short_digest
from clew.knowledge.chunking import MAX_WEIGHT, OVERLAP_WEIGHT
from clew.knowledge.community_builder import CommunityBuilder
from clew.knowledge.document_names import names_of
from clew.knowledge.documents import Document, DocumentSource
from clew.knowledge.extracted import Extracted, Extraction
from clew.knowledge.graph_census import GraphCensus
from clew.knowledge.graph_writer import DocumentWrite, GraphWriter
from clew.knowledge.linking import differences
from clew.knowledge.name_book import NameBook
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.knowledge.topics import topic_vectors
from clew.routing.knowledge_base import KnowledgeBaseProfile, KnowledgeBaseSummary
from clew.text.embedding import Embedder

MAX_NAMES: Final = 4_000  # names kept in the profile; the registry bounds their bytes
VECTOR_SAMPLE: Final = 2_000
BATCH: Final = 16  # documents in one transaction: stored whole or not at all, and about a second of embedding
BATCH_CHARACTERS: Final = 200_000  # unless they are longer: what is in memory at once
COMPARED: Final = 1_000  # documents whose hashes are looked up at once

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What one load did, in documents, and what the knowledge base holds now."""

    added: int
    updated: int
    unchanged: int
    profile: KnowledgeBaseProfile
    removed: int = 0


@dataclass
class _Comparison:
    """Documents held against what is stored: ``changed`` has a 1 for each that is new or changed, in order."""

    changed: bytearray = field(default_factory=bytearray)
    updated: set[str] = field(default_factory=set)

    @property
    def added(self) -> int:
        return sum(self.changed) - len(self.updated)

    @property
    def unchanged(self) -> int:
        return len(self.changed) - sum(self.changed)


class Ingest:
    """Loads documents into one knowledge base, and removes them."""

    def __init__(
        self,
        *,
        namespace: Namespace,
        schema: Schema,
        census: GraphCensus,
        writer: GraphWriter,
        registry: KnowledgeBaseRegistry,
        extraction: Extraction,
        communities: CommunityBuilder,
        embedder: Embedder,
        embedder_name: str,
    ) -> None:
        self._namespace = namespace
        self._schema = schema
        self._census = census
        self._writer = writer
        self._registry = registry
        self._extraction = extraction
        self._communities = communities
        self._embedder = embedder
        self._embedder_name = embedder_name

    def load(
        self, documents: DocumentSource, summary: KnowledgeBaseSummary, progress: Progress, *, prune: bool = False
    ) -> LoadReport:
        """Load ``documents``; those whose content is stored already are passed over without a write.

        They are gone through three times and never kept. A document is stored whole or not at all, so a
        load that broke off goes on where it stopped when repeated. ``prune`` removes what is stored and
        not among them. ConfigurationError if the knowledge base was made with another embedder.
        """
        known = self._registry.find(summary.prefix)
        self._check_embedder(known)
        if prune and not len(documents):
            raise InvalidRequestError("Without a single document, pruning would empty the knowledge base.")
        self._schema.prepare(self._namespace, self._embedder.dimensions)
        compared = self._compare(documents, progress)
        gone = self._not_among(documents) if prune else []
        as_it_is = known and known.index_state == "ready" and _same_summary(known, summary)
        if known and as_it_is and not any(compared.changed) and not gone and self._communities.finished():
            return LoadReport(0, 0, len(documents), known)

        loading = self._begin(summary, known, self._extraction.version)
        self._bring_in_step(documents, compared, gone, loading.chunks, progress)
        profile = self._end(loading, progress)
        return LoadReport(compared.added, len(compared.updated), compared.unchanged, profile, len(gone))

    def remove(self, document_ids: Iterable[str], progress: Progress) -> LoadReport:
        """Remove documents and all that comes from them alone; the others are left as if they had never been there.

        InvalidRequestError, with nothing removed, names ids that are not there. Where a load or removal
        broke off they are passed over instead, so that it can be repeated.
        """
        known = self._registry.get(self._namespace.kb_prefix)
        self._check_embedder(known)
        self._schema.prepare(self._namespace, self._embedder.dimensions)
        wanted = list(dict.fromkeys(document_ids))
        found: set[str] = set()
        for begin in range(0, len(wanted), COMPARED):
            found.update(self._writer.stored.hashes(wanted[begin : begin + COMPARED]))
        unknown = [document_id for document_id in wanted if document_id not in found]
        if unknown and known.index_state == "ready":
            raise InvalidRequestError(
                f"Knowledge base {known.prefix!r} has no document {_listed(unknown)}; nothing was removed."
            )
        gone = [document_id for document_id in wanted if document_id in found]
        loading = self._begin(known, known, known.extraction)
        self._bring_in_step([], _Comparison(), gone, loading.chunks, progress)
        profile = self._end(loading, progress)
        return LoadReport(0, 0, profile.documents, profile, len(gone))

    def delete(self, progress: Progress) -> int:
        """Delete the whole knowledge base; how many nodes the graph had of it.

        Its profile goes first, so that no question is routed to a part of it. If it breaks off, deleting
        again takes the rest. UnknownKnowledgeBaseError if there is neither profile nor index nor node.
        """
        prefix = self._namespace.kb_prefix
        known = self._registry.find(prefix) is not None
        self._registry.delete(prefix)
        progress("deleting", 0, 1)
        nodes = self._writer.remove_all()
        indexed = self._schema.dimensions(self._namespace) is not None
        self._schema.drop(self._namespace)
        progress("deleting", 1, 1)
        if not (known or nodes or indexed):
            raise UnknownKnowledgeBaseError(prefix, [each.prefix for each in self._registry.list()])
        return nodes

    def _compare(self, documents: DocumentSource, progress: Progress) -> _Comparison:
        compared = _Comparison()
        page: dict[str, str] = {}
        for document in documents:
            page[document.id] = self._hash(document)
            if len(page) == COMPARED:
                self._compare_page(page, compared)
                progress("comparing", len(compared.changed), len(documents))
                page = {}
        self._compare_page(page, compared)
        progress("comparing", len(compared.changed), len(documents))
        return compared

    def _compare_page(self, page: dict[str, str], compared: _Comparison) -> None:
        stored = self._writer.stored.hashes(list(page))
        for document_id, wanted in page.items():
            changed = stored.get(document_id) != wanted
            compared.changed.append(changed)
            if changed and document_id in stored:
                compared.updated.add(document_id)

    def _not_among(self, documents: DocumentSource) -> list[str]:
        given = {document.id for document in documents}
        return [document_id for document_id in self._writer.stored.ids() if document_id not in given]

    def _begin(
        self, summary: KnowledgeBaseSummary, known: KnowledgeBaseProfile | None, extraction: str
    ) -> KnowledgeBaseProfile:
        """Note that the knowledge base is not what it will be, until ``_end``."""
        fields = {**(known.model_dump() if known else {}), **_shown(summary)}
        fields |= {"embedder": self._embedder_name, "extraction": extraction, "index_state": "loading"}
        loading = KnowledgeBaseProfile(**fields)
        self._registry.put(loading)
        return loading

    def _bring_in_step(
        self, documents: DocumentSource, compared: _Comparison, gone: list[str], passages: int, progress: Progress
    ) -> None:
        """Make the graph what it would be had the documents that there will be been loaded all at once.

        ``passages`` is about how many it holds now.
        """
        names = self._names(documents, compared, gone, progress)
        self._mark(names, passages, progress)
        self._remove(gone, progress)
        self._store(documents, compared, names, progress)
        self._read_again(names, progress)
        self._writer.remove_orphans()

    def _names(self, documents: DocumentSource, compared: _Comparison, gone: list[str], progress: Progress) -> NameBook:
        """The names of all documents that there will be."""
        without = {*gone, *compared.updated}
        changed = _told("reading names", compress(documents, compared.changed), sum(compared.changed), progress)
        names = NameBook(self._writer.entity_id, title_links=self._extraction.title_links)
        names.take(chain(self._writer.stored.names(without), map(names_of, changed)))
        return names

    def _mark(self, names: NameBook, passages: int, progress: Progress) -> None:
        """Bring the spellings of stored entities in step, and note which documents are to be read again for them.

        The note comes first: once an entity is changed, the difference cannot be seen any more.
        """
        differing = differences(self._writer.stored.entities(), names)
        if differing.forms and self._extraction.repeatable:
            stale: dict[str, None] = {}
            for done, (document_id, text) in enumerate(self._writer.stored.passages(self._extraction.version)):
                if done % COMPARED == 0:
                    progress("finding new names in old passages", min(done, passages), passages)
                if document_id not in stale and differing.forms.stand_in(text):
                    stale[document_id] = None
            self._writer.mark_stale(list(stale))
        self._writer.respell(differing.entities)

    def _remove(self, document_ids: list[str], progress: Progress) -> None:
        for begin in range(0, len(document_ids), BATCH):
            progress("removing", begin, len(document_ids))
            self._writer.remove(document_ids[begin : begin + BATCH])
        if document_ids:
            progress("removing", len(document_ids), len(document_ids))

    def _store(self, documents: DocumentSource, compared: _Comparison, names: NameBook, progress: Progress) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        known = names.size
        done, total = 0, sum(compared.changed)
        for batch in _batches(compress(documents, compared.changed)):
            progress("loading", done, total)
            extracted = self._extraction.extract(batch, names)
            vectors = iter(self._embedder.embed_passages([text for each in extracted for text in _texts(each)]))
            writes = [
                DocumentWrite(
                    extracted=each,
                    vectors=[next(vectors) for _ in each.chunks],
                    names=names_of(each.document, each.read),
                    hash=self._hash(each.document),
                    extraction=self._extraction.version,
                )
                for each in extracted
            ]
            self._writer.put(writes, names.entities, now)
            done += len(batch)
        progress("loading", done, total)
        if names.size != known:  # a model has read names that entities stored before did not have yet
            self._writer.respell(differences(self._writer.stored.entities(), names).entities)

    def _read_again(self, names: NameBook, progress: Progress) -> None:
        """Read the documents again that mention something else now than when they were stored."""
        if not self._extraction.repeatable:
            return
        stale = self._writer.stored.stale(self._extraction.version)
        for begin in range(0, len(stale), BATCH):
            progress("linking old documents", begin, len(stale))
            stored = self._writer.stored.read(stale[begin : begin + BATCH])
            extracted = self._extraction.extract([each.document for each in stored], names)
            self._writer.connect_again(list(zip(stored, extracted, strict=True)), names.entities)
        if stale:
            progress("linking old documents", len(stale), len(stale))

    def _end(self, loading: KnowledgeBaseProfile, progress: Progress) -> KnowledgeBaseProfile:
        self._communities.rebuild(progress)
        progress("profile", 0, 1)
        profile = loading.model_copy(
            update={
                **self._census.counts(),
                "entity_names": tuple(dict.fromkeys(self._census.top_names(MAX_NAMES))),
                "topic_vectors": topic_vectors(loading, self._census.sample_vectors(VECTOR_SAMPLE), self._embedder),
                "index_state": "ready",
                "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )
        self._registry.put(profile)
        progress("profile", 1, 1)
        return profile

    def _hash(self, document: Document) -> str:
        """The document and all that its passages and vectors are made with."""
        how = (self._extraction.version, str(MAX_WEIGHT), str(OVERLAP_WEIGHT), self._embedder_name)
        return short_digest(document.content_hash, *how, length=32)

    def _check_embedder(self, known: KnowledgeBaseProfile | None) -> None:
        if known and known.embedder and known.embedder != self._embedder_name:
            raise ConfigurationError(
                f"Knowledge base {known.prefix!r} was loaded with the embedder {known.embedder!r}, not "
                f"{self._embedder_name!r}; load it under another prefix or set CLEW_EMBEDDER back."
            )


def _told(step: str, documents: Iterable[Document], total: int, progress: Progress) -> Iterator[Document]:
    """The documents; each counts as done when the next is asked for."""
    done = 0
    for document in documents:
        if done % BATCH == 0:
            progress(step, done, total)
        yield document
        done += 1
    progress(step, done, total)


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    for document in documents:
        if batch and (len(batch) == BATCH or characters + len(document.text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(document)
        characters += len(document.text)
    if batch:
        yield batch


def _texts(extracted: Extracted) -> list[str]:
    """What is embedded of each chunk: the title gives a passage in the middle of a document its subject."""
    return [f"{extracted.document.title}\n{item.chunk.text}" for item in extracted.chunks]


def _shown(summary: KnowledgeBaseSummary) -> dict[str, object]:
    return {name: getattr(summary, name) for name in KnowledgeBaseSummary.model_fields}


def _same_summary(known: KnowledgeBaseProfile, summary: KnowledgeBaseSummary) -> bool:
    return _shown(known) == _shown(summary)


def _listed(document_ids: list[str], limit: int = 10) -> str:
    shown = ", ".join(map(repr, document_ids[:limit]))
    return shown if len(document_ids) <= limit else f"{shown} and {len(document_ids) - limit} more"
