"""Values drawn from strategies, the same for the same seed."""

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from clew.local.project import find_project

T = TypeVar("T")


def drawn(strategy: SearchStrategy[T], count: int, number: int) -> list[T]:
    """At most ``count`` values, fewer where the strategy has no more; ``number`` is the seed.

    They are drawn before any is used: a failure is told of as it was found, not sought again in a smaller form,
    which would take minutes of a running service.
    """
    set_hypothesis_home_dir(find_project() / "build" / "hypothesis")
    found: list[T] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    try:
        collect()
    except Unsatisfiable:  # there are none, such as wrong bodies of a route that takes none
        return []
    return found[:count]
