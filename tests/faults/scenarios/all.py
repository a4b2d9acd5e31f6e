"""All scenarios, in the order of the table."""

from typing import Final

from tests.faults.outcome import Scenario
from tests.faults.scenarios import client, graph, model, process, table, workflow

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *graph.SCENARIOS,
    *workflow.SCENARIOS,
    *table.SCENARIOS,
    *model.SCENARIOS,
    *client.SCENARIOS,
    *process.SCENARIOS,
)
