"""The faults that take little time, on the stack that all tests share; ``make bench-reliability`` has them all."""

from collections.abc import Iterator

import pytest

from tests.e2e.service import SharedStack
from tests.faults.outcome import Scenario
from tests.faults.scenarios.all import SCENARIOS
from tests.faults.world import QUICK, World, world


@pytest.fixture(scope="module")
def injected(stack: SharedStack) -> Iterator[World]:
    """Proxies and a scripted chat model for the whole module; each scenario leaves them as it found them."""
    with world(stack.data, QUICK) as made:
        yield made


def named(scenario: Scenario) -> str:
    return f"{scenario.group}-{scenario.run.__name__}"


@pytest.mark.parametrize("scenario", [each for each in SCENARIOS if each.quick], ids=named)
def test_a_stream_ends_well_and_the_conversation_holds_the_truth(scenario: Scenario, injected: World) -> None:
    scenario.run(injected)  # which checks what has to hold
