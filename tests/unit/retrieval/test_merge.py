"""Merging: one ranked list within bounds, that remembers who found what."""

import random
from collections.abc import Callable

import pytest

from clew.retrieval.evidence import EntityRef, Evidence, Fact, Passage, RetrievalRun
from clew.retrieval.merge import MAX_PASSAGES, MAX_TOKENS
from clew.retrieval.merge import merge as merged_evidence
from clew.routing.worker_name import AGENT_TYPES
from clew.text.tokens import estimate_tokens

MakeRun = Callable[..., RetrievalRun]


def merge(runs: list[RetrievalRun]) -> list[Passage]:
    return list(merged_evidence(runs).passages)


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


def test_a_list_of_words_and_meaning_does_not_outvote_the_graph(make_run: MakeRun) -> None:
    """The second hop is found by the graph alone; weighed alike, what the others agree on would push it out."""
    graph = make_run("graph_agent", {"hop": 1.0, "a": 0.5, "z": 0.0})
    words = make_run("naive_rag_agent", {"b": 1.0, "a": 0.4, "c": 0.0})
    assert [passage.id for passage in merge([graph, words])][:1] == ["hop"]
    ranked = [passage.id for passage in merge([graph, words])]
    assert ranked.index("hop") < ranked.index("b")


def test_it_is_bounded_in_number_and_tokens(make_run: MakeRun) -> None:
    many = {f"p{number:03}": float(number) for number in range(100)}
    assert len(merge([make_run("graph_agent", many), make_run("naive_rag_agent", many)])) == MAX_PASSAGES
    for text in ("word " * 800, "字" * 900):
        kept = merge([make_run("graph_agent", many, text=text)])
        assert 1 < len(kept) < MAX_PASSAGES
        assert sum(estimate_tokens(passage.text) for passage in kept) <= MAX_TOKENS
        assert kept[0].id == "p099"


def test_a_budget_of_the_callers_holds(make_run: MakeRun) -> None:
    runs = [make_run("graph_agent", {"a": 3.0, "b": 2.0, "c": 1.0}, text="word " * 100)]
    assert [len(merged_evidence(runs, max_tokens).passages) for max_tokens in (50, 250, 1_000)] == [1, 2, 3]


def test_a_passage_that_does_not_fit_is_passed_over_for_shorter_ones(make_run: MakeRun) -> None:
    long = make_run("graph_agent", {"a": 3.0, "b": 2.0}, text="word " * 2_500)
    short = make_run("deep_research_agent", {"c": 0.5, "d": 0.0}, text="word " * 100)
    assert [passage.id for passage in merge([long, short])] == ["a", "c", "d"]


def test_one_passage_longer_than_all_may_be_is_still_evidence(make_run: MakeRun) -> None:
    text = "word " * (MAX_TOKENS + 1)
    assert len(merge([make_run("graph_agent", {"a": 1.0, "b": 0.5}, text=text)])) == 1


def test_linked_entities_stand_once(make_run: MakeRun) -> None:
    nolan, zimmer = EntityRef(id="e1", name="Nolan"), EntityRef(id="e2", name="Zimmer")
    runs = [make_run(linked=(nolan,)), make_run("naive_rag_agent", linked=(zimmer, nolan)), make_run()]
    assert merged_evidence(runs).reference.linked == (nolan, zimmer)


def test_facts_stand_once_and_only_with_evidence_for_them(make_run: MakeRun) -> None:
    stated = Fact(source="Inception", relation="DIRECTED_BY", target="Nolan", said="…", passage_ids=("a",))
    unstated = Fact(source="Inception", relation="SCORED_BY", target="Zimmer", said="…", passage_ids=("gone",))
    runs = [make_run(scores={"a": 1.0}, facts=(stated, unstated)), make_run(scores={"a": 1.0}, facts=(stated,))]
    assert merged_evidence(runs).reference.facts == (stated,)


def test_a_fact_that_two_workers_tell_is_told_as_the_first_of_them_tells_it(make_run: MakeRun) -> None:
    def fact(target: str, said: str, *passage_ids: str) -> Fact:
        return Fact(source="Inception", relation="CO_MENTION", target=target, said=said, passage_ids=passage_ids)

    runs = [
        make_run(scores={"a": 1.0, "b": 0.5}, facts=(fact("Nolan", "first", "a", "gone", "b"),)),
        make_run(scores={"a": 1.0}, facts=(fact("Zimmer", "only", "a"), fact("Nolan", "second", "a"))),
    ]
    wanted = (fact("Nolan", "first", "a", "b"), fact("Zimmer", "only", "a"))
    assert merged_evidence(runs).reference.facts == wanted


def test_the_evidence_has_the_three_parts_of_an_agents_contract(make_run: MakeRun) -> None:
    evidence = merged_evidence([make_run(scores={"a": 1.0, "b": 0.5})])
    assert evidence.context == "a\nSome text.\n\nb\nSome text."
    trace = evidence.as_trace()
    assert [each["id"] for each in trace["retrieval_results"]] == ["a", "b"]
    assert Evidence(passages=trace["retrieval_results"], reference=trace["reference"]) == evidence
