"""Loading a corpus in a process of its own: seconds by part, and the peak of its memory.

Started by ``tests.bench.retrieval``; prints one JSON object.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import boto3
from moto import mock_aws

from clew.cli.loading import loading_bar
from clew.evaluation.dataset import read_corpus
from clew.knowledge.documents import DocumentSource
from clew.models.e5_embedder import E5Embedder
from tests.bench.corpus import Load, load_corpus
from tests.bench.figure import tell
from tests.bench.memory import descendants
from tests.bench.passage_vectors import RememberingEmbedder, vector_file
from tests.integration.graph.engines import arcadedb
from tests.integration.graph.library import Library
from tests.integration.table import profiles_table
from tests.laptop import PROJECT


def measure(dataset: Path, documents: int, folder: Path) -> dict[str, Any]:
    """Load the first ``documents`` in a fresh process, into the ArcadeDB in ``folder``; the figures of it."""
    tell(f"loading {documents:,} documents into ArcadeDB, in a fresh process")
    command = [sys.executable, "-m", "tests.bench.loading", str(dataset), str(documents), str(folder)]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.bench.loading", description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("documents", type=int)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    corpus = _first(options.dataset, options.documents, options.folder)
    e5 = E5Embedder()
    remembering = RememberingEmbedder(e5, vector_file())
    with arcadedb(options.folder) as engine, mock_aws(), loading_bar(len(corpus)) as show:
        library = Library(engine, profiles_table(boto3.Session()))
        first = load_corpus(library, corpus, remembering, progress=show)
        second = load_corpus(library, corpus, remembering)
        remembering.save()
        record = {
            "documents": first.documents,
            "chunks": first.chunks,
            "entities": first.entities,
            "relations": first.relations,
            "embedding_s": round(_embedding_seconds(first, e5), 1),
            "extraction_s": round(first.extraction, 1),
            "writing_s": round(first.writing, 1),
            "others_s": round(first.others, 1),
            "again_s": round(second.total, 1),
            "again_writes": second.writes,
            "loader_peak_mb": round(_own_peak(), 1),
            "graph_peak_mb": round(sum(map(_peak, descendants(os.getpid())[1:])), 1),
        }
    json.dump(record, sys.stdout)
    return 0


def _first(dataset: Path, documents: int, folder: Path) -> DocumentSource:
    """The first documents as a data set of their own, since what is loaded is read from a file, never kept."""
    with (dataset / "corpus.jsonl").open(encoding="utf-8") as lines:
        (folder / "corpus.jsonl").write_text("".join(islice(lines, documents)), encoding="utf-8")
    return read_corpus(folder)


def _embedding_seconds(load: Load, embedder: E5Embedder) -> float:
    """What embedding all of the load takes, from a sample embedded now; its own time is that of remembering."""
    sample = load.sample()
    embedder.embed_passages(sample[:2])  # the model is loaded with the first text
    began = time.perf_counter()
    embedder.embed_passages(sample)
    took = time.perf_counter() - began
    return took * load.characters / sum(map(len, sample))


def _own_peak() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def _peak(pid: int) -> float:
    """The most that a process had resident, in MB; 0 where the system does not tell, or it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM:")), 0.0)


if __name__ == "__main__":
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    sys.exit(main())
