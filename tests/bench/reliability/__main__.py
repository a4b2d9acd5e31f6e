"""``make bench-reliability``: every fault, load, and bad input on a stack of its own, beside a scripted chat model.

Tables go to standard output, progress to standard error; ``--write`` puts the tables into docs/reliability.md.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console

from tests.bench.figure import tell
from tests.bench.reliability import bad_input, faults, levels, overhead
from tests.bench.reliability.machine import Parts
from tests.bench.reliability.model_process import ModelProcess, model_process
from tests.bench.tables import Table, write_tables
from tests.faults.service import Deployed
from tests.faults.world import store_of
from tests.laptop import FIRST_START, PROJECT, running

DOCUMENT: Final = PROJECT / "docs" / "reliability.md"
SEARCHED_TOKENS: Final = 60
GENERAL_TOKENS: Final = 300  # six seconds: longer than the emulator takes to route what comes at once
PARTS: Final = ("overhead", "load", "faults", "bad-input")


def main() -> int:
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 200)
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder, model_process() as model:
        data = Path(folder) / ".clew"
        settings = {"CLEW_CHAT_MODEL": "openai", "CLEW_OPENAI_BASE_URL": model.url}
        with running(data, environment=settings) as run:
            tell("starting a stack with the demo")
            run.ready(FIRST_START)
            for table in measured(data, model, options):
                console.print(table.on_terminal())
                if options.write:
                    write_tables(DOCUMENT, [table])
                    tell(f"written into {DOCUMENT}")
    return 0


def measured(data: Path, model: ModelProcess, options: argparse.Namespace) -> Iterator[Table]:
    """One table after the other, each as soon as it is measured."""
    quick = options.quick
    deployed, parts = Deployed.read(data), Parts.of(data)
    note = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs."
    if "overhead" in options.parts:
        yield overhead.measure(deployed, model, parts, 4 if quick else 8)
    if "load" in options.parts:
        store, url = store_of(deployed), deployed.stack.url
        wanted = levels.QUICK if quick else levels.LEVELS
        for name, message, tokens in (
            ("load, searched", levels.SEARCHED, SEARCHED_TOKENS),
            ("load, general", levels.GENERAL, GENERAL_TOKENS),
        ):
            found = levels.measure(url, message, tokens, wanted, model, store, parts)
            yield levels.table(name, found, f"Milliseconds as p50 / p95 / p99; {tokens} tokens an answer. {note}")
        model.script(SEARCHED_TOKENS)
    if "faults" in options.parts:
        yield faults.measure(data, quick=quick)
    if "bad-input" in options.parts:
        yield bad_input.measure(deployed.stack.url, each=10 if quick else 40, answered=12 if quick else 30)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-reliability", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer questions and streams, and the faults of the tests")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/reliability.md")
    parser.add_argument("--only", dest="parts", choices=PARTS, nargs="+", default=PARTS, help="some parts alone")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
