"""A knowledge base in memory, read as GraphReader reads one, and neighbourhoods without one."""

from collections import defaultdict
from dataclasses import dataclass, field

from clew.drawing.neighbourhood import Edge, Neighbourhood, Node
from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import EntityRef, Passage
from clew.retrieval.graph_reader import Link, Mention, Neighbour
from clew.text.terms import content_terms


def entity(name: str, *aliases: str, id: str = "") -> EntityRef:
    return EntityRef(id=id or name, name=name, aliases=aliases)


@dataclass
class SmallGraph:
    """Entities by id, and relations as (source, target, type) with their weights."""

    entities: dict[str, EntityRef] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], float] = field(default_factory=dict)
    mentions: dict[str, list[str]] = field(default_factory=dict)  # titles of the passages that mention an entity

    def add(self, *entities: EntityRef) -> None:
        self.entities |= {each.id: each for each in entities}

    def relate(self, source: str, target: str, weight: float = 1, type: str = "CO_MENTION") -> None:
        for each in (source, target):
            self.entities.setdefault(each, entity(each))
        self.relations[source, target, type] = weight

    def link(self, text: str) -> list[Link]:
        found = EntityNames(self.entities.values()).find(text)
        return [Link(self.entities[entity_id], span) for span, ids in found for entity_id in sorted(ids)]

    def similar_entities(self, text: str, limit: int) -> dict[str, tuple[EntityRef, float]]:
        terms = set(content_terms(text))
        shared = {
            each.id: len(terms & set(content_terms(" ; ".join((each.name, *each.aliases)))))
            for each in self.entities.values()
        }
        best = sorted((id for id in shared if shared[id]), key=lambda id: (-shared[id], id))[:limit]
        return {id: (self.entities[id], float(shared[id])) for id in best}

    def neighbours(self, entity_ids: list[str], limit: int) -> list[Neighbour]:
        rows = [
            Neighbour(near, far, self.entities[far].name, type, weight)
            for (source, target, type), weight in self.relations.items()
            for near, far in ((source, target), (target, source))
            if near in entity_ids
        ]
        return sorted(rows, key=lambda row: (-row.weight, row.neighbour_id, row.relation))[:limit]

    def mentioning(self, entity_ids: list[str], limit: int) -> list[Mention]:
        return [
            Mention(each, title, 1, about=False, ordinal=0)
            for each in entity_ids
            for title in self.mentions.get(each, [])
        ][:limit]

    def passages(self, scores: dict[str, float]) -> list[Passage]:
        return [Passage(id=each, document_id=each, title=each, text="") for each in scores]


def films() -> SmallGraph:
    """Two brothers of one family name, what they made, and who made it with them."""
    graph = SmallGraph()
    graph.add(
        entity("Christopher Nolan", "Nolan", "诺兰", "克里斯托弗·诺兰"),
        entity("Jonathan Nolan", "Nolan", "诺兰", "乔纳森·诺兰"),
        entity("Inception", "盗梦空间"),
        entity("Interstellar", "星际穿越"),
        entity("卧虎藏龙", "Crouching Tiger, Hidden Dragon"),
        entity("Hans Zimmer", "汉斯·季默"),
        entity("Dune", "沙丘"),
    )
    graph.relate("Christopher Nolan", "Inception", 3)
    graph.relate("Christopher Nolan", "Interstellar", 2)
    graph.relate("Jonathan Nolan", "Interstellar", 1, "WROTE")
    graph.relate("Jonathan Nolan", "Interstellar", 2)
    graph.relate("Christopher Nolan", "Jonathan Nolan", 1, "BROTHER_OF")
    graph.relate("Hans Zimmer", "Inception", 2)
    graph.relate("Hans Zimmer", "Dune", 4)
    graph.relate("Hans Zimmer", "Interstellar", 1)
    graph.mentions = {
        "Christopher Nolan": ["Inception (盗梦空间)", "Interstellar (星际穿越)"],
        "Jonathan Nolan": ["Interstellar (星际穿越)"],
    }
    return graph


def star(size: int, *, long_names: bool = False) -> Neighbourhood:
    """A centre with ``size`` neighbours, every third related to the next one."""
    words = "Österreichische Donaudampfschifffahrtsgesellschaft of the Northern 量子研究所"
    others = [
        entity(f"{words} {number}" if long_names else f"Entity {number}", f"实体{number}", id=f"e{number}")
        for number in range(size)
    ]
    nodes = (Node(entity("Centre", "中心", id="c"), 0), *(Node(each, 1) for each in others))
    edges = [Edge("c", each.id, 1 + number % 7, ("WORKS_FOR",)) for number, each in enumerate(others)]
    edges += [Edge(one.id, other.id, 1, ("CO_MENTION",)) for one, other in zip(others[::3], others[1::3], strict=False)]
    return Neighbourhood(nodes, tuple(edges), size)


def related(shown: Neighbourhood) -> dict[frozenset[str], float]:
    found: defaultdict[frozenset[str], float] = defaultdict(float)
    for edge in shown.edges:
        found[frozenset((edge.source, edge.target))] += edge.weight
    return dict(found)
