"""Bringing scores of unlike origin onto one scale."""

from collections.abc import Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def standardised(scores: dict[K, float]) -> dict[K, float]:
    """Scores mapped to [0, 1] by their own least and greatest; all 1 when there is nothing to tell apart."""
    if not scores:
        return {}
    least, greatest = min(scores.values()), max(scores.values())
    if greatest - least < 1e-12:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - least) / (greatest - least) for key, score in scores.items()}


def weighted_sum(lists: list[tuple[float, dict[str, float]]]) -> dict[str, float]:
    """Per key the sum of each list's standardised score times the list's weight."""
    total: dict[str, float] = {}
    for weight, scores in lists:
        for key, score in standardised(scores).items():
            total[key] = total.get(key, 0.0) + weight * score
    return total


def best(scores: dict[str, float], count: int) -> dict[str, float]:
    """The ``count`` greatest, in order; equal scores in the order of their keys."""
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:count])
