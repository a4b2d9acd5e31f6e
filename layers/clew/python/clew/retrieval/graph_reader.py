"""Reading one knowledge base: searches, entity links, neighbourhoods, passages."""

from dataclasses import dataclass
from typing import Any, Final

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.graph.schema import Schema
from clew.retrieval.evidence import EntityRef, Passage
from clew.text.embedding import Vector
from clew.text.names import Span, candidate_spans
from clew.text.terms import content_terms, search_query

MAX_QUERY_CHARACTERS: Final = 2_000  # what is searched of a question; more is a document, not a question
MAX_ENTITIES: Final = 24  # entities shown with a passage, most often mentioned first

VECTOR: Final = """
CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node, score
RETURN node.id AS id, score
"""
FULL_TEXT: Final = """
CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score
RETURN node.id AS id, score ORDER BY score DESC, id LIMIT $limit
"""
NAMED: Final = """
UNWIND $ids AS id
MATCH (a:Alias {id: id})-[:NAMES]->(e:Entity)
RETURN DISTINCT id AS alias, e.id AS id, e.name AS name, e.aliases AS aliases
"""
ENTITIES: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN e.id AS id, e.name AS name, e.aliases AS aliases
"""
NEIGHBOURS: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[r:RELATED]-(n:Entity)
WITH id, n, r.type AS type, sum(r.weight) AS weight, collect(r.description)[0..3] AS said
RETURN id, n.id AS neighbour, n.name AS name, type, weight, said ORDER BY weight DESC, neighbour, type LIMIT $limit
"""
MENTIONING: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})<-[m:MENTIONS]-(c:Chunk)
RETURN id AS entity, c.id AS chunk, m.count AS count, m.about AS about, c.ordinal AS ordinal
ORDER BY about DESC, count DESC, chunk LIMIT $limit
"""
PASSAGES: Final = """
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
OPTIONAL MATCH (c)-[m:MENTIONS]->(e:Entity)
WITH c, e, m ORDER BY m.count DESC
WITH c, collect({id: e.id, name: e.name, aliases: e.aliases}) AS entities
RETURN c.id AS id, c.document_id AS document_id, c.title AS title, c.text AS text, c.source AS source, entities
"""


@dataclass(frozen=True, slots=True)
class Link:
    """An entity that a text names, and where."""

    entity: EntityRef
    span: Span


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity next to another; ``weight`` counts the sentences that name both, ``said`` are some of them."""

    entity_id: str
    neighbour_id: str
    name: str
    relation: str
    weight: float
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """That a passage mentions an entity, how often, and whether its document is about it."""

    entity_id: str
    passage_id: str
    count: int
    about: bool
    ordinal: int


class GraphReader:
    """Reads one knowledge base; nothing outside its namespace can come back."""

    def __init__(self, graph: Graph, schema: Schema, namespace: Namespace) -> None:
        self._graph = graph
        self._schema = schema
        self._namespace = namespace

    def nearest(self, vector: Vector, limit: int) -> dict[str, float]:
        """Ids of the passages nearest in meaning; scores are (1 + cosine) / 2."""
        index = self._schema.vector_index(self._namespace.chunk_label)
        rows = self._graph.read(VECTOR, index=index, limit=limit, vector=vector)
        return {row["id"]: row["score"] for row in rows}

    def matching(self, text: str, limit: int) -> dict[str, float]:
        """Ids of the passages that share terms with ``text``; scores are BM25, unbounded."""
        query = search_query(content_terms(text[:MAX_QUERY_CHARACTERS]))
        if not query:
            return {}
        index = self._schema.fulltext_index(self._namespace.chunk_label)
        rows = self._graph.read(FULL_TEXT, index=index, query=query, limit=limit)
        return {row["id"]: row["score"] for row in rows}

    def link(self, text: str) -> list[Link]:
        """The entities that ``text`` names by one of their spellings, the longest name at each place."""
        spans: dict[str, list[Span]] = {}
        for span in candidate_spans(text[:MAX_QUERY_CHARACTERS]):
            spans.setdefault(self._namespace.alias_id(span.key), []).append(span)
        if not spans:
            return []
        rows = self._graph.read(NAMED, ids=list(spans))
        found = [Link(_entity(row), span) for row in rows for span in spans[row["alias"]]]
        found.sort(key=lambda link: (link.span.start - link.span.end, link.span.start))
        taken: list[Span] = []
        links: list[Link] = []
        for link in found:
            if any(_overlap(link.span, other) and link.span != other for other in taken):
                continue
            taken.append(link.span)
            links.append(link)
        return sorted(links, key=lambda link: link.span.start)

    def similar_entities(self, text: str, limit: int) -> dict[str, tuple[EntityRef, float]]:
        """Entities whose names share terms with ``text``, with BM25 scores."""
        query = search_query(content_terms(text[:MAX_QUERY_CHARACTERS]))
        if not query:
            return {}
        index = self._schema.fulltext_index(self._namespace.entity_label)
        scores = {row["id"]: row["score"] for row in self._graph.read(FULL_TEXT, index=index, query=query, limit=limit)}
        return {row["id"]: (_entity(row), scores[row["id"]]) for row in self._graph.read(ENTITIES, ids=list(scores))}

    def neighbours(self, entity_ids: list[str], limit: int) -> list[Neighbour]:
        """Entities related to those given, strongest first."""
        if not entity_ids:
            return []
        rows = self._graph.read(NEIGHBOURS, ids=entity_ids, limit=limit)
        return [
            Neighbour(row["id"], row["neighbour"], row["name"], row["type"], row["weight"], tuple(row["said"]))
            for row in rows
        ]

    def mentioning(self, entity_ids: list[str], limit: int) -> list[Mention]:
        """The passages that mention the entities, those about them first."""
        if not entity_ids:
            return []
        rows = self._graph.read(MENTIONING, ids=entity_ids, limit=limit)
        return [Mention(row["entity"], row["chunk"], row["count"], bool(row["about"]), row["ordinal"]) for row in rows]

    def passages(self, scores: dict[str, float]) -> list[Passage]:
        """The passages of these ids with their scores, best first."""
        if not scores:
            return []
        passages = [
            Passage(
                id=row["id"],
                document_id=row["document_id"],
                title=row["title"],
                text=row["text"],
                source=row["source"] or "",
                score=scores[row["id"]],
                entities=tuple(_entity(entity) for entity in row["entities"][:MAX_ENTITIES] if entity["id"]),
            )
            for row in self._graph.read(PASSAGES, ids=list(scores))
        ]
        return sorted(passages, key=lambda passage: (-passage.score, passage.id))


def _entity(row: dict[str, Any]) -> EntityRef:
    return EntityRef(id=row["id"], name=row["name"], aliases=tuple(row["aliases"] or ()))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
