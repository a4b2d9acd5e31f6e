"""``make bench``: latencies, start times, memory, bytes and imports of the laptop stack, beside the aims.

A table goes to standard output, progress to standard error, and all of it to build/bench.json.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from tests.bench import emulator, imports, latency, memory, packages, start
from tests.bench.figure import table
from tests.laptop import PROJECT

OUTPUT = PROJECT / "build" / "bench.json"


def main() -> int:
    options = arguments()
    figures = [*packages.measure(), *imports.measure(options.imports)]
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        started, run = start.measure(Path(folder) / ".clew")
        figures += started
        try:
            figures += latency.measure(run.stack, options.questions)
            figures += emulator.measure(run.stack, options.questions)
            figures += memory.measure(run.process.pid)
        finally:
            run.stop()
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs"
    sys.stdout.write(f"{table(figures)}\n{machine}; each question {options.questions} times\n")
    OUTPUT.parent.mkdir(exist_ok=True)
    content = {"machine": machine, "questions": options.questions, "figures": [each.as_json() for each in figures]}
    OUTPUT.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs: 5 questions instead of 30")
    options = parser.parse_args()
    options.questions, options.imports = (5, 3) if options.quick else (30, 5)
    return options


if __name__ == "__main__":
    sys.exit(main())
