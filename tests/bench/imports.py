"""What importing each handler costs: in time and in modules, in fresh interpreters."""

import json
import os
import statistics
import subprocess
import sys

from infra.paths import FUNCTIONS, LAYERS
from tests.bench.figure import Figure, of_runs, tell

GROUP = "import in a fresh interpreter"
FLOOR = "import boto3, aws_lambda_powertools"
_CODE = """
import sys, time
before, began = len(sys.modules), time.perf_counter()
{statement}
import json
print(json.dumps([1000 * (time.perf_counter() - began), len(sys.modules) - before]))
"""


def measure(runs: int) -> list[Figure]:
    tell("importing the handlers")
    figures = _figures("floor: boto3 and powertools", FLOOR, "", runs)
    for folder in sorted(path for path in FUNCTIONS.iterdir() if path.is_dir() and path.name[0] not in "._"):
        module = "app" if (folder / "app.py").exists() else "handler"
        figures += _figures(folder.name, f"import {module}", str(folder), runs)
    return figures


def _figures(name: str, statement: str, folder: str, runs: int) -> list[Figure]:
    # The first run writes compiled files and is not counted.
    found = [_fresh(statement, folder) for _ in range(runs + 1)][1:]
    modules = statistics.median(count for _, count in found)
    return [
        of_runs(GROUP, name, [milliseconds for milliseconds, _ in found]),
        Figure(GROUP, f"{name}: modules", modules, ""),
    ]


def _fresh(statement: str, folder: str) -> tuple[float, int]:
    path = os.pathsep.join(part for part in (folder, str(LAYERS / "clew" / "python")) if part)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", _CODE.format(statement=statement)],
        env=environment | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    milliseconds, modules = json.loads(done.stdout)
    return milliseconds, modules
