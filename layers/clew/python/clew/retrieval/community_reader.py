"""Reading the communities of one knowledge base: searches, their summaries, their members."""

from typing import Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.graph.schema import Schema
from clew.retrieval.evidence import CommunityRef
from clew.text.embedding import Vector
from clew.text.terms import content_terms, search_query

MAX_QUERY_CHARACTERS: Final = 2_000

ANY: Final = """
MATCH (m:{community_label}) RETURN m.id AS id LIMIT 1
"""
NEAREST: Final = """
CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node, score
RETURN node.id AS id, score
"""
MATCHING: Final = """
CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score
RETURN node.id AS id, score ORDER BY score DESC, id LIMIT $limit
"""
COMMUNITIES: Final = """
UNWIND $ids AS id
MATCH (m:Community {id: id})
RETURN m.id AS id, m.title AS title, m.summary AS summary, m.level AS level
"""
# Of a large community only those that may be among the first are put in order, and only those returned are read.
MEMBERS: Final = """
UNWIND $ids AS id
MATCH (m:Community {id: id})<-[i:IN_COMMUNITY]-(e) WHERE i.rank < $limit
WITH id, e, i.rank AS rank ORDER BY rank, id LIMIT $limit
RETURN id, e.id AS entity
"""
OF_ENTITIES: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[:IN_COMMUNITY]->(m:Community)
RETURN id AS entity, m.id AS id, m.level AS level ORDER BY level DESC, id
"""


class CommunityReader:
    """Reads the communities of one knowledge base; of one that has none, every method gives an empty result.

    A knowledge base that an older version loaded has no communities, nor the indexes to search them with.
    """

    def __init__(self, graph: Graph, schema: Schema, namespace: Namespace) -> None:
        self._graph = graph
        self._schema = schema
        self._namespace = namespace
        self._seen = False

    def nearest(self, vector: Vector, limit: int) -> dict[str, float]:
        """Ids of the communities whose passages are nearest in meaning; scores are (1 + cosine) / 2."""
        if not self._any():
            return {}
        index = self._schema.vector_index(self._namespace.community_label)
        rows = self._graph.read(NEAREST, index=index, limit=limit, vector=vector)
        return {row["id"]: row["score"] for row in rows}

    def matching(self, text: str, limit: int) -> dict[str, float]:
        """Ids of the communities whose title, summary or central names share terms with ``text``, by BM25."""
        query = search_query(content_terms(text[:MAX_QUERY_CHARACTERS]))
        if not query or not self._any():
            return {}
        index = self._schema.fulltext_index(self._namespace.community_label)
        rows = self._graph.read(MATCHING, index=index, query=query, limit=limit)
        return {row["id"]: row["score"] for row in rows}

    def communities(self, ids: list[str]) -> list[CommunityRef]:
        """The communities of these ids in their order, without a score; ids that are not there are left out."""
        if not ids:
            return []
        rows = {row["id"]: row for row in self._graph.read(COMMUNITIES, ids=ids)}
        return [CommunityRef(**rows[community_id]) for community_id in ids if community_id in rows]

    def members(self, community_ids: list[str], limit: int) -> list[tuple[str, str]]:
        """Ids of communities and of their entities, up to ``limit`` in all: each one's most central entity first."""
        if not community_ids:
            return []
        rows = self._graph.read(MEMBERS, ids=community_ids, limit=limit)
        return [(row["id"], row["entity"]) for row in rows]

    def of_entities(self, entity_ids: list[str]) -> dict[str, list[str]]:
        """The communities that each entity is in, the finest first; entities in none are left out."""
        found: dict[str, list[str]] = {}
        for row in self._graph.read(OF_ENTITIES, ids=entity_ids) if entity_ids else ():
            found.setdefault(row["entity"], []).append(row["id"])
        return found

    def _any(self) -> bool:
        """Whether there are communities; once there are, it is not asked again: they may go, their indexes stay."""
        self._seen = self._seen or bool(self._graph.read(ANY.format(community_label=self._namespace.community_label)))
        return self._seen
