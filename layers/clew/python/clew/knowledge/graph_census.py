"""What a knowledge base's graph holds, for its profile."""

from collections.abc import Iterator
from typing import Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.text.embedding import Vector

COUNTS: Final = """
MATCH (d:Document {{kb: $kb}}) WITH count(d) AS documents
OPTIONAL MATCH (c:{chunk_label}) WITH documents, count(c) AS chunks
OPTIONAL MATCH (e:{entity_label}) WITH documents, chunks, count(e) AS entities
OPTIONAL MATCH (:{entity_label})-[r:RELATED]->() WITH documents, chunks, entities, count(r) AS relations
OPTIONAL MATCH (m:{community_label}) RETURN documents, chunks, entities, relations, count(m) AS communities
"""
TOP_ENTITIES: Final = """
MATCH (e:{entity_label})<-[m:MENTIONS]-(:Chunk)
RETURN e.name AS name, e.aliases AS aliases, count(m) AS mentions ORDER BY mentions DESC, name LIMIT $limit
"""
VECTORS: Final = """
MATCH (c:{chunk_label}) RETURN c.embedding AS embedding LIMIT $limit
"""


class GraphCensus:
    """Counts and samples of one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace) -> None:
        self._graph = graph
        self._namespace = namespace

    def counts(self) -> dict[str, int]:
        """Numbers of ``documents``, ``chunks``, ``entities``, ``relations`` and ``communities``."""
        rows = self._graph.read(self._labelled(COUNTS), kb=self._namespace.key)
        return dict(rows[0])

    def top_names(self, limit: int) -> list[str]:
        """Names and aliases of the entities that most passages mention."""
        rows = self._graph.read(self._labelled(TOP_ENTITIES), limit=limit)
        return [name for row in rows for name in (row["name"], *(row["aliases"] or ()))]

    def sample_vectors(self, limit: int) -> Iterator[Vector]:
        """Embeddings of up to ``limit`` passages, one by one: together they would take a dozen kilobytes each."""
        return (list(row["embedding"]) for row in self._graph.stream(self._labelled(VECTORS), limit=limit))

    def _labelled(self, query: str) -> str:
        return query.format(
            chunk_label=self._namespace.chunk_label,
            entity_label=self._namespace.entity_label,
            community_label=self._namespace.community_label,
        )
