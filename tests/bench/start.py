"""How long ``clew up`` takes until it is ready: the first time with everything, and the second."""

import re
import time
from pathlib import Path

from tests.bench.figure import Figure, tell
from tests.laptop import FIRST_START, LaptopRun

GROUP = "clew up, from the command to ready"
READY_AGAIN = 20.0
_STEP = re.compile(r"^✓ (.+?) ([\d.]+) s$", re.MULTILINE)


def measure(data: Path) -> tuple[list[Figure], LaptopRun]:
    """The figures, and the second run, still running."""
    tell("starting the stack for the first time, with the demo")
    first, run = timed(data)
    run.stop()
    tell("starting it again")
    second, run = timed(data)
    figures = [
        Figure(GROUP, "first time, demo loaded", first, "s"),
        Figure(GROUP, "second time", second, "s", aim=READY_AGAIN),
    ]
    figures += [Figure(GROUP, f"  {name}", float(seconds), "s") for name, seconds in _STEP.findall(run.output)]
    return figures, run


def timed(data: Path) -> tuple[float, LaptopRun]:
    began = time.perf_counter()
    run = LaptopRun(data)
    run.ready(FIRST_START)
    return round(time.perf_counter() - began, 1), run
