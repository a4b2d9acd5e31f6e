"""Progress where nobody watches a bar: a few lines for a long step, one for a short one."""

import pytest

from clew.cli.loading import Lines


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def show(said: list[str], clock: Clock) -> Lines:
    return Lines(said.append, clock)


def test_a_long_step_is_told_at_every_tenth_with_its_pace(show: Lines, said: list[str], clock: Clock) -> None:
    for done in range(0, 1_001, 10):
        show("loading", done, 1_000)
        clock.now += 0.5
    assert len(said) == 10
    assert said[0] == "loading: 100 of 1000, 20/s, 45 s left"
    assert said[-1] == "loading: 1000 of 1000, 20/s in 50 s"


def test_a_short_step_is_told_once_at_its_end(show: Lines, said: list[str]) -> None:
    for done in range(4):
        show("comparing", done, 3)
    show("comparing", 3, 3)
    assert said == ["comparing: 3 of 3"]


def test_each_step_counts_for_itself(show: Lines, said: list[str], clock: Clock) -> None:
    show("comparing", 5, 5)
    show("loading", 0, 5)
    clock.now += 300
    show("loading", 1, 5)
    show("loading", 5, 5)
    assert said == ["comparing: 5 of 5", "loading: 1 of 5, 0.0/s, 20 min left", "loading: 5 of 5, 0.0/s in 5 min"]


def test_a_step_with_nothing_to_do_says_nothing(show: Lines, said: list[str], clock: Clock) -> None:
    for _ in range(3):
        show("loading", 0, 0)
        clock.now += 2
    assert said == []
