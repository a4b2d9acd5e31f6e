"""Writing the communities of one knowledge base; each call is one transaction."""

from dataclasses import dataclass
from typing import Any, Final

import neo4j

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.text.embedding import Vector

STORED: Final = """
MATCH (m:{community_label})
OPTIONAL MATCH (m)-[:PART_OF]->(p:Community)
RETURN m.id AS id, m.digest AS digest, m.summarised_by AS summarised_by, m.size AS size, p.id AS parent
"""
NOT_BY: Final = """
MATCH (m:{community_label}) WHERE m.summarised_by <> $name
RETURN m.id AS id LIMIT 1
"""
COUNTED: Final = """
MATCH (m:{community_label})<-[:IN_COMMUNITY]-(:Entity)
RETURN m.id AS id, count(*) AS members
"""
# Looked up by one label alone, whose id is indexed: by two, not every engine would use that index.
CREATE_MISSING: Final = """
UNWIND $rows AS row
OPTIONAL MATCH (m:Community {{id: row.id}})
WITH row, m WHERE m IS NULL
CREATE (:Community:{community_label} {{id: row.id}})
"""
SET_COMMUNITIES: Final = """
UNWIND $rows AS row
MATCH (m:Community {id: row.id})
SET m.kb = $kb, m.level = row.level, m.title = row.title, m.summary = row.summary, m.terms = row.terms,
    m.embedding = row.embedding, m.size = row.size, m.digest = row.digest, m.summarised_by = row.summarised_by
"""
# Patterns begin at the node that is known by its id: not every engine would find that by itself.
REMOVE_MEMBERS: Final = """
UNWIND $ids AS id
MATCH (m:Community {id: id})<-[i:IN_COMMUNITY]-(:Entity)
DELETE i
"""
CREATE_MEMBERS: Final = """
UNWIND $rows AS row
MATCH (m:Community {id: row.id})
UNWIND row.members AS member
MATCH (e:Entity {id: member[0]})
CREATE (e)-[:IN_COMMUNITY {rank: member[1]}]->(m)
"""
REMOVE_PARENTS: Final = """
UNWIND $ids AS id
MATCH (m:Community {id: id})-[p:PART_OF]->(:Community)
DELETE p
"""
CREATE_PARENTS: Final = """
UNWIND $rows AS row
MATCH (m:Community {id: row.id})
MATCH (p:Community {id: row.parent})
CREATE (m)-[:PART_OF]->(p)
"""
REMOVE: Final = """
UNWIND $ids AS id
MATCH (m:Community {id: id})
DETACH DELETE m
"""


@dataclass(frozen=True, slots=True)
class StoredCommunity:
    """What the graph holds of a community; ``whole`` unless entities have gone from it."""

    digest: str
    summarised_by: str
    parent: str
    whole: bool


@dataclass(frozen=True, slots=True)
class CommunityWrite:
    """A community ready to be stored; ``members`` are ids of entities, the most central first.

    ``digest`` is of all that title, summary and vector are made from, ``terms`` what full-text search sees.
    """

    id: str
    level: int
    members: list[str]
    digest: str
    title: str
    summary: str
    summarised_by: str
    terms: str
    embedding: Vector | None


class CommunityWriter:
    """Writes the communities of one knowledge base."""

    def __init__(self, graph: Graph, namespace: Namespace) -> None:
        self._graph = graph
        self._namespace = namespace

    def community_id(self, level: int, members: list[str]) -> str:
        """The same for the same level and members, in any order."""
        return self._namespace.node_id("m", str(level), *sorted(members))

    def stored(self) -> dict[str, StoredCommunity]:
        """All communities in the graph, by id."""
        counts = {row["id"]: row["members"] for row in self._graph.read(self._labelled(COUNTED))}
        return {
            row["id"]: StoredCommunity(
                digest=row["digest"],
                summarised_by=row["summarised_by"],
                parent=row["parent"] or "",
                whole=counts.get(row["id"], 0) == row["size"],
            )
            for row in self._graph.read(self._labelled(STORED))
        }

    def all_summarised_by(self, name: str) -> bool:
        return not self._graph.read(self._labelled(NOT_BY), name=name)

    def put(self, communities: list[CommunityWrite]) -> None:
        """Store communities with their members, without the levels' connection."""
        members = [
            {"id": each.id, "members": [[entity_id, rank] for rank, entity_id in enumerate(each.members)]}
            for each in communities
        ]
        rows = [_row(each) for each in communities]
        self._write(
            (self._labelled(CREATE_MISSING), {"rows": [{"id": row["id"]} for row in rows]}),
            (SET_COMMUNITIES, {"kb": self._namespace.key, "rows": rows}),
            (REMOVE_MEMBERS, {"ids": [each.id for each in communities]}),
            (CREATE_MEMBERS, {"rows": members}),
        )

    def place(self, parents: dict[str, str]) -> None:
        """Make each of the communities part of its parent, or of none where that is empty."""
        rows = [{"id": community_id, "parent": parent} for community_id, parent in parents.items() if parent]
        self._write((REMOVE_PARENTS, {"ids": list(parents)}), (CREATE_PARENTS, {"rows": rows}))

    def remove(self, ids: list[str]) -> None:
        """Delete communities, and with them what connects them."""
        self._write((REMOVE, {"ids": ids}))

    def _write(self, *statements: tuple[str, dict[str, Any]]) -> None:
        def work(transaction: neo4j.ManagedTransaction) -> None:
            for query, parameters in statements:
                transaction.run(query, parameters).consume()

        self._graph.write(work)

    def _labelled(self, query: str) -> str:
        return query.format(community_label=self._namespace.community_label)


def _row(community: CommunityWrite) -> dict[str, Any]:
    return {
        "id": community.id,
        "level": community.level,
        "title": community.title,
        "summary": community.summary,
        "terms": community.terms,
        "embedding": community.embedding,
        "size": len(community.members),
        "digest": community.digest,
        "summarised_by": community.summarised_by,
    }
