"""Reading one knowledge base: searches, entity links, neighbourhoods, passages."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from clew.errors import ConfigurationError, GraphError
from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.graph.schema import Schema
from clew.retrieval.community_reader import CommunityReader
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
WITH id, n, r ORDER BY r.weight DESC, r.document_id
WITH id, n, r.type AS type, sum(r.weight) AS weight, collect(r.description)[0..4] AS said,
     collect(r.chunk_id)[0..4] AS chunks, sum(CASE WHEN startNode(r).id = id THEN r.weight ELSE 0 END) AS outward
RETURN id, n.id AS neighbour, n.name AS name, type, weight, outward, said, chunks
ORDER BY weight DESC, neighbour, type, id LIMIT $limit
"""
MENTIONING: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})<-[m:MENTIONS]-(c:Chunk)
RETURN id AS entity, c.id AS chunk, m.count AS count, m.about AS about, c.ordinal AS ordinal
ORDER BY about DESC, count DESC, chunk, entity LIMIT $limit
"""
ABOUT: Final = """
UNWIND $ids AS id
MATCH (e:Entity {id: id})<-[m:MENTIONS {about: true}]-(c:Chunk)
RETURN id AS entity, c.id AS chunk, m.count AS count, m.about AS about, c.ordinal AS ordinal
ORDER BY ordinal, chunk LIMIT $limit
"""
SUBJECTS: Final = """
UNWIND $ids AS id
MATCH (c:Chunk {id: id})-[m:MENTIONS]->(e:Entity) WHERE m.about
RETURN id AS chunk, e.id AS id, e.name AS name, e.aliases AS aliases
"""
PASSAGES: Final = """
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
OPTIONAL MATCH (c)-[m:MENTIONS]->(e:Entity)
WITH c, e, m ORDER BY m.count DESC, e.id
WITH c, collect({id: e.id, name: e.name, aliases: e.aliases}) AS entities
RETURN c.id AS id, c.document_id AS document_id, c.title AS title, c.text AS text, c.source AS source,
       c.start AS start, c.end AS end, entities
"""


@dataclass(frozen=True, slots=True)
class Link:
    """An entity that a text names, and where."""

    entity: EntityRef
    span: Span


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity next to another.

    ``weight`` counts the sentences that name both; ``said`` are some of them, and ``passage_ids`` the
    passages in which those stand, in the same order. ``outward`` says that more of them state the
    relation towards the neighbour than from it.
    """

    entity_id: str
    neighbour_id: str
    name: str
    relation: str
    weight: float
    said: tuple[str, ...] = ()
    passage_ids: tuple[str, ...] = ()
    outward: bool = True


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

    @cached_property
    def communities(self) -> CommunityReader:
        """The same knowledge base's communities."""
        return CommunityReader(self._graph, self._schema, self._namespace)

    def nearest(self, vector: Vector, limit: int) -> dict[str, float]:
        """Ids of the passages nearest in meaning; scores are (1 + cosine) / 2.

        ConfigurationError if the knowledge base holds no vectors, or vectors of another length.
        """
        index = self._schema.vector_index(self._namespace.chunk_label)
        try:
            rows = self._graph.read(VECTOR, index=index, limit=limit, vector=vector)
        except GraphError as error:
            self._explain(len(vector), error)
            raise
        return {row["id"]: row["score"] for row in rows}

    def _explain(self, dimensions: int, error: GraphError) -> None:
        """Raise what a refused search by meaning most likely means."""
        found = self._schema.dimensions(self._namespace)
        if found is None:
            raise ConfigurationError(
                f"Knowledge base {self._namespace.kb_prefix!r} has no index in the graph. Load its documents first."
            ) from error
        if found != dimensions:
            raise ConfigurationError(
                f"Knowledge base {self._namespace.kb_prefix!r} holds vectors of {found} numbers, the embedder makes "
                f"{dimensions}: set CLEW_EMBEDDER and CLEW_EMBEDDING_MODEL_ID to what it was loaded with."
            ) from error

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

    def subjects(self, passage_ids: list[str]) -> dict[str, EntityRef]:
        """The entity that each of the passages is about."""
        if not passage_ids:
            return {}
        return {row["chunk"]: _entity(row) for row in self._graph.read(SUBJECTS, ids=passage_ids)}

    def neighbours(self, entity_ids: list[str], limit: int) -> list[Neighbour]:
        """Entities related to those given, strongest first."""
        if not entity_ids:
            return []
        rows = self._graph.read(NEIGHBOURS, ids=entity_ids, limit=limit)
        return [
            Neighbour(
                row["id"],
                row["neighbour"],
                row["name"],
                row["type"],
                row["weight"],
                tuple(row["said"]),
                tuple(row["chunks"]),
                (2 * row["outward"], row["neighbour"]) > (row["weight"], row["id"]),
            )
            for row in rows
        ]

    def mentioning(self, entity_ids: list[str], limit: int) -> list[Mention]:
        """The passages that mention the entities, those about them first."""
        return self._mentions(MENTIONING, entity_ids, limit)

    def about(self, entity_ids: list[str], limit: int) -> list[Mention]:
        """The passages of documents about the entities, each document's first passage first."""
        return self._mentions(ABOUT, entity_ids, limit)

    def _mentions(self, query: str, entity_ids: list[str], limit: int) -> list[Mention]:
        if not entity_ids:
            return []
        rows = self._graph.read(query, ids=entity_ids, limit=limit)
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
                start=row["start"],
                end=row["end"],
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
