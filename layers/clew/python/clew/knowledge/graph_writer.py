"""Writing documents, their passages, entities and relations; each call is one transaction."""

from dataclasses import dataclass
from typing import Any, Final

import neo4j

from clew.graph.connection import Graph, Rows
from clew.graph.namespace import Namespace
from clew.knowledge.chunking import Chunk
from clew.knowledge.extraction import Extracted
from clew.knowledge.name_book import Entity
from clew.text.embedding import Vector
from clew.text.terms import index_text

HASHES: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.document_id AS document_id, d.hash AS hash
"""

ALIASES: Final = """
MATCH (a:Alias {kb: $kb})-[:NAMES {short: false}]->(e:Entity)
RETURN e.id AS id, e.name AS name, collect(DISTINCT a.spelling) AS spellings
"""

# What older versions of the documents left: their passages, the relations read from them, the spellings they gave.
REMOVE_OLD_RELATIONS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(:Entity)-[r:RELATED {document_id: id}]-()
DELETE r
"""
REMOVE_OLD_SPELLINGS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(:Entity)<-[n:NAMES {document_id: id}]-(:Alias)
DELETE n
"""
REMOVE_OLD_CHUNKS: Final = """
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
DETACH DELETE c
"""

MERGE_ENTITIES: Final = """
UNWIND $rows AS row
MERGE (e:Entity:{entity_label} {{id: row.id}})
SET e.kb = $kb, e.name = row.name, e.aliases = row.aliases, e.terms = row.terms
"""
MERGE_ALIASES: Final = """
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity_id})
MERGE (a:Alias {id: row.id})
SET a.kb = $kb, a.key = row.key, a.spelling = row.spelling
MERGE (a)-[:NAMES {document_id: row.document_id, short: row.short}]->(e)
"""
MERGE_DOCUMENTS: Final = """
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d.kb = $kb, d.document_id = row.document_id, d.title = row.title, d.source = row.source, d.hash = row.hash,
    d.loaded_at = $loaded_at
"""
CREATE_CHUNKS: Final = """
UNWIND $rows AS row
MATCH (d:Document {{id: row.document}})
MERGE (c:Chunk:{chunk_label} {{id: row.id}})
SET c.kb = $kb, c.document_id = row.document_id, c.title = row.title, c.source = row.source, c.ordinal = row.ordinal,
    c.text = row.text, c.start = row.start, c.end = row.end, c.terms = row.terms, c.embedding = row.embedding
MERGE (d)-[:HAS_CHUNK]->(c)
"""
# ``about`` marks the entity that the passage's document is about.
CREATE_MENTIONS: Final = """
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk_id})
MATCH (e:Entity {id: row.entity_id})
MERGE (c)-[m:MENTIONS]->(e)
SET m.count = row.count, m.about = row.about
"""
CREATE_RELATIONS: Final = """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source})
MATCH (b:Entity {id: row.target})
MERGE (a)-[r:RELATED {document_id: row.document_id, type: row.type}]->(b)
SET r.description = row.description, r.weight = row.weight
"""
# Entities that nothing mentions any more go, and the spellings that name nothing.
REMOVE_ORPHANED_ENTITIES: Final = """
MATCH (e:{entity_label}) WHERE NOT EXISTS {{ (e)<-[:MENTIONS]-() }}
DETACH DELETE e
"""
REMOVE_ORPHANED_ALIASES: Final = """
MATCH (a:Alias {kb: $kb}) WHERE NOT EXISTS { (a)-[:NAMES]->() }
DETACH DELETE a
"""


@dataclass(frozen=True, slots=True)
class DocumentWrite:
    """A document ready to be stored; ``vectors`` belong to its chunks in order."""

    extracted: Extracted
    vectors: list[Vector]
    hash: str


class GraphWriter:
    """Writes one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace) -> None:
        self._graph = graph
        self._namespace = namespace

    def entity_id(self, key: str) -> str:
        return self._namespace.node_id("e", key)

    def hashes(self, document_ids: list[str]) -> dict[str, str]:
        """The stored content hash of each of ``document_ids`` that is loaded."""
        ids = [self._node_id(document_id) for document_id in document_ids]
        return {row["document_id"]: row["hash"] for row in self._graph.read(HASHES, ids=ids)}

    def known_entities(self) -> Rows:
        """All entities with their spellings: rows of ``id, name, spellings``."""
        return self._graph.read(ALIASES, kb=self._namespace.key)

    def put(
        self,
        documents: list[DocumentWrite],
        entities: dict[str, Entity],
        now: str,
        stored: frozenset[str] = frozenset(),
    ) -> None:
        """Store documents in place of any older versions of them, all in one transaction.

        ``entities`` has at least those that the documents mention, by id; those in ``stored`` are known to
        stand in the graph as they are, and are not written again: an index pays for every write.
        """
        statements = self._statements(documents, entities, now, stored)

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for query, parameters in statements:
                transaction.run(query, parameters).consume()

        self._graph.write(work)

    def remove_orphans(self) -> None:
        """Delete entities that no passage mentions and spellings that name none."""

        def work(transaction: neo4j.ManagedTransaction) -> None:
            label = self._namespace.entity_label
            for query in (REMOVE_ORPHANED_ENTITIES.format(entity_label=label), REMOVE_ORPHANED_ALIASES):
                transaction.run(query, {"kb": self._namespace.key}).consume()

        self._graph.write(work)

    def _statements(
        self, documents: list[DocumentWrite], entities: dict[str, Entity], now: str, stored: frozenset[str]
    ) -> list[tuple[str, dict[str, Any]]]:
        kb = {"kb": self._namespace.key}
        old = {"ids": [self._node_id(each.extracted.document.id) for each in documents]}
        chunk_label, entity_label = self._namespace.chunk_label, self._namespace.entity_label
        mentioned = {entity_id for each in documents for entity_id in each.extracted.mentioned}
        return [
            (REMOVE_OLD_RELATIONS, old),
            (REMOVE_OLD_SPELLINGS, old),
            (REMOVE_OLD_CHUNKS, old),
            (
                MERGE_ENTITIES.format(entity_label=entity_label),
                kb | {"rows": [_entity_row(entities[entity_id]) for entity_id in sorted(mentioned - stored)]},
            ),
            (MERGE_ALIASES, kb | {"rows": [row for each in documents for row in self._alias_rows(each, entities)]}),
            (MERGE_DOCUMENTS, kb | {"loaded_at": now, "rows": [self._document_row(each) for each in documents]}),
            (
                CREATE_CHUNKS.format(chunk_label=chunk_label),
                kb | {"rows": [row for each in documents for row in self._chunk_rows(each)]},
            ),
            (CREATE_MENTIONS, {"rows": [row for each in documents for row in self._mention_rows(each)]}),
            (CREATE_RELATIONS, {"rows": [row for each in documents for row in self._relation_rows(each)]}),
        ]

    def _alias_rows(self, written: DocumentWrite, entities: dict[str, Entity]) -> list[dict[str, Any]]:
        return [
            {
                "id": self._namespace.alias_id(key),
                "key": key,
                "spelling": spelling,
                "entity_id": entity_id,
                "document_id": self._node_id(written.extracted.document.id),
                "short": key not in entities[entity_id].spellings,
            }
            for entity_id in sorted(written.extracted.mentioned)
            for key, spelling in entities[entity_id].all_spellings.items()
        ]

    def _document_row(self, written: DocumentWrite) -> dict[str, Any]:
        document = written.extracted.document
        return {
            "id": self._node_id(document.id),
            "document_id": document.id,
            "title": document.title,
            "source": document.source,
            "hash": written.hash,
        }

    def _chunk_rows(self, written: DocumentWrite) -> list[dict[str, Any]]:
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

    def _mention_rows(self, written: DocumentWrite) -> list[dict[str, Any]]:
        return [
            {
                "chunk_id": self._chunk_id(written.extracted.document.id, item.chunk),
                "entity_id": entity_id,
                "count": count,
                "about": entity_id == written.extracted.subject_id,
            }
            for item in written.extracted.chunks
            for entity_id, count in item.mentions.items()
        ]

    def _relation_rows(self, written: DocumentWrite) -> list[dict[str, Any]]:
        return [
            {
                "document_id": self._node_id(written.extracted.document.id),
                "source": relation.source_id,
                "target": relation.target_id,
                "type": relation.type,
                "description": relation.description,
                "weight": relation.weight,
            }
            for relation in written.extracted.relations
        ]

    def _node_id(self, document_id: str) -> str:
        return self._namespace.node_id("d", document_id)

    def _chunk_id(self, document_id: str, chunk: Chunk) -> str:
        return self._namespace.node_id("c", document_id, str(chunk.ordinal), chunk.text)


def _entity_row(entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "terms": index_text(" ; ".join((entity.name, *entity.aliases))),
    }
