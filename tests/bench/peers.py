"""Running the retrievers of neo4j-graphrag in their own environment, over the graph that our workers were asked."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from clew.evaluation.dataset import Query
from clew.evaluation.metrics import Outcome, Scores, scores
from clew.graph.namespace import Namespace
from infra.paths import LAYERS
from tests.integration.graph.engines import Engine
from tests.laptop import PROJECT

PYTHON: Final = PROJECT / "build" / "peers" / "bin" / "python"


@dataclass(frozen=True)
class Peers:
    """What the library's retrievers found, by name, and its version."""

    version: str
    scores: dict[str, Scores]


def measure(engine: Engine, namespace: Namespace, dataset: Path, queries: list[Query]) -> Peers:
    """Ask the retrievers the first ``len(queries)`` questions of the data set."""
    request = {
        "uri": engine.uri,
        "password": engine.password,
        "vector_index": engine.schema.vector_index(namespace.chunk_label),
        "chunk_label": namespace.chunk_label,
        "dataset": str(dataset.resolve()),
        "limit": len(queries),
    }
    done = subprocess.run(
        [PYTHON, "-m", "tests.bench.peer_retrievers"],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": str(LAYERS / "clew" / "python")},
        input=json.dumps(request),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return Peers(
        answer["version"],
        {name: scores(_outcomes(queries, records)) for name, records in answer["retrievers"].items()},
    )


def _outcomes(queries: list[Query], records: list[dict[str, Any]]) -> list[Outcome]:
    return [
        Outcome(query, tuple(record["documents"]), record["milliseconds"])
        for query, record in zip(queries, records, strict=True)
    ]
