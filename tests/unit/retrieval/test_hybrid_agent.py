"""hybrid_agent: what the question's names lead to, and what the communities it is about speak of."""

from typing import Any

import pytest

from clew.retrieval.agents.graph_agent import GraphAgent
from clew.retrieval.agents.hybrid_agent import HIGH_WEIGHT, MAX_MEMBERS, HybridAgent
from clew.retrieval.evidence import CommunityRef, EntityRef, Reference
from tests.unit.retrieval.small_reader import Relation, SmallReader, Text, WordEmbedder, films

TEA = [EntityRef(id="tea", name="Tea", aliases=("茶",)), EntityRef(id="cup", name="Porcelain Cup", aliases=("瓷杯",))]
SEA = [
    EntityRef(id="ship", name="Old Ship", aliases=("老船",)),
    EntityRef(id="port", name="Far Port", aliases=("远港",)),
]
TEXTS = [
    Text("leaves", "tea", "Leaves are dried and rolled."),
    Text("kiln", "cup", "It is fired at great heat."),
    Text("sails", "ship", "Three masts and a torn flag."),
    Text("quay", "port", "Cranes along the quay. A Porcelain Cup was found."),
]
COMMUNITIES = [
    (
        CommunityRef(id="drinking", title="Tea, Porcelain Cup", summary="Customs of drinking. 饮茶的习俗。"),
        ("tea", "cup"),
    ),
    (CommunityRef(id="seafaring", title="Old Ship, Far Port", summary="Voyages. 航海的历史。"), ("ship", "port")),
]


def asked(query: str, communities: list[tuple[CommunityRef, tuple[str, ...]]]) -> dict[str, Any]:
    reader = SmallReader([*TEA, *SEA], TEXTS, [Relation("tea", "cup"), Relation("ship", "port")], communities)
    return HybridAgent(reader, WordEmbedder()).retrieve_with_trace(query, "s1")  # type: ignore[arg-type]


def scores(result: dict[str, Any]) -> dict[str, float]:
    return {each["id"]: each["score"] for each in result["retrieval_results"]}


@pytest.mark.parametrize(
    ("query", "community", "passages"),
    [
        ("Which customs of drinking are there?", "drinking", {"leaves", "kiln"}),
        ("Tell me of voyages", "seafaring", {"sails", "quay"}),
        ("饮茶有哪些习俗？", "drinking", {"leaves", "kiln"}),
        ("航海的历史", "seafaring", {"sails", "quay"}),
    ],
)
def test_a_question_that_names_nothing_finds_passages_through_a_community(
    query: str, community: str, passages: set[str]
) -> None:
    result = asked(query, COMMUNITIES)
    without = scores(asked(query, []))
    gained = {key: score - without[key] for key, score in scores(result).items()}
    assert min(gained[key] for key in passages) > max(gained[key] for key in gained.keys() - passages)
    assert Reference.model_validate(result["reference"]).communities[0].id == community


def test_the_summaries_come_with_their_scores_best_first() -> None:
    found = Reference.model_validate(asked("Customs of drinking", COMMUNITIES)["reference"]).communities
    assert [each.title for each in found] == ["Tea, Porcelain Cup", "Old Ship, Far Port"]
    assert [each.summary for each in found] == ["Customs of drinking. 饮茶的习俗。", "Voyages. 航海的历史。"]
    assert found[0].score > found[1].score


def test_a_passage_that_only_mentions_a_member_gains_nothing() -> None:
    query, community = "Customs of drinking", COMMUNITIES[:1]
    without = scores(asked(query, []))
    gained = {key: score - without[key] for key, score in scores(asked(query, community)).items()}
    assert gained["leaves"] == pytest.approx(gained["kiln"]) == pytest.approx(HIGH_WEIGHT)
    assert gained["quay"] == gained["sails"] == 0


@pytest.mark.parametrize("query", ["What of the Old Ship?", "老船"])
def test_communities_alike_in_all_else_are_told_apart_by_the_members_that_are_named(query: str) -> None:
    alike = [(CommunityRef(id=f"c{number}", title="", summary="The same."), ("tea",)) for number in range(7)]
    its_own = (CommunityRef(id="z", title="", summary="The same."), ("ship", "port"))
    found = Reference.model_validate(asked(query, [*alike, its_own])["reference"]).communities
    assert [each.id for each in found] == ["z", "c0", "c1", "c2"]


@pytest.mark.parametrize("query", ["Where was the composer of Inception born?", "《卧虎藏龙》由谁执导？", "Dreams"])
def test_without_communities_it_is_the_graphs_ranking(query: str) -> None:
    reader = films()
    bare = SmallReader(reader.entities, reader.texts, reader.relations)
    hybrid = HybridAgent(bare, WordEmbedder()).retrieve_with_trace(query, "s1")  # type: ignore[arg-type]
    graph = GraphAgent(bare, WordEmbedder()).retrieve_with_trace(query, "s1")  # type: ignore[arg-type]
    assert scores(hybrid) == scores(graph)
    assert Reference.model_validate(hybrid["reference"]).communities == ()


def test_names_lead_before_communities() -> None:
    result = asked("Where is the Far Port?", COMMUNITIES)
    assert result["retrieval_results"][0]["id"] == "quay"


def test_of_large_communities_the_most_central_members_speak() -> None:
    members = [EntityRef(id=f"m{number:03}", name=f"Member {number}") for number in range(3 * MAX_MEMBERS)]
    texts = [Text(f"t{each.id}", each.id, "…") for each in members]
    community = (CommunityRef(id="all", title="All", summary="Everybody."), tuple(each.id for each in members))
    reader = SmallReader(members, texts, communities=[community])
    HybridAgent(reader, WordEmbedder()).retrieve_with_trace("Everybody", "s1")  # type: ignore[arg-type]
    assert max(size for name, size, _ in reader.sizes if name == "about") == MAX_MEMBERS
