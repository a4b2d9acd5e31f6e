"""Communities as they should be, before they are described: ids, members, and what to compare with the stored ones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clew.identifiers import short_digest
from clew.knowledge.communities import Community, detect_communities
from clew.knowledge.community_summary import by_centrality
from clew.knowledge.entity_graph import EntityGraph

if TYPE_CHECKING:
    from clew.knowledge.entity_graph import Integers

VERSION: Final = "1"  # of how titles, summaries and vectors are made: raise it, and all communities are written again
MAX_NAMED: Final = 30  # members by whose names a community is described and found


@dataclass(frozen=True, slots=True)
class Draft:
    """A community as it should be.

    ``members`` are the numbers of its entities, the most central first, ``relations`` the places of those
    between them in the entity graph. ``parent`` is the id of the community that it is part of, or empty,
    ``root`` that of the coarsest one, which may be itself. ``digest`` covers all that it is described by.
    """

    id: str
    level: int
    members: tuple[int, ...]
    relations: "Integers"
    parent: str
    root: str
    digest: str


def draft_communities(entities: EntityGraph, community_id: Callable[[int, list[str]], str]) -> list[Draft]:
    """Drafts of communities, each after its parent; ``community_id`` is given level and ids of the members.

    Part of another, a community that a single passage tells of is left out: the passage says as much.
    """
    found = detect_communities(entities.pairs())
    drafts: dict[int, Draft] = {}
    for position, (community, inside) in enumerate(zip(found, _relations_inside(found, entities), strict=True)):
        if community.parent is not None and _single_passage(entities, inside):
            continue
        parent = drafts[community.parent] if community.parent is not None else None
        members = tuple(by_centrality(entities.relations(inside)))
        own_id = community_id(community.level, [entities.ids[member] for member in members])
        drafts[position] = Draft(
            id=own_id,
            level=community.level,
            members=members,
            relations=inside,
            parent=parent.id if parent else "",
            root=parent.root if parent else own_id,
            digest=_digest(entities, members, inside),
        )
    return list(drafts.values())


def _single_passage(entities: EntityGraph, relations: "Integers") -> bool:
    """Whether one passage states them all; a passage that is not noted might be any."""
    passages = set(entities.passage[relations].tolist())
    return len(passages) == 1 and -1 not in passages


def _relations_inside(communities: list[Community], entities: EntityGraph) -> "list[Integers]":
    """For each community the places of the relations between two of its members."""
    import numpy as np

    inside = [np.empty(0, np.int64)] * len(communities)
    for level in {community.level for community in communities}:
        belongs = np.full(len(entities.ids), -1)
        for position, community in enumerate(communities):
            if community.level == level:
                belongs[list(community.members)] = position
        at = belongs[entities.source]
        places = np.flatnonzero((at >= 0) & (at == belongs[entities.target]) & (entities.source != entities.target))
        places = places[np.argsort(at[places], kind="stable")]
        owners, starts = np.unique(at[places], return_index=True)
        for owner, part in zip(owners.tolist(), np.split(places, starts[1:]), strict=True):
            inside[owner] = part
    return inside


def _digest(entities: EntityGraph, members: tuple[int, ...], relations: "Integers") -> str:
    names = ["\n".join(entities.names[member]) for member in members[:MAX_NAMED]]
    passages = (entities.passages[passage] if passage >= 0 else "" for passage in entities.passage[relations].tolist())
    said = [
        f"{entities.ids[source]} {entities.ids[target]} {weight:g} {sentence} {passage}"
        for (source, target, weight, sentence), passage in zip(entities.relations(relations), passages, strict=True)
    ]
    return short_digest(VERSION, *names, "", *said, length=24)
