"""Writing documents, their passages, entities and relations; each call is one transaction."""

from typing import Any, Final

import neo4j

from clew.graph.connection import Graph, Rows
from clew.graph.namespace import Namespace
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

# What an older version of the document left: its passages, the relations read from it, the spellings it gave.
REMOVE_OLD_RELATIONS: Final = """
MATCH (d:Document {id: $id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(e:Entity)-[r:RELATED {document_id: $id}]-()
DELETE r
"""
REMOVE_OLD_SPELLINGS: Final = """
MATCH (d:Document {id: $id})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(:Entity)<-[n:NAMES {document_id: $id}]-(:Alias)
DELETE n
"""
REMOVE_OLD_CHUNKS: Final = """
MATCH (d:Document {id: $id})-[:HAS_CHUNK]->(c:Chunk)
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
MERGE_DOCUMENT: Final = """
MERGE (d:Document {id: $id})
SET d.kb = $kb, d.document_id = $document_id, d.title = $title, d.source = $source, d.hash = $hash,
    d.loaded_at = $loaded_at
"""
CREATE_CHUNKS: Final = """
UNWIND $rows AS row
MATCH (d:Document {{id: $id}})
MERGE (c:Chunk:{chunk_label} {{id: row.id}})
SET c.kb = $kb, c.document_id = $document_id, c.title = $title, c.source = $source, c.ordinal = row.ordinal,
    c.text = row.text, c.start = row.start, c.end = row.end, c.terms = row.terms, c.embedding = row.embedding
MERGE (d)-[:HAS_CHUNK]->(c)
"""
CREATE_MENTIONS: Final = """
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk_id})
MATCH (e:Entity {id: row.entity_id})
MERGE (c)-[m:MENTIONS]->(e)
SET m.count = row.count
"""
CREATE_RELATIONS: Final = """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source})
MATCH (b:Entity {id: row.target})
MERGE (a)-[r:RELATED {document_id: $id, type: row.type}]->(b)
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

    def put(self, extracted: Extracted, entities: list[Entity], vectors: list[Vector], hash_: str, now: str) -> None:
        """Store a document in place of any older version of it, all in one transaction.

        ``entities`` are those it mentions, ``vectors`` belong to its chunks in order.
        """
        document = extracted.document
        node = self._node_id(document.id)
        chunk_ids = [
            self._namespace.node_id("c", document.id, str(item.chunk.ordinal), item.chunk.text)
            for item in extracted.chunks
        ]
        common: dict[str, Any] = {"id": node, "kb": self._namespace.key}
        about = {"document_id": document.id, "title": document.title, "source": document.source}

        def work(transaction: neo4j.ManagedTransaction) -> None:
            def run(query: str, /, **parameters: Any) -> None:
                transaction.run(query, {**common, **parameters}).consume()

            for query in (REMOVE_OLD_RELATIONS, REMOVE_OLD_SPELLINGS, REMOVE_OLD_CHUNKS):
                run(query)
            run(
                MERGE_ENTITIES.format(entity_label=self._namespace.entity_label),
                rows=[
                    {
                        "id": entity.id,
                        "name": entity.name,
                        "aliases": list(entity.aliases),
                        "terms": index_text(" ; ".join((entity.name, *entity.aliases))),
                    }
                    for entity in entities
                ],
            )
            run(
                MERGE_ALIASES,
                rows=[
                    {
                        "id": self._namespace.alias_id(key),
                        "key": key,
                        "spelling": spelling,
                        "entity_id": entity.id,
                        "document_id": node,
                        "short": key not in entity.spellings,
                    }
                    for entity in entities
                    for key, spelling in entity.all_spellings.items()
                ],
            )
            run(MERGE_DOCUMENT, **about, hash=hash_, loaded_at=now)
            run(
                CREATE_CHUNKS.format(chunk_label=self._namespace.chunk_label),
                **about,
                rows=[
                    {
                        "id": chunk_id,
                        "ordinal": item.chunk.ordinal,
                        "text": item.chunk.text,
                        "start": item.chunk.start,
                        "end": item.chunk.end,
                        "terms": index_text(f"{document.title}\n{item.chunk.text}"),
                        "embedding": vector,
                    }
                    for chunk_id, item, vector in zip(chunk_ids, extracted.chunks, vectors, strict=True)
                ],
            )
            run(
                CREATE_MENTIONS,
                rows=[
                    {"chunk_id": chunk_id, "entity_id": entity_id, "count": count}
                    for chunk_id, item in zip(chunk_ids, extracted.chunks, strict=True)
                    for entity_id, count in item.mentions.items()
                ],
            )
            run(
                CREATE_RELATIONS,
                rows=[
                    {
                        "source": relation.source_id,
                        "target": relation.target_id,
                        "type": relation.type,
                        "description": relation.description,
                        "weight": relation.weight,
                    }
                    for relation in extracted.relations
                ],
            )

        self._graph.write(work)

    def remove_orphans(self) -> None:
        """Delete entities that no passage mentions and spellings that name none."""

        def work(transaction: neo4j.ManagedTransaction) -> None:
            label = self._namespace.entity_label
            for query in (REMOVE_ORPHANED_ENTITIES.format(entity_label=label), REMOVE_ORPHANED_ALIASES):
                transaction.run(query, {"kb": self._namespace.key}).consume()

        self._graph.write(work)

    def _node_id(self, document_id: str) -> str:
        return self._namespace.node_id("d", document_id)
