"""``make bench-retrieval``: our workers beside the retrievers of neo4j-graphrag, on one corpus, in one run.

Tables go to standard output, progress to standard error, and all of it to build/bench-retrieval.json.
"""

import argparse
import contextlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import boto3
from moto import mock_aws
from rich.console import Console

from clew.cli.loading import loading_bar
from clew.errors import ClewError
from clew.evaluation.dataset import Query, read_corpus, read_queries
from clew.evaluation.metrics import Scores, scores
from clew.evaluation.retrieval import run_queries
from clew.graph.connection import connect
from clew.graph.schema import Neo4jSchema
from clew.knowledge.documents import Document
from clew.models.e5_embedder import E5Embedder
from clew.retrieval.graph_reader import GraphReader
from clew.retrieval.pool import AgentPool
from clew.routing.worker_name import AGENT_TYPES, WorkerName
from tests.bench import loading, peers
from tests.bench.corpus import KB, corpus_namespace, load_corpus
from tests.bench.figure import tell
from tests.bench.passage_vectors import RememberingEmbedder, vector_file
from tests.bench.rounds import ROUNDS
from tests.bench.tables import DOCUMENT, LOADING, RETRIEVAL, WITHOUT_TITLE_LINKS, Table, write_tables
from tests.integration.graph.engines import Engine, arcadedb
from tests.integration.graph.library import Library
from tests.integration.table import profiles_table
from tests.laptop import PROJECT
from tests.neo4j_server.artifacts import jars, java
from tests.neo4j_server.errors import FetchError, MissingToolError
from tests.neo4j_server.server import running

OUTPUT: Final = PROJECT / "build" / "bench-retrieval.json"
PARTS: Final = (1_000, 3_000)  # documents of the loads before the whole corpus
WIDTH: Final = 140  # of the tables, whatever the terminal has
SCORES: Final = ("R@5", "R@10", "all gold in 8", "MRR", "median ms", "p95 ms")


@dataclass(frozen=True)
class Row:
    """How one retriever did on one graph; ``source`` is whose it is."""

    graph: str
    source: str
    retriever: str
    scores: Scores

    def cells(self) -> tuple[str, ...]:
        each = self.scores
        shares = (each.recall_at_5, each.recall_at_10, each.all_gold_at_8, each.mrr)
        times = (each.median_ms, each.p95_ms)
        return (
            self.graph,
            self.source,
            self.retriever,
            *(f"{share:.3f}" for share in shares),
            *(f"{time:.0f}" for time in times),
        )

    def as_json(self) -> dict[str, Any]:
        return {"graph": self.graph, "of": self.source, "retriever": self.retriever, **self.scores.to_dict()}


def main() -> int:
    options = arguments()
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    try:
        tables, content = measure(options.dataset, options.limit, growth=options.growth)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"bench: {' '.join(map(str, error.cmd))} failed; what it says is above\n")
        return 1
    except (ClewError, MissingToolError, FetchError) as error:
        missing = "Missing: " if isinstance(error, MissingToolError) else ""
        sys.stderr.write(f"bench: {missing}{error}\n")
        return 1
    console = Console(width=WIDTH)
    for table in tables:
        console.print(table.on_terminal(), "")
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if options.write:
        write_tables(DOCUMENT, tables)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-retrieval", description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="folder with corpus.jsonl and queries.jsonl")
    parser.add_argument("--limit", type=int, default=0, help="only the first N questions")
    parser.add_argument("--no-growth", dest="growth", action="store_false", help="load the whole corpus only")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {DOCUMENT.relative_to(PROJECT)}")
    return parser.parse_args()


def measure(dataset: Path, limit: int, *, growth: bool) -> tuple[list[Table], dict[str, Any]]:
    """The tables, and all figures as they go to JSON."""
    if not peers.PYTHON.exists():
        raise MissingToolError(f"{peers.PYTHON}: make bench-retrieval makes it")
    java(), jars()  # what is missing shall not be missed after minutes of loading
    queries, corpus = read_queries(dataset, limit), read_corpus(dataset)
    loads, on_arcadedb = _on_arcadedb(dataset, len(corpus), queries, growth=growth)
    linked, unlinked, versions = _on_neo4j(dataset, corpus, queries)
    rows = {RETRIEVAL: on_arcadedb + linked, WITHOUT_TITLE_LINKS: unlinked}
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs"
    engines = ", ".join(f"{name} {version}" for name, version in versions.items())
    note = f"{len(queries)} questions, {len(corpus):,} documents; {machine}; {engines}."
    columns = ("graph", "of", "retriever", *SCORES)
    tables = [Table(name, columns, [row.cells() for row in found], 3, note) for name, found in rows.items()]
    content = {
        "machine": machine,
        "versions": versions,
        "rounds": ROUNDS,
        **{name: [row.as_json() for row in found] for name, found in rows.items()},
        LOADING: loads,
    }
    return [*tables, _load_table(loads)], content


def _on_arcadedb(
    dataset: Path, documents: int, queries: list[Query], *, growth: bool
) -> tuple[list[dict[str, Any]], list[Row]]:
    """The figures of loading parts of the corpus and then all of it, and how our workers do on the last."""
    loads: list[dict[str, Any]] = []
    for size in PARTS if growth else ():
        if size < documents:
            with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
                loads.append(loading.measure(dataset, size, Path(folder)))
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        loads.append(loading.measure(dataset, documents, Path(folder)))
        with arcadedb(Path(folder)) as engine:
            return loads, _workers(engine, "ArcadeDB", queries)


def _on_neo4j(
    dataset: Path, corpus: list[Document], queries: list[Query]
) -> tuple[list[Row], list[Row], dict[str, str]]:
    """How our workers and the library's retrievers do, with links by exact title and without, and all versions."""
    embedder = RememberingEmbedder(E5Embedder(), vector_file())
    rows: dict[bool, list[Row]] = {}
    with mock_aws(), _neo4j() as engine:
        library = Library(engine, profiles_table(boto3.Session()))
        for title_links in (True, False):
            tell(f"loading the corpus into Neo4j{'' if title_links else ', without links by exact title'}")
            with loading_bar(len(corpus)) as show:
                load_corpus(library, corpus, embedder, title_links=title_links, progress=show)
            ours = _workers(engine, "Neo4j", queries, title_links=title_links)
            tell("asking the retrievers of neo4j-graphrag")
            found = peers.measure(engine, corpus_namespace(title_links), dataset, queries)
            theirs = [Row("Neo4j", "neo4j-graphrag", name, each) for name, each in found.scores.items()]
            rows[title_links] = ours + theirs
        (component,) = engine.graph.read("CALL dbms.components() YIELD versions RETURN versions[0] AS version")
    embedder.save()
    versions = {"ArcadeDB": importlib.metadata.version("arcadedb"), "Neo4j": component["version"]}
    return rows[True], rows[False], versions | {"neo4j-graphrag": found.version}


def _workers(engine: Engine, graph: str, queries: list[Query], *, title_links: bool = True) -> list[Row]:
    """Ask every worker all questions; their vectors are made anew each time."""
    reader = GraphReader(engine.graph, engine.schema, corpus_namespace(title_links))
    pool = AgentPool(lambda _: reader, E5Embedder())
    rows: list[Row] = []
    for name in AGENT_TYPES:
        tell(f"asking {name} on {graph}")
        agent = pool.agent(WorkerName(KB, name))
        for _ in range(ROUNDS):
            outcomes = run_queries(agent, queries, lambda *_: None)
        rows.append(Row(graph, "Clew", name, scores(outcomes)))
    return rows


@contextlib.contextmanager
def _neo4j() -> Iterator[Engine]:
    """A Neo4j of this run alone."""
    with running() as server:
        graph = connect(server.uri, "neo4j", server.password, "neo4j")
        with contextlib.closing(graph):
            yield Engine("neo4j", graph, Neo4jSchema(graph), server.uri, "neo4j", "neo4j", server.password)


def _load_table(loads: list[dict[str, Any]]) -> Table:
    columns = ("documents", "chunks", "embedding s", "extraction s", "writing s", "rest s")
    columns += ("not embedding", "again s", "again writes", "loader MB", "graph MB")
    return Table(LOADING, columns, [_load_row(each) for each in loads], 0)


def _load_row(load: dict[str, Any]) -> tuple[str, ...]:
    ours = load["extraction_s"] + load["writing_s"] + load["others_s"]
    seconds = [f"{load[name]:,.1f}" for name in ("embedding_s", "extraction_s", "writing_s", "others_s")]
    again = (f"{load['again_s']:.1f}", str(load["again_writes"]))
    peaks = (f"{load['loader_peak_mb']:.0f}", f"{load['graph_peak_mb']:.0f}")
    share = f"{ours / (ours + load['embedding_s']):.0%}"
    return (f"{load['documents']:,}", f"{load['chunks']:,}", *seconds, share, *again, *peaks)


if __name__ == "__main__":
    sys.exit(main())
