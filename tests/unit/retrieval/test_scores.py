"""Scores of unlike origin on one scale."""

import pytest

from clew.retrieval.scores import best, standardised, weighted_sum


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ({}, {}),
        ({"a": 7.0}, {"a": 1.0}),
        ({"a": 2.0, "b": 2.0}, {"a": 1.0, "b": 1.0}),
        ({"a": 3.0, "b": 1.0, "c": 2.0}, {"a": 1.0, "b": 0.0, "c": 0.5}),
        ({"a": -1.0, "b": -3.0}, {"a": 1.0, "b": 0.0}),
        ({"a": 1e-15, "b": 0.0}, {"a": 1.0, "b": 1.0}),
    ],
)
def test_scores_lie_between_0_and_1(scores: dict[str, float], wanted: dict[str, float]) -> None:
    assert standardised(scores) == pytest.approx(wanted)


def test_the_scale_of_a_list_does_not_matter() -> None:
    bm25, cosine = {"a": 40.0, "b": 12.0, "c": 3.0}, {"a": 0.9, "b": 0.88, "d": 0.7}
    scaled = {key: score * 1_000 for key, score in bm25.items()}
    assert weighted_sum([(0.5, bm25), (0.5, cosine)]) == pytest.approx(weighted_sum([(0.5, scaled), (0.5, cosine)]))


def test_what_two_lists_know_scores_more_than_what_one_does() -> None:
    total = weighted_sum([(0.5, {"a": 2.0, "b": 3.0, "c": 1.0}), (0.5, {"a": 2.0, "d": 3.0, "e": 1.0})])
    assert total["a"] == pytest.approx(0.5)
    assert set(total) == {"a", "b", "c", "d", "e"}
    assert total["b"] == pytest.approx(total["d"])


def test_the_best_come_in_order_and_ties_in_the_order_of_their_keys() -> None:
    scores = {"d": 1.0, "b": 2.0, "c": 1.0, "a": 0.5}
    assert list(best(scores, 3)) == ["b", "c", "d"]
    assert list(best(dict(reversed(scores.items())), 3)) == ["b", "c", "d"]
    assert best(scores, 0) == {}
    assert len(best(scores, 9)) == 4
