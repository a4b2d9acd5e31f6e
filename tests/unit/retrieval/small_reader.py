"""A knowledge base of a handful of entities and passages, held in memory, with the graph reader's methods."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import CommunityRef, EntityRef, Passage
from clew.retrieval.graph_reader import Link, Mention, Neighbour
from clew.retrieval.scores import best
from clew.text.embedding import Vector
from clew.text.terms import content_terms


@dataclass(frozen=True)
class Text:
    """A passage; ``about`` is the id of its document's subject, ``ordinal`` its place in the document."""

    id: str
    about: str
    text: str
    document_id: str = ""
    ordinal: int = 0


@dataclass(frozen=True)
class Relation:
    """That a sentence of a passage relates two entities; ``weight`` is how many sentences do."""

    source: str
    target: str
    said: str = ""
    passage_id: str = ""
    weight: float = 1.0
    type: str = "CO_MENTION"


class WordEmbedder:
    """Texts that share words are near each other. Notes what it was asked."""

    dimensions = 32

    def __init__(self) -> None:
        self.queries: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.queries.append(text)
        return vector_of(text)

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        return [vector_of(text) for text in texts]


def vector_of(text: str) -> Vector:
    numbers = [0.01] * WordEmbedder.dimensions  # no text is without direction
    for term in content_terms(text):
        numbers[hashlib.sha256(term.encode()).digest()[0] % len(numbers)] += 1.0
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]


class SmallReader:
    """Finds by names, words and relations as the graph does.

    ``calls`` notes what was read, ``sizes`` for how many entities and up to which limit. ``failing`` has
    what a method raises, by its name, and ``before`` is called with the name of every method that is.
    """

    def __init__(
        self,
        entities: Iterable[EntityRef],
        texts: Iterable[Text] = (),
        relations: Iterable[Relation] = (),
        communities: Iterable[tuple[CommunityRef, tuple[str, ...]]] = (),
    ) -> None:
        self.calls: list[str] = []
        self.sizes: list[tuple[str, int, int]] = []
        self.failing: dict[str, Exception] = {}
        self.before: Callable[[str], None] = lambda name: None
        self.communities = SmallCommunities(self, list(communities))
        self.entities = list(entities)
        self.texts = list(texts)
        self.relations = list(relations)
        self._entities = {entity.id: entity for entity in self.entities}
        self._texts = {text.id: text for text in self.texts}
        self._names = EntityNames(self.entities)

    def weigh(self, target: str, weight: float) -> None:
        """Give the relations to ``target`` another weight."""
        self.relations = [replace(each, weight=weight) if each.target == target else each for each in self.relations]

    def called(self, name: str) -> None:
        self.calls.append(name)
        self.before(name)
        if name in self.failing:
            raise self.failing[name]

    def nearest(self, vector: Vector, limit: int) -> dict[str, float]:
        self.called("nearest")
        return best({text.id: nearness(vector, text.text) for text in self._texts.values()}, limit)

    def matching(self, text: str, limit: int) -> dict[str, float]:
        self.called("matching")
        return best(sharing({each.id: each.text for each in self._texts.values()}, text), limit)

    def link(self, text: str) -> list[Link]:
        self.called("link")
        return [
            Link(self._entities[entity_id], span)
            for span, found in self._names.find(text)
            for entity_id in sorted(found)
        ]

    def similar_entities(self, text: str, limit: int) -> dict[str, tuple[EntityRef, float]]:
        self.called("similar_entities")
        names = {entity.id: " ".join((entity.name, *entity.aliases)) for entity in self._entities.values()}
        found = best(sharing(names, text), limit)
        return {entity_id: (self._entities[entity_id], score) for entity_id, score in found.items()}

    def subjects(self, passage_ids: list[str]) -> dict[str, EntityRef]:
        self.called("subjects")
        return {each: self._entities[self._texts[each].about] for each in reversed(passage_ids)}  # in no order

    def neighbours(self, entity_ids: list[str], limit: int) -> list[Neighbour]:
        self.called("neighbours")
        self.sizes.append(("neighbours", len(entity_ids), limit))
        found: dict[tuple[str, str, str], Neighbour] = {}
        for each in sorted(self.relations, key=lambda relation: -relation.weight):
            for here, there in ((each.source, each.target), (each.target, each.source)):
                if here in entity_ids:
                    key = (here, there, each.type)
                    known = found.get(key, Neighbour(here, there, self._entities[there].name, each.type, 0.0))
                    found[key] = Neighbour(
                        *(here, there, known.name, each.type),
                        weight=known.weight + each.weight,
                        said=(*known.said, each.said),
                        passage_ids=(*known.passage_ids, each.passage_id),
                        outward=here == each.source,
                    )
        return sorted(found.values(), key=lambda step: (-step.weight, step.neighbour_id, step.entity_id))[:limit]

    def mentioning(self, entity_ids: list[str], limit: int) -> list[Mention]:
        self.called("mentioning")
        self.sizes.append(("mentioning", len(entity_ids), limit))
        found = [
            Mention(entity_id, text.id, 1, text.about == entity_id, text.ordinal)
            for text in self._texts.values()
            for entity_id in self._mentioned(text)
            if entity_id in entity_ids
        ]
        return sorted(found, key=lambda each: (not each.about, each.passage_id, each.entity_id))[:limit]

    def about(self, entity_ids: list[str], limit: int) -> list[Mention]:
        self.called("about")
        self.sizes.append(("about", len(entity_ids), limit))
        found = [
            Mention(text.about, text.id, 1, True, text.ordinal)
            for text in self._texts.values()
            if text.about in entity_ids
        ]
        return sorted(found, key=lambda each: (each.ordinal, each.passage_id))[:limit]

    def passages(self, scores: dict[str, float]) -> list[Passage]:
        self.called("passages")
        return [
            Passage(
                id=text.id,
                document_id=text.document_id or text.id,
                title=self._entities[text.about].name,
                text=text.text,
                score=scores[text.id],
                entities=tuple(self._entities[entity_id] for entity_id in self._mentioned(text)),
            )
            for text in (self._texts[each] for each in best(scores, len(scores)))
        ]

    def _mentioned(self, text: Text) -> list[str]:
        return sorted({text.about, *self._names.mentioned(text.text)})


class SmallCommunities:
    """The communities of a small reader, each with its members, the most central first."""

    def __init__(self, reader: SmallReader, communities: list[tuple[CommunityRef, tuple[str, ...]]]) -> None:
        self._reader = reader
        self._found = {community.id: community for community, _ in communities}
        self._members = {community.id: members for community, members in communities}

    def nearest(self, vector: Vector, limit: int) -> dict[str, float]:
        self._reader.called("communities.nearest")
        return best({each.id: nearness(vector, each.summary) for each in self._found.values()}, limit)

    def matching(self, text: str, limit: int) -> dict[str, float]:
        self._reader.called("communities.matching")
        return best(sharing({each.id: f"{each.title} {each.summary}" for each in self._found.values()}, text), limit)

    def communities(self, ids: list[str]) -> list[CommunityRef]:
        self._reader.called("communities.communities")
        return [self._found[each] for each in ids]

    def members(self, community_ids: list[str], limit: int) -> list[tuple[str, str]]:
        self._reader.called("communities.members")
        ranked = [(rank, each, member) for each in community_ids for rank, member in enumerate(self._members[each])]
        return [(each, member) for _, each, member in sorted(ranked)][:limit]

    def of_entities(self, entity_ids: list[str]) -> dict[str, list[str]]:
        self._reader.called("communities.of_entities")
        found = {each: [key for key, members in self._members.items() if each in members] for each in entity_ids}
        return {entity_id: ids for entity_id, ids in found.items() if ids}


def nearness(vector: Vector, text: str) -> float:
    """(1 + cosine) / 2, as the graph scores."""
    return (1 + sum(one * other for one, other in zip(vector, vector_of(text), strict=True))) / 2


def sharing(texts: dict[str, str], query: str) -> dict[str, float]:
    """How many terms each text shares with ``query``; those that share none are left out."""
    asked = Counter(content_terms(query))
    shared = {key: float(sum((Counter(content_terms(text)) & asked).values())) for key, text in texts.items()}
    return {key: score for key, score in shared.items() if score}


INCEPTION = EntityRef(id="inception", name="Inception", aliases=("盗梦空间",))
NOLAN = EntityRef(id="nolan", name="Christopher Nolan", aliases=("克里斯托弗·诺兰", "诺兰"))
ZIMMER = EntityRef(id="zimmer", name="Hans Zimmer", aliases=("汉斯·季默", "季默"))
FRANKFURT = EntityRef(id="frankfurt", name="Frankfurt", aliases=("法兰克福",))
TIGER = EntityRef(id="tiger", name="卧虎藏龙", aliases=("Crouching Tiger, Hidden Dragon",))
ANG_LEE = EntityRef(id="anglee", name="李安", aliases=("Ang Lee",))
TAN_DUN = EntityRef(id="tandun", name="谭盾", aliases=("Tan Dun",))
CHANGSHA = EntityRef(id="changsha", name="长沙", aliases=("Changsha",))

DIRECTED = "Inception was directed by Christopher Nolan."
COMPOSED = "Hans Zimmer composed the music of Inception."
BORN = "Hans Zimmer was born in Frankfurt."
MADE = "《卧虎藏龙》由李安执导，谭盾作曲。"
BORN_ZH = "谭盾出生于长沙。"

TEXTS = (
    Text("film", "inception", f"{DIRECTED} {COMPOSED}"),
    Text("director", "nolan", "Christopher Nolan studied literature in London."),
    Text("composer", "zimmer", BORN),
    Text("city", "frankfurt", "Frankfurt lies on the river Main."),
    Text("film-zh", "tiger", MADE),
    Text("director-zh", "anglee", "李安曾在伊利诺伊大学学习戏剧。"),
    Text("composer-zh", "tandun", BORN_ZH),
    Text("city-zh", "changsha", "长沙位于湘江两岸。"),
)
RELATIONS = (
    Relation("inception", "nolan", DIRECTED, "film"),
    Relation("inception", "zimmer", COMPOSED, "film"),
    Relation("zimmer", "frankfurt", BORN, "composer"),
    Relation("tiger", "anglee", MADE, "film-zh"),
    Relation("tiger", "tandun", MADE, "film-zh"),
    Relation("tandun", "changsha", BORN_ZH, "composer-zh"),
)
COMMUNITIES = (
    (
        CommunityRef(id="dreams", title="Inception, Hans Zimmer", summary="Dreams within dreams, and their music."),
        ("inception", "zimmer"),
    ),
    (CommunityRef(id="wuxia", title="卧虎藏龙、谭盾", summary="武侠与江湖的故事。"), ("tiger", "tandun")),
)


def films() -> SmallReader:
    """Two films, each with its director, its composer and the city where the composer was born."""
    entities = (INCEPTION, NOLAN, ZIMMER, FRANKFURT, TIGER, ANG_LEE, TAN_DUN, CHANGSHA)
    return SmallReader(entities, TEXTS, RELATIONS, COMMUNITIES)
