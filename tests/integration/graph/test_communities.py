"""Communities in a real graph: in step with its entities after every rebuild, and readable."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from moto import mock_aws

from clew.errors import GraphUnavailableError, ModelError, ModelUnavailableError
from clew.graph.namespace import Namespace
from clew.graph.schema import GENERAL
from clew.knowledge import community_builder
from clew.knowledge.communities import MIN_SIZE, Pair
from clew.knowledge.community_builder import CommunityBuilder
from clew.knowledge.community_writer import CommunityWriter
from clew.knowledge.documents import Document
from clew.retrieval.community_reader import CommunityReader
from clew.text.language import Language
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Content, Library
from tests.integration.graph.term_embedder import DIMENSIONS, TermEmbedder
from tests.integration.table import profiles_table

PUT = """
UNWIND $rows AS row
MERGE (a:Entity:{entity} {{id: row.source}}) SET a.kb = $kb, a.name = row.source_name, a.aliases = []
MERGE (b:Entity:{entity} {{id: row.target}}) SET b.kb = $kb, b.name = row.target_name, b.aliases = []
MERGE (c:Chunk:{chunk} {{id: row.passage}}) SET c.kb = $kb, c.embedding = row.embedding, c.terms = ''
MERGE (a)-[r:RELATED {{document_id: 'd', type: 'CO_MENTION'}}]->(b)
SET r.weight = row.weight, r.description = row.said, r.chunk_id = row.passage
"""
FORGET_PASSAGES = "MATCH (:{entity})-[r:RELATED]->(:Entity) REMOVE r.chunk_id"
REMOVE_ENTITY = "MATCH (e:Entity {id: $id}) DETACH DELETE e"
COMMUNITIES = """
MATCH (m:{community})
OPTIONAL MATCH (m)-[:PART_OF]->(p:Community)
RETURN m.id AS id, m.level AS level, m.size AS size, m.title AS title, m.summary AS summary, m.kb AS kb,
    m.embedding AS embedding, m.summarised_by AS summarised_by, p.id AS parent
"""


def quiet(*_: object) -> None:
    """Progress that nobody watches."""


def villages(count: int = 3, people: int = 50, ties: int = 200) -> list[Pair]:
    """Groups of people, each large enough to be divided, tied to the next by one pair."""
    chance = random.Random(7)  # noqa: S311 (not for secrets)
    pairs: list[Pair] = []
    for first in range(0, count * people, people):
        pairs += [(*chance.sample(range(first, first + people), 2), 1.0) for _ in range(ties)]
    return pairs + [(first, first + people, 1.0) for first in range(0, (count - 1) * people, people)]


def family(first: int, size: int = 5) -> list[Pair]:
    """People who all know each other, and nobody else."""
    return [(one, other, 1.0) for one in range(first, first + size) for other in range(one + 1, first + size)]


def name(person: int) -> str:
    return f"Person{person:04d}"


class Town:
    """A knowledge base of entities that are related as a test says; each pair has a sentence and a passage."""

    def __init__(self, engine: Engine, namespace: Namespace) -> None:
        self.engine = engine
        self.namespace = namespace
        self.reader = CommunityReader(engine.graph, engine.schema, namespace)

    def person(self, person: int) -> str:
        return self.namespace.node_id("e", name(person))

    def relate(self, pairs: list[Pair]) -> None:
        embedder = TermEmbedder()
        said = {(one, other): f"{name(one)} met {name(other)}." for one, other, _ in pairs}
        rows = [
            {
                "source": self.person(one),
                "target": self.person(other),
                "source_name": name(one),
                "target_name": name(other),
                "weight": weight,
                "said": said[one, other],
                "passage": self.namespace.node_id("c", said[one, other]),
                "embedding": embedder.embed_query(said[one, other]),
            }
            for one, other, weight in pairs
        ]
        self.write(self.labelled(PUT), rows=rows, kb=self.namespace.key)

    def leave(self, person: int) -> None:
        self.write(REMOVE_ENTITY, id=self.person(person))

    def write(self, query: str, **parameters: Any) -> None:
        self.engine.graph.write(lambda transaction: transaction.run(query, parameters).consume())

    def labelled(self, query: str) -> str:
        own = self.namespace
        return query.format(entity=own.entity_label, chunk=own.chunk_label, community=own.community_label)

    def rebuild(self, summariser: "Scribe | None" = None) -> int:
        return CommunityBuilder(self.engine.graph, self.namespace, summariser).rebuild(quiet)

    def communities(self) -> dict[str, dict[str, Any]]:
        return {row["id"]: row for row in self.engine.graph.read(self.labelled(COMMUNITIES))}

    def members(self, community_id: str) -> set[str]:
        return {entity for _, entity in self.reader.members([community_id], 1_000)}

    def content(self) -> Content:
        return Library(self.engine, None).content(self.namespace)


@dataclass
class Scribe:
    """A summariser that notes what it was asked; ``fails`` are its errors, in turn."""

    name: str = "scribe"
    fails: list[Exception] = field(default_factory=list)
    asked: list[tuple[list[str], list[str], Language]] = field(default_factory=list)

    def summarise(self, entities: list[str], sentences: list[str], language: Language) -> str:
        self.asked.append((entities, sentences, language))
        if self.fails:
            raise self.fails.pop(0)
        return f"{entities[0]} knows everybody."


@pytest.fixture(scope="module")
def prepared(engine: Engine) -> Namespace:
    """A knowledge base with its indexes."""
    namespace = engine.namespace()
    engine.schema.prepare(namespace, DIMENSIONS)
    return namespace


@pytest.fixture
def town(engine: Engine, prepared: Namespace) -> Town:
    """An empty knowledge base, the same each time: indexes take longer to make than to use."""
    town = Town(engine, prepared)
    for label in prepared.labels:
        town.write(f"MATCH (n:{label}) DETACH DELETE n")
    return town


@pytest.fixture
def library(engine: Engine) -> Iterator[Library]:
    with mock_aws():
        yield Library(engine, profiles_table(boto3.Session()))


def test_communities_of_every_level_are_stored_with_their_members(town: Town) -> None:
    town.relate(villages())
    assert town.rebuild() == len(town.communities())
    stored = town.communities()
    coarse = [row for row in stored.values() if row["level"] == 0]
    assert sorted(row["size"] for row in coarse) == [50, 50, 50]
    assert {row["level"] for row in stored.values()} == {0, 1}
    for community_id, row in stored.items():
        members = town.members(community_id)
        assert len(members) == row["size"] >= MIN_SIZE
        assert row["kb"] == town.namespace.key
        if row["level"] == 0:
            assert row["parent"] is None
        else:
            assert members < town.members(row["parent"])


def test_a_community_is_described_by_its_members_and_what_relates_them(town: Town) -> None:
    town.relate([*family(0), (0, 1, 5.0), (0, 2, 4.0)])
    town.rebuild()
    (row,) = town.communities().values()
    assert row["title"] == "Person0000, Person0001, Person0002"
    assert row["summary"].startswith("Person0000 met Person0001.")
    assert row["summarised_by"] == "extraction"
    assert sum(number * number for number in row["embedding"]) == pytest.approx(1.0, abs=1e-4)


def test_a_rebuild_of_what_is_in_step_writes_nothing(town: Town) -> None:
    town.relate(villages())
    town.rebuild()
    before = town.content()
    town.rebuild()
    assert town.content() == before  # the engine's own ids included: nothing was made anew


def test_what_is_added_elsewhere_leaves_communities_alone(town: Town) -> None:
    town.relate([*villages(2), *family(900)])
    town.rebuild()
    before = town.communities()
    elements = town.content().elements
    town.relate(family(950))
    assert town.rebuild() == len(before) + 1
    after = town.communities()
    assert {key: after[key] for key in before} == before
    assert elements <= town.content().elements


def test_another_sentence_is_told_by_the_same_community(town: Town) -> None:
    town.relate(family(0))
    town.rebuild()
    before = town.communities()
    town.relate([(0, 1, 9.0)])
    town.rebuild()
    assert town.communities().keys() == before.keys()
    assert town.communities() != before


def test_a_community_goes_with_its_entities(town: Town) -> None:
    town.relate([*family(0), *family(10, 3)])
    town.rebuild()
    town.leave(10)
    assert town.rebuild() == 1
    (left,) = town.communities()
    assert town.members(left) == {town.person(person) for person in range(5)}
    for person in range(5):
        town.leave(person)
    assert town.rebuild() == 0
    assert town.communities() == {}
    assert [edge for edge in town.content().edges if "IN_COMMUNITY" in edge or "PART_OF" in edge] == []


def test_an_entity_that_went_and_came_back_is_a_member_again(town: Town) -> None:
    """As after a load that broke off between removing a document and finding communities."""
    town.relate(family(0))
    town.rebuild()
    before = town.content()
    town.leave(3)
    town.relate(family(0))
    town.rebuild()
    after = town.content()
    assert (after.nodes, after.edges) == (before.nodes, before.edges)


@pytest.mark.parametrize("step", ["put", "place", "remove"])
def test_a_rebuild_that_broke_off_is_finished_by_the_next(
    town: Town, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.relate([*villages(2), *family(900)])
    town.rebuild()
    town.relate([*family(40, 20), *family(900, 7)])
    town.leave(3)
    write = getattr(CommunityWriter, step)
    calls = []

    def break_off(self: CommunityWriter, *arguments: object) -> None:
        calls.append(step)
        if len(calls) > (step == "put"):
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.")
        write(self, *arguments)

    with monkeypatch.context() as broken:
        broken.setattr(CommunityWriter, step, break_off)
        broken.setattr(community_builder, "BATCH", 2)
        with pytest.raises(GraphUnavailableError):
            town.rebuild()
    count = town.rebuild()
    repaired = town.content()
    town.write(town.labelled("MATCH (m:{community}) DETACH DELETE m"))
    assert town.rebuild() == count
    anew = town.content()
    assert (repaired.nodes, repaired.edges) == (anew.nodes, anew.edges)


def test_communities_are_found_by_meaning_and_by_words(town: Town) -> None:
    town.relate([*family(0), *family(10), *family(20)])
    town.rebuild()
    (wanted,) = [key for key in town.communities() if town.person(12) in town.members(key)]
    question = f"{name(12)} {name(13)}"
    near = town.reader.nearest(TermEmbedder().embed_query(question), 2)
    assert next(iter(near)) == wanted
    assert len(near) == 2
    assert 0.5 < near[wanted] <= 1.0
    assert list(town.reader.matching(question, 2)) == [wanted]
    assert town.reader.matching("", 2) == {}


def test_the_reader_tells_summaries_and_members(town: Town) -> None:
    town.relate([*villages(1), *family(900)])
    town.rebuild()
    rows = town.communities()
    ids = [*sorted(rows, reverse=True), "unknown"]
    told = town.reader.communities(ids)
    assert [each.id for each in told] == ids[:-1]
    assert {each.id: (each.title, each.summary, each.level) for each in told} == {
        key: (row["title"], row["summary"], row["level"]) for key, row in rows.items()
    }
    first = town.reader.members(ids, len(rows))
    assert sorted(key for key, _ in first) == sorted(rows)  # one of each before a second of any
    levels = [rows[key]["level"] for key in town.reader.of_entities([town.person(7)])[town.person(7)]]
    assert levels == sorted(levels, reverse=True)
    assert 0 in levels
    assert town.reader.of_entities(["unknown"]) == {}


def test_searches_stay_within_their_knowledge_base(engine: Engine, town: Town) -> None:
    other = Town(engine, engine.namespace())
    engine.schema.prepare(other.namespace, DIMENSIONS)
    for each in (town, other):
        each.relate(family(0))
        each.rebuild()
    found = set(town.reader.nearest(TermEmbedder().embed_query(name(1)), 5)) | set(town.reader.matching(name(1), 5))
    assert found == set(town.communities())
    assert not found & set(other.communities())


@pytest.mark.parametrize("prepared", [True, False])
def test_without_communities_the_reader_finds_none(engine: Engine, namespace: Namespace, prepared: bool) -> None:
    """As in a knowledge base that was loaded before there were communities, indexes and all."""
    if prepared:
        engine.schema.prepare(namespace, DIMENSIONS)
    reader = CommunityReader(engine.graph, engine.schema, namespace)
    assert reader.nearest(TermEmbedder().embed_query("anybody"), 5) == {}
    assert reader.matching("anybody", 5) == {}
    assert reader.communities(["m1"]) == []
    assert reader.members(["m1"], 5) == []
    assert reader.of_entities(["e1"]) == {}


def test_a_reader_finds_what_comes_after_it(town: Town) -> None:
    assert town.reader.matching(name(1), 5) == {}
    town.relate(family(0))
    town.rebuild()
    assert list(town.reader.matching(name(1), 5)) == list(town.communities())


def test_relations_without_a_passage_make_communities_without_a_vector(town: Town) -> None:
    town.relate([*family(0), *family(10)])
    town.write(town.labelled(FORGET_PASSAGES))
    town.rebuild()
    assert [row["embedding"] for row in town.communities().values()] == [None, None]
    assert town.reader.nearest(TermEmbedder().embed_query(name(1)), 5) == {}
    assert len(town.reader.matching(name(1), 5)) == 1
    town.relate(family(0))
    town.rebuild()
    assert len(town.reader.nearest(TermEmbedder().embed_query(name(1)), 5)) == 1


def test_a_model_summarises_what_it_has_not_yet(town: Town) -> None:
    scribe = Scribe()
    town.relate([*family(0), *family(10)])
    town.rebuild(scribe)
    assert {row["summary"] for row in town.communities().values()} == {
        "Person0000 knows everybody.",
        "Person0010 knows everybody.",
    }
    entities, sentences, language = min(scribe.asked)
    assert entities == [name(person) for person in range(5)]
    assert "Person0000 met Person0001." in sentences
    assert language == "en"
    town.relate(family(20))
    town.rebuild(scribe)
    assert len(scribe.asked) == 3
    town.rebuild()  # without a model what it wrote stays
    assert {row["summarised_by"] for row in town.communities().values()} == {"scribe"}


def test_a_model_is_asked_for_so_many_at_once_and_the_largest_first(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(community_builder, "MAX_MODEL_SUMMARIES", 1)
    scribe = Scribe()
    builder = CommunityBuilder(town.engine.graph, town.namespace, scribe)
    town.relate([*family(0), *family(10, 7)])
    builder.rebuild(quiet)
    by = {row["size"]: row["summarised_by"] for row in town.communities().values()}
    assert by == {7: "scribe", 5: "extraction"}
    assert not builder.finished()
    builder.rebuild(quiet)
    assert builder.finished()
    assert len(scribe.asked) == 2


@pytest.mark.parametrize(
    ("error", "asked"), [(ModelUnavailableError("The model is away."), 1), (ModelError("The model refuses."), 2)]
)
def test_where_the_model_fails_what_was_extracted_stands(town: Town, error: Exception, asked: int) -> None:
    scribe = Scribe(fails=[error])
    town.relate([*family(0), *family(10)])
    assert town.rebuild(scribe) == 2
    rows = town.communities().values()
    assert len(scribe.asked) == asked
    assert sum(row["summarised_by"] == "extraction" for row in rows) == 3 - asked
    assert all(row["summary"] for row in rows)


def test_a_load_finds_communities_in_both_languages(library: Library, namespace: Namespace) -> None:
    documents = [
        Document("inception", "Inception", "Christopher Nolan directed Inception. Hans Zimmer scored Inception."),
        Document(
            "wohu",
            "卧虎藏龙",
            "《卧虎藏龙》由李安（Ang Lee）执导。谭盾·钟声为《卧虎藏龙》作曲，李安（Ang Lee）很满意。",
        ),
    ]
    profile = library.load(namespace, documents, TermEmbedder()).profile
    reader = library.reader(namespace).communities
    (english,) = reader.communities(list(reader.matching("Who directed Inception?", 1)))
    (chinese,) = reader.communities(list(reader.matching("谁执导了《卧虎藏龙》？", 1)))
    assert profile.communities == 2
    assert "Inception" in english.title
    assert "Christopher Nolan directed Inception." in english.summary
    assert "、" in chinese.title
    assert "《卧虎藏龙》由李安（Ang Lee）执导。" in chinese.summary


def test_ids_of_communities_are_unique() -> None:
    assert any(":Community)" in statement for statement in GENERAL)
