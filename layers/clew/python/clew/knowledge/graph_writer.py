"""Writing documents, their passages, entities and relations; each call is one transaction, or a few bounded ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import neo4j

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.chunking import Chunk
from clew.knowledge.document_names import DocumentNames
from clew.knowledge.extracted import Extracted
from clew.knowledge.name_book import Entity
from clew.knowledge.stored_documents import StoredDocument, StoredDocuments
from clew.text.embedding import Vector
from clew.text.terms import index_text

PAGE: Final = 1_000  # nodes that one transaction deletes or marks

# What older versions of the documents left: the relations read from them, and their passages.
REMOVE_RELATIONS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(e:Entity)
WITH DISTINCT id, e
MATCH (e)-[r:RELATED {document_id: id}]->()
DELETE r
"""
REMOVE_MENTIONS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->()
DELETE m
"""
REMOVE_CHUNKS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
DETACH DELETE c
"""
REMOVE_DOCUMENTS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})
DETACH DELETE d
"""
MARK_STALE: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})
SET d.stale = true
"""
MARK_FRESH: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})
REMOVE d.stale
"""

# A node is looked up by its general label alone: with two labels ArcadeDB goes through all nodes of both.
EXISTING_ENTITIES: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN e.id AS id
"""
CREATE_ENTITIES: Final = """
UNWIND $rows AS row
CREATE (e:Entity:{entity_label} {{id: row.id}})
SET e.kb = $kb, e.name = row.name, e.aliases = row.aliases, e.forms = row.forms, e.terms = row.terms
"""
SET_ENTITIES: Final = """
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
SET e.name = row.name, e.aliases = row.aliases, e.forms = row.forms, e.terms = row.terms
"""
REMOVE_OLD_SPELLINGS: Final = """
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})<-[n:NAMES]-(a:Alias) WHERE NOT a.key IN row.keys
DELETE n
"""
MERGE_SPELLINGS: Final = """
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity_id})
MERGE (a:Alias {id: row.id})
ON CREATE SET a.kb = $kb, a.key = row.key
MERGE (a)-[:NAMES]->(e)
"""
MERGE_DOCUMENTS: Final = """
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d.kb = $kb, d.document_id = row.document_id, d.title = row.title, d.source = row.source, d.hash = row.hash,
    d.extraction = row.extraction, d.pairs = row.pairs, d.names = row.names, d.quoted = row.quoted,
    d.loaded_at = $loaded_at
REMOVE d.stale
"""
CREATE_CHUNKS: Final = """
UNWIND $rows AS row
MATCH (d:Document {{id: row.document}})
CREATE (c:Chunk:{chunk_label} {{id: row.id}})
SET c.kb = $kb, c.document_id = row.document_id, c.title = row.title, c.source = row.source, c.ordinal = row.ordinal,
    c.text = row.text, c.start = row.start, c.end = row.end, c.terms = row.terms, c.embedding = row.embedding
CREATE (d)-[:HAS_CHUNK]->(c)
"""
# ``about`` marks the entity that the passage's document is about.
CREATE_MENTIONS: Final = """
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk_id})
MATCH (e:Entity {id: row.entity_id})
CREATE (c)-[:MENTIONS {count: row.count, about: row.about}]->(e)
"""
CREATE_RELATIONS: Final = """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source})
MATCH (b:Entity {id: row.target})
MERGE (a)-[r:RELATED {document_id: row.document_id, type: row.type}]->(b)
SET r.description = row.description, r.weight = row.weight, r.chunk_id = row.chunk_id
"""
# Entities that nothing mentions any more go, and the spellings that name nothing.
REMOVE_ORPHANED_ENTITIES: Final = """
MATCH (e:{entity_label}) WHERE NOT EXISTS {{ (e)<-[:MENTIONS]-() }}
WITH e LIMIT $limit
DETACH DELETE e
RETURN count(*) AS deleted
"""
REMOVE_ORPHANED_ALIASES: Final = """
MATCH (a:Alias {kb: $kb}) WHERE NOT EXISTS { (a)-[:NAMES]->() }
WITH a LIMIT $limit
DETACH DELETE a
RETURN count(*) AS deleted
"""
REMOVE_LABELLED: Final = """
MATCH (n:{label}) WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
"""
REMOVE_KEYED: Final = """
MATCH (n:{label} {{kb: $kb}}) WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
"""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DocumentWrite:
    """A document ready to be stored: ``vectors`` belong to its chunks in order, ``names`` are those it gives.

    ``hash`` tells whether it has changed, ``extraction`` which version of extraction has read it.
    """

    extracted: Extracted
    vectors: list[Vector]
    names: DocumentNames
    hash: str
    extraction: str


class GraphWriter:
    """Writes one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace) -> None:
        self._graph = graph
        self._namespace = namespace

    @cached_property
    def stored(self) -> StoredDocuments:
        """What has been written."""
        return StoredDocuments(self._graph, self._namespace)

    def entity_id(self, key: str) -> str:
        return self._namespace.node_id("e", key)

    def put(self, documents: list[DocumentWrite], entities: Mapping[str, Entity], now: str) -> None:
        """Store documents in place of any older versions of them, all in one transaction.

        ``entities`` has at least those that the documents mention. Those that the graph has already are
        left as they are: an index pays for every write.
        """
        kb = {"kb": self._namespace.key}
        old = {"ids": [self._node_id(each.extracted.document.id) for each in documents]}
        extracted = [each.extracted for each in documents]

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for query in (REMOVE_RELATIONS, REMOVE_CHUNKS):
                transaction.run(query, old).consume()
            self._create_entities(transaction, extracted, entities)
            for query, parameters in (
                (MERGE_DOCUMENTS, {"loaded_at": now, "rows": [self._document_row(each) for each in documents]}),
                (
                    CREATE_CHUNKS.format(chunk_label=self._namespace.chunk_label),
                    {"rows": [row for each in documents for row in self._chunk_rows(each)]},
                ),
            ):
                transaction.run(query, kb | parameters).consume()
            self._connect(transaction, extracted)

        self._graph.write(work)

    def connect_again(self, documents: list[tuple[StoredDocument, Extracted]], entities: Mapping[str, Entity]) -> None:
        """Store what stored documents mention and relate now, where it differs, and mark them as fresh."""
        differing = [extracted for stored, extracted in documents if self._differ(stored, extracted)]
        changed = {"ids": [self._node_id(each.document.id) for each in differing]}
        fresh = {"ids": [self._node_id(stored.document.id) for stored, _ in documents]}

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for query in (REMOVE_RELATIONS, REMOVE_MENTIONS):
                transaction.run(query, changed).consume()
            self._create_entities(transaction, differing, entities)
            self._connect(transaction, differing)
            transaction.run(MARK_FRESH, fresh).consume()

        self._graph.write(work)

    def mark_stale(self, document_ids: list[str]) -> None:
        """Note of documents that they are to be read again; the note stays until they have been."""
        for begin in range(0, len(document_ids), PAGE):
            ids = [self._node_id(document_id) for document_id in document_ids[begin : begin + PAGE]]

            def work(transaction: neo4j.ManagedTransaction, ids: list[str] = ids) -> None:
                transaction.run(MARK_STALE, {"ids": ids}).consume()

            self._graph.write(work)

    def respell(self, entities: list[Entity]) -> None:
        """Give entities of the graph these spellings in place of what they have."""
        for begin in range(0, len(entities), PAGE):
            page = entities[begin : begin + PAGE]
            rows = [_entity_row(each) for each in page]

            def work(transaction: neo4j.ManagedTransaction, page: list[Entity] = page, rows: list[Row] = rows) -> None:
                transaction.run(SET_ENTITIES, {"rows": rows}).consume()
                transaction.run(REMOVE_OLD_SPELLINGS, {"rows": rows}).consume()
                self._spell(transaction, page)

            self._graph.write(work)

    def remove(self, document_ids: list[str]) -> None:
        """Delete documents with their passages and relations, all in one transaction."""
        ids = {"ids": [self._node_id(document_id) for document_id in document_ids]}

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for query in (REMOVE_RELATIONS, REMOVE_CHUNKS, REMOVE_DOCUMENTS):
                transaction.run(query, ids).consume()

        self._graph.write(work)

    def remove_orphans(self) -> None:
        """Delete entities that no passage mentions and spellings that name none."""
        self._until_none(REMOVE_ORPHANED_ENTITIES.format(entity_label=self._namespace.entity_label))
        self._until_none(REMOVE_ORPHANED_ALIASES)

    def remove_all(self) -> int:
        """Delete all nodes of the knowledge base; how many there were. If it breaks off, the rest is left."""
        queries = [REMOVE_LABELLED.format(label=label) for label in self._namespace.labels]
        queries += [REMOVE_KEYED.format(label=label) for label in ("Alias", "Document")]
        return sum(self._until_none(query) for query in queries)

    def _until_none(self, query: str) -> int:
        """Run a deletion, each time with what fits one transaction, until nothing is left."""
        parameters = {"kb": self._namespace.key, "limit": PAGE}

        def work(transaction: neo4j.ManagedTransaction) -> int:
            record = transaction.run(query, parameters).single()
            return int(record["deleted"]) if record else 0

        total = 0
        while deleted := self._graph.write(work):
            total += deleted
        return total

    def _create_entities(
        self, transaction: neo4j.ManagedTransaction, extracted: list[Extracted], entities: Mapping[str, Entity]
    ) -> None:
        mentioned = sorted({entity_id for each in extracted for entity_id in each.mentioned})
        existing = {record["id"] for record in transaction.run(EXISTING_ENTITIES, {"ids": mentioned})}
        new = [entities[entity_id] for entity_id in mentioned if entity_id not in existing]
        rows = [_entity_row(each) for each in new]
        query = CREATE_ENTITIES.format(entity_label=self._namespace.entity_label)
        transaction.run(query, {"kb": self._namespace.key, "rows": rows}).consume()
        self._spell(transaction, new)

    def _spell(self, transaction: neo4j.ManagedTransaction, entities: list[Entity]) -> None:
        rows = [
            {"id": self._namespace.alias_id(key), "key": key, "entity_id": entity.id}
            for entity in entities
            for key in entity.all_spellings
        ]
        transaction.run(MERGE_SPELLINGS, {"kb": self._namespace.key, "rows": rows}).consume()

    def _connect(self, transaction: neo4j.ManagedTransaction, extracted: list[Extracted]) -> None:
        mentions = [row for each in extracted for row in self._mention_rows(each)]
        relations = [row for each in extracted for row in self._relation_rows(each)]
        transaction.run(CREATE_MENTIONS, {"rows": mentions}).consume()
        transaction.run(CREATE_RELATIONS, {"rows": relations}).consume()

    def _differ(self, stored: StoredDocument, extracted: Extracted) -> bool:
        chunk_ids = tuple(self._chunk_id(extracted.document.id, item.chunk) for item in extracted.chunks)
        if chunk_ids != stored.chunk_ids:
            return False  # cut otherwise by another version: it has to be loaded, and its hash says so
        mentions, relations = self._mention_rows(extracted), self._relation_rows(extracted)
        return (_compared(mentions), _compared(relations)) != (_compared(stored.mentions), _compared(stored.relations))

    def _document_row(self, written: DocumentWrite) -> Row:
        document, names = written.extracted.document, written.names
        return {
            "id": self._node_id(document.id),
            "document_id": document.id,
            "title": document.title,
            "source": document.source,
            "hash": written.hash,
            "extraction": written.extraction,
            "pairs": [json.dumps(pair.all, ensure_ascii=False) for pair in names.pairs],
            "names": list(names.free),
            "quoted": list(names.quoted),
        }

    def _chunk_rows(self, written: DocumentWrite) -> list[Row]:
        document = written.extracted.document
        return [
            {
                "document": self._node_id(document.id),
                "document_id": document.id,
                "title": document.title,
                "source": document.source,
                "id": self._chunk_id(document.id, item.chunk),
                "ordinal": item.chunk.ordinal,
                "text": item.chunk.text,
                "start": item.chunk.start,
                "end": item.chunk.end,
                "terms": index_text(f"{document.title}\n{item.chunk.text}"),
                "embedding": vector,
            }
            for item, vector in zip(written.extracted.chunks, written.vectors, strict=True)
        ]

    def _mention_rows(self, extracted: Extracted) -> list[Row]:
        return [
            {
                "chunk_id": self._chunk_id(extracted.document.id, item.chunk),
                "entity_id": entity_id,
                "count": count,
                "about": entity_id == extracted.subject_id,
            }
            for item in extracted.chunks
            for entity_id, count in item.mentions.items()
        ]

    def _relation_rows(self, extracted: Extracted) -> list[Row]:
        """Relations whose ends a chunk mentions; a name that is cut in two by a border of chunks has no entity."""
        document_id, mentioned = extracted.document.id, extracted.mentioned
        chunks = {item.chunk.ordinal: self._chunk_id(document_id, item.chunk) for item in extracted.chunks}
        return [
            {
                "document_id": self._node_id(document_id),
                "chunk_id": chunks[relation.ordinal],
                "source": relation.source_id,
                "target": relation.target_id,
                "type": relation.type,
                "description": relation.description,
                "weight": relation.weight,
            }
            for relation in extracted.relations
            if relation.source_id in mentioned and relation.target_id in mentioned
        ]

    def _node_id(self, document_id: str) -> str:
        return self._namespace.node_id("d", document_id)

    def _chunk_id(self, document_id: str, chunk: Chunk) -> str:
        return self._namespace.node_id("c", document_id, str(chunk.ordinal), chunk.text)


def _entity_row(entity: Entity) -> Row:
    return {
        "id": entity.id,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "forms": sorted(entity.forms),
        "keys": list(entity.all_spellings),
        "terms": index_text(" ; ".join((entity.name, *entity.aliases))),
    }


def _compared(rows: list[Row] | tuple[Row, ...]) -> set[tuple[Any, ...]]:
    return {tuple(value for _, value in sorted(row.items())) for row in rows}
