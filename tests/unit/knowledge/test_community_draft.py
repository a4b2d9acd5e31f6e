"""Communities as they should be: what makes one the same as before, and what makes it another."""

import random
from itertools import combinations

import numpy as np
import pytest

from clew.knowledge.communities import MAX_SIZE
from clew.knowledge.community_draft import Draft, draft_communities
from clew.knowledge.entity_graph import EntityGraph, sentence_digest

Stated = tuple[str, str, float, str, str]
"""Source, target, weight, passage and sentence."""


def entity_graph(relations: list[Stated], aliases: dict[str, str] | None = None) -> EntityGraph:
    """As it is read from a graph: numbered by name, in the order of the numbers."""
    names = sorted({name for source, target, *_ in relations for name in (source, target)})
    passages = sorted({passage for *_, passage, _ in relations if passage})
    rows = sorted(
        (
            names.index(source),
            names.index(target),
            weight,
            passages.index(passage) if passage else -1,
            sentence_digest(said, passage),
        )
        for source, target, weight, passage, said in relations
    )
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(5)]
    return EntityGraph(
        ids=[f"e:{name}" for name in names],
        names=[(name, *((aliases or {}).get(name, "").split())) for name in names],
        passages=passages,
        source=np.array(columns[0], np.int64),
        target=np.array(columns[1], np.int64),
        weight=np.array(columns[2], np.float64),
        passage=np.array(columns[3], np.int64),
        sentence=np.array(columns[4], np.int64),
    )


def drafts(relations: list[Stated], aliases: dict[str, str] | None = None) -> list[Draft]:
    def community_id(level: int, members: list[str]) -> str:
        return f"{level}:{','.join(sorted(members))}"

    return draft_communities(entity_graph(relations, aliases), community_id)


def friends(names: str, passage: str = "p") -> list[Stated]:
    return [(a, b, 1.0, f"{passage}{a}", f"{a} met {b}.") for a, b in combinations(names.split(), 2)]


def villages(passages: int = 1_000) -> list[Stated]:
    """Three groups of people, each larger than a community should be, tied to the next by one pair."""
    chance = random.Random(7)  # noqa: S311  (not for secrets)
    people = [f"n{number:03d}" for number in range(150)]
    pairs = {tuple(chance.sample(people[begin : begin + 50], 2)) for begin in (0, 50, 100) for _ in range(200)}
    ties = [(people[0], people[50]), (people[50], people[100])]
    return [(a, b, 1.0, f"p{number % passages}", f"{a} met {b}.") for number, (a, b) in enumerate(sorted(pairs) + ties)]


def test_members_come_in_the_order_of_how_central_they_are() -> None:
    (draft,) = drafts([*friends("Ann Bea Cid"), ("Cid", "Dan", 5.0, "p", "Cid met Dan.")])
    assert draft.members == (2, 3, 0, 1)
    assert draft.id == "0:e:Ann,e:Bea,e:Cid,e:Dan"
    assert (draft.parent, draft.root) == ("", draft.id)


def test_only_relations_between_members_are_its_own() -> None:
    relations = [*friends("Ann Bea Cid"), *friends("Xan Yan Zoe"), ("Ann", "Ann", 3.0, "p", "Ann met Ann.")]
    first, second = drafts(relations)
    assert (len(first.relations), len(second.relations)) == (3, 3)
    assert not set(first.relations.tolist()) & set(second.relations.tolist())


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (lambda stated: stated, True),
        (lambda stated: stated[::-1], True),
        (lambda stated: [*stated, *friends("Xan Yan Zoe")], True),
        (lambda stated: [*friends("Aaa Aab Aac"), *stated], True),  # what comes before it in the order of names
        (lambda stated: [(*stated[0][:2], 2.0, *stated[0][3:]), *stated[1:]], False),
        (lambda stated: [(*stated[0][:3], "elsewhere", stated[0][4]), *stated[1:]], False),
        (lambda stated: [(*stated[0][:4], "Ann and Bea parted."), *stated[1:]], False),
    ],
    ids=["same", "order", "another after", "another before", "weight", "passage", "sentence"],
)
def test_the_digest_tells_whether_it_must_be_described_again(changed: object, same: bool) -> None:
    relations = friends("Ann Bea Cid")
    (before,) = drafts(relations)
    (after,) = [draft for draft in drafts(changed(relations)) if draft.id == before.id]  # type: ignore[operator]
    assert (after.digest == before.digest) is same


def test_another_spelling_of_a_member_must_be_described_too() -> None:
    (before,), (after,) = drafts(friends("Ann Bea Cid")), drafts(friends("Ann Bea Cid"), {"Bea": "Beatrice"})
    assert (before.id, before.digest != after.digest) == (after.id, True)


def test_a_division_knows_its_parent() -> None:
    found = drafts(villages())
    coarse = {draft.id: draft for draft in found if draft.level == 0}
    fine = [draft for draft in found if draft.level == 1]
    assert [len(draft.members) > MAX_SIZE for draft in coarse.values()] == [True, True, True]
    assert {draft.parent for draft in fine} == set(coarse)
    assert all(draft.root == draft.parent for draft in fine)
    assert all(set(draft.members) < set(coarse[draft.parent].members) for draft in fine)


def test_a_division_that_one_passage_tells_of_is_left_out() -> None:
    assert [draft.level for draft in drafts(villages(passages=1))] == [0, 0, 0]
    unknown = [(a, b, weight, "", said) for a, b, weight, _, said in villages()]
    assert len(drafts(unknown)) == len(drafts(villages())) > 3


def test_no_relations_make_no_community() -> None:
    assert drafts([]) == []


def test_a_sentence_is_about_what_most_of_its_relations_lead_from() -> None:
    said = "She met Bea and Cid."
    graph = entity_graph(
        [("Zoe", "Bea", 1.0, "p", said), ("Zoe", "Cid", 1.0, "p", said), ("Bea", "Cid", 1.0, "p", said)]
    )
    assert graph.subjects() == {sentence_digest(said, "p"): graph.ids.index("e:Zoe")}


def test_the_same_sentence_in_another_passage_may_be_about_another() -> None:
    graph = entity_graph([("Ann", "Cid", 1.0, "p", "She met Cid."), ("Bea", "Cid", 1.0, "q", "She met Cid.")])
    assert sorted(graph.subjects().values()) == [0, 1]


def test_no_relations_are_about_nothing() -> None:
    assert entity_graph([]).subjects() == {}
