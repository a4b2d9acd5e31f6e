"""What surrounds an entity: the strongest of its neighbours, and the relations among all of them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from clew.retrieval.evidence import EntityRef
from clew.retrieval.graph_reader import GraphReader, Neighbour

Hops = Literal[1, 2]

MAX_ROWS: Final = 10_000  # relations read at once, strongest first; beyond them only the weakest are missed


@dataclass(frozen=True, slots=True)
class Node:
    """An entity of the picture; ``hops`` is its distance from the one asked for, which has 0."""

    entity: EntityRef
    hops: int


@dataclass(frozen=True, slots=True)
class Edge:
    """Two related entities, by id; ``weight`` counts the sentences that relate them, ``relations`` are the types."""

    source: str
    target: str
    weight: float
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes from the inside out, the strongest first; ``reachable`` counts those that a limit left out too.

    With two hops the limit chooses whose neighbours are looked at, so ``reachable`` counts what those reach.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    reachable: int

    @property
    def centre(self) -> EntityRef:
        return self.nodes[0].entity

    @property
    def neighbours(self) -> int:
        return len(self.nodes) - 1

    @property
    def strengths(self) -> dict[str, float]:
        """The summed weight of each node's relations within the picture, by id."""
        found = {node.entity.id: 0.0 for node in self.nodes}
        for edge in self.edges:
            found[edge.source] += edge.weight
            found[edge.target] += edge.weight
        return found


def read_neighbourhood(reader: GraphReader, centre: EntityRef, hops: Hops, limit: int) -> Neighbourhood:
    """At most ``limit`` entities around ``centre``, the most strongly related first.

    With two hops, direct neighbours take at most half of the places, or more where the second hop has too
    few for the other half.
    """
    direct = _ranked(reader.neighbours([centre.id], MAX_ROWS), without={centre.id})
    first, second, reachable = direct[:limit], [], len(direct)
    if hops == 2:
        near = {centre.id, *(entity_id for entity_id, _ in direct)}
        rows = reader.neighbours([entity_id for entity_id, _ in first], MAX_ROWS)
        beyond = _ranked(rows, without=near)
        reachable += len(beyond)
        kept = {entity_id for entity_id, _ in first[: max(limit - len(beyond), (limit + 1) // 2)]}
        second = _ranked((row for row in rows if row.entity_id in kept), without=near)[: limit - len(kept)]
        first = first[: limit - len(second)]
    placed = [*((each, 1) for each in first), *((each, 2) for each in second)]
    nodes = (
        Node(centre, 0),
        *(Node(_with_aliases(reader, entity_id, name), distance) for (entity_id, name), distance in placed),
    )
    return Neighbourhood(nodes, _edges(reader, [node.entity.id for node in nodes]), reachable)


def _ranked(rows: Iterable[Neighbour], without: set[str]) -> list[tuple[str, str]]:
    """Ids and names of the neighbours in ``rows``, by the weight of all their relations there."""
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        if row.neighbour_id not in without:
            weights[row.neighbour_id, row.name] += row.weight
    return sorted(weights, key=lambda each: (-weights[each], each[1], each[0]))


def _with_aliases(reader: GraphReader, entity_id: str, name: str) -> EntityRef:
    """The entity with its other spellings, which neighbours come without."""
    linked = (link.entity for link in reader.link(name) if link.entity.id == entity_id)
    return next(linked, EntityRef(id=entity_id, name=name))


def _edges(reader: GraphReader, ids: list[str]) -> tuple[Edge, ...]:
    """The relations among ``ids``, one edge a pair; each comes from the reader once for either end."""
    place = {entity_id: number for number, entity_id in enumerate(ids)}
    weights: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in reader.neighbours(ids, MAX_ROWS):
        if row.neighbour_id in place and row.neighbour_id != row.entity_id:
            source, target = sorted((row.entity_id, row.neighbour_id), key=place.__getitem__)
            weights[source, target][row.relation] = row.weight
    pairs = sorted(weights, key=lambda pair: (place[pair[0]], place[pair[1]]))
    return tuple(
        Edge(source, target, sum(types.values()), tuple(sorted(types, key=lambda each: (-types[each], each))))
        for source, target in pairs
        for types in (weights[source, target],)
    )
