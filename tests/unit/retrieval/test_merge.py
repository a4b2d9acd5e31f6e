"""Merging: one ranked list within bounds, that remembers who found what."""

import random
from collections.abc import Callable

import pytest

from clew.retrieval.evidence import EntityRef, RetrievalRun
from clew.retrieval.merge import MAX_CHARACTERS, MAX_PASSAGES, linked_entities, merge
from clew.routing.worker_name import AGENT_TYPES

MakeRun = Callable[..., RetrievalRun]


def test_nothing_found_is_an_empty_list(make_run: MakeRun) -> None:
    assert merge([]) == []
    assert merge([make_run(), make_run("naive_rag_agent")]) == []


def test_a_passage_stands_once_with_all_that_found_it(make_run: MakeRun) -> None:
    merged = merge([make_run("graph_agent", {"a": 2.0, "b": 1.0}), make_run("naive_rag_agent", {"b": 9.0, "a": 8.0})])
    assert sorted(passage.id for passage in merged) == ["a", "b"]
    for passage in merged:
        assert set(passage.found_by) == {"graph_agent", "naive_rag_agent"}


def test_one_worker_twice_is_named_once(make_run: MakeRun) -> None:
    merged = merge([make_run("graph_agent", {"a": 2.0}), make_run("graph_agent", {"a": 1.0})])
    assert [passage.found_by for passage in merged] == [("graph_agent",)]


def test_it_is_ranked_and_says_the_score_it_is_ranked_by(make_run: MakeRun) -> None:
    merged = merge([make_run("graph_agent", {"c": 1.0, "a": 3.0, "b": 2.0})])
    assert [passage.id for passage in merged] == ["a", "b", "c"]
    assert [passage.score for passage in merged] == sorted((passage.score for passage in merged), reverse=True)


def test_what_both_workers_found_comes_before_what_one_found(make_run: MakeRun) -> None:
    merged = merge(
        [
            make_run("graph_agent", {"a": 2.0, "b": 2.1, "x": 0}),
            make_run("naive_rag_agent", {"a": 2.0, "c": 2.1, "y": 0}),
        ]
    )
    assert merged[0].id == "a"


def test_the_scale_of_a_workers_scores_does_not_matter(make_run: MakeRun) -> None:
    graph = make_run("graph_agent", {"a": 0.3, "b": 0.2, "c": 0.1})
    small = make_run("naive_rag_agent", {"c": 0.03, "d": 0.02, "e": 0.01})
    large = make_run("naive_rag_agent", {"c": 300.0, "d": 200.0, "e": 100.0})
    assert [each.id for each in merge([graph, small])] == [each.id for each in merge([graph, large])]


@pytest.mark.parametrize("path_first", [True, False])
def test_the_way_to_a_passage_is_kept_whoever_came_first(make_run: MakeRun, path_first: bool) -> None:
    runs = [make_run("graph_agent", {"a": 1.0}, paths=("a",)), make_run("naive_rag_agent", {"a": 1.0})]
    (passage,) = merge(runs if path_first else runs[::-1])
    assert len(passage.path) == 1


def test_the_same_runs_in_any_order_are_ranked_alike(make_run: MakeRun) -> None:
    shuffled = random.Random(7)  # noqa: S311  (an order, not a secret)
    runs = [
        make_run(agent, {f"p{number}": shuffled.random() for number in shuffled.sample(range(30), 12)})
        for agent in AGENT_TYPES
    ]
    first = [(each.id, each.score) for each in merge(runs)]
    for _ in range(5):
        shuffled.shuffle(runs)
        assert [(each.id, each.score) for each in merge(runs)] == first


def test_it_is_bounded_in_number_and_length(make_run: MakeRun) -> None:
    many = {f"p{number:03}": float(number) for number in range(100)}
    assert len(merge([make_run("graph_agent", many), make_run("naive_rag_agent", many)])) == MAX_PASSAGES
    long = merge([make_run("graph_agent", many, text="x" * 4_000)])
    assert 0 < sum(len(passage.text) for passage in long) <= MAX_CHARACTERS
    assert long[0].id == "p099"


def test_one_passage_longer_than_all_may_be_is_still_evidence(make_run: MakeRun) -> None:
    assert len(merge([make_run("graph_agent", {"a": 1.0, "b": 0.5}, text="x" * (MAX_CHARACTERS + 1))])) == 1


def test_linked_entities_stand_once(make_run: MakeRun) -> None:
    nolan, zimmer = EntityRef(id="e1", name="Nolan"), EntityRef(id="e2", name="Zimmer")
    runs = [make_run(linked=(nolan,)), make_run("naive_rag_agent", linked=(zimmer, nolan)), make_run()]
    assert linked_entities(runs) == [nolan, zimmer]
