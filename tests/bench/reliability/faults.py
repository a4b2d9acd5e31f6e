"""Every fault once, each as a row: what the client saw, what the table holds, how long it took."""

import dataclasses
from pathlib import Path
from typing import Final

from tests.bench.figure import tell
from tests.bench.tables import Table
from tests.faults.scenarios.all import SCENARIOS
from tests.faults.world import FULL, QUICK, world

NAME: Final = "faults"
COLUMNS: Final = ("what", "fault", "the client saw", "the table holds", "besides", "seconds")


def measure(data: Path, *, quick: bool) -> Table:
    """Run all scenarios, with ``quick`` those that the tests run; what does not hold ends the run."""
    pace = QUICK if quick else FULL
    rows = []
    with world(data, pace) as injected:
        for scenario in SCENARIOS:
            if quick and not scenario.quick:
                continue
            name = scenario.name.format(**dataclasses.asdict(pace))
            tell(f"fault: {scenario.group}: {name}")
            outcome = scenario.run(injected)
            rows.append((scenario.group, name, outcome.client, outcome.store, outcome.note, f"{outcome.seconds:.1f}"))
    return Table(NAME, COLUMNS, rows, words=5)
