"""What the graph holds of the documents of a knowledge base, read back: row by row, or a few documents whole."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.document_names import DocumentNames
from clew.knowledge.documents import Document
from clew.knowledge.naming import Names

HASHES: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.document_id AS document_id, d.hash AS hash
"""
IDS: Final = "MATCH (d:Document {kb: $kb}) RETURN d.document_id AS document_id"
STALE: Final = """
MATCH (d:Document {kb: $kb}) WHERE d.stale AND d.extraction = $extraction
RETURN d.document_id AS document_id
"""
NAMES: Final = """
MATCH (d:Document {kb: $kb})
RETURN d.document_id AS document_id, d.title AS title, d.pairs AS pairs, d.names AS names, d.quoted AS quoted
"""
ENTITIES: Final = """
MATCH (e:{entity_label}) RETURN e.id AS id, e.name AS name, e.aliases AS aliases, e.forms AS forms
"""
PASSAGES: Final = """
MATCH (d:Document {kb: $kb})-[:HAS_CHUNK]->(c:Chunk) WHERE d.extraction = $extraction
RETURN d.document_id AS document_id, c.text AS text
"""
CHUNKS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
RETURN id, d.document_id AS document_id, d.title AS title, d.source AS source, c.id AS chunk, c.text AS text,
       c.start AS start, c.end AS end ORDER BY id, c.ordinal
"""
MENTIONS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)-[m:MENTIONS]->(e:Entity)
RETURN id, c.id AS chunk_id, e.id AS entity_id, m.count AS count, m.about AS about
"""
RELATIONS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(e:Entity)
WITH DISTINCT id, e
MATCH (e)-[r:RELATED {document_id: id}]->(other:Entity)
RETURN id, r.document_id AS document_id, r.chunk_id AS chunk_id, e.id AS source, other.id AS target, r.type AS type,
       r.description AS description, r.weight AS weight
"""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """An entity as the graph has it; ``forms`` are those of ``name_book.Entity``."""

    id: str
    name: str
    aliases: tuple[str, ...]
    forms: frozenset[str]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document put together from its chunks, and the rows of its mentions and relations."""

    document: Document
    chunk_ids: tuple[str, ...]
    mentions: tuple[Row, ...]
    relations: tuple[Row, ...]


class StoredDocuments:
    """Reads the documents of one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace) -> None:
        self._graph = graph
        self._namespace = namespace

    def hashes(self, document_ids: list[str]) -> dict[str, str]:
        """The stored content hash of each of ``document_ids`` that is loaded."""
        rows = self._graph.read(HASHES, ids=self._node_ids(document_ids))
        return {row["document_id"]: row["hash"] for row in rows}

    def ids(self) -> Iterator[str]:
        """The ids of all documents."""
        return (row["document_id"] for row in self._graph.stream(IDS, kb=self._namespace.key))

    def stale(self, extraction: str) -> list[str]:
        """The ids of the documents that are to be read again, and have been read by this version of extraction."""
        rows = self._graph.stream(STALE, kb=self._namespace.key, extraction=extraction)
        return [row["document_id"] for row in rows]

    def names(self, without: Collection[str]) -> Iterator[DocumentNames]:
        """The names that each document gives, except those whose ids are in ``without``."""
        for row in self._graph.stream(NAMES, kb=self._namespace.key):
            if row["document_id"] not in without:
                spellings = (json.loads(pair) for pair in row["pairs"] or ())
                pairs = tuple(Names(main, tuple(others)) for main, *others in spellings)
                yield DocumentNames(row["title"], pairs, tuple(row["names"] or ()), tuple(row["quoted"] or ()))

    def entities(self) -> Iterator[StoredEntity]:
        """All entities."""
        for row in self._graph.stream(ENTITIES.format(entity_label=self._namespace.entity_label)):
            yield StoredEntity(row["id"], row["name"], tuple(row["aliases"] or ()), frozenset(row["forms"] or ()))

    def passages(self, extraction: str) -> Iterator[tuple[str, str]]:
        """The id of the document and the text of each passage that this version of extraction has read."""
        for row in self._graph.stream(PASSAGES, kb=self._namespace.key, extraction=extraction):
            yield row["document_id"], row["text"]

    def read(self, document_ids: list[str]) -> list[StoredDocument]:
        """Those of the documents that are stored."""
        ids = self._node_ids(document_ids)
        chunks, mentions, relations = (_grouped(self._graph.read(q, ids=ids)) for q in (CHUNKS, MENTIONS, RELATIONS))
        return [
            StoredDocument(
                put_together(rows),
                tuple(row["chunk"] for row in rows),
                tuple(mentions.get(node_id, ())),
                tuple(relations.get(node_id, ())),
            )
            for node_id, rows in chunks.items()
        ]

    def _node_ids(self, document_ids: list[str]) -> list[str]:
        return [self._namespace.node_id("d", document_id) for document_id in document_ids]


def _grouped(rows: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.pop("id"), []).append(row)
    return groups


def put_together(chunks: list[Row]) -> Document:
    """The document of these chunks in order.

    Between chunks that do not touch there was white space alone; a line break there ends a sentence just
    as what stood there did, so the text has the same sentences at the same places.
    """
    pieces: list[str] = []
    end = 0
    for row in chunks:
        pieces += ["\n" * (row["start"] - end), row["text"][max(0, end - row["start"]) :]]
        end = row["end"]
    first = chunks[0]
    return Document(first["document_id"], first["title"], "".join(pieces), first["source"] or "")
