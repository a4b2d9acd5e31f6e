"""``clew eval``: how good retrieval is on a data set of yours."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from clew.cli.loading import load_environment, loading_bar
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly

if TYPE_CHECKING:
    from clew.evaluation.metrics import Scores

evaluate = typer.Typer(help="Measure retrieval.", no_args_is_help=True, rich_markup_mode=None)

SCRATCH_TENANT = "evaluation"  # a tenant of its own, so that no question of a user is routed to a scratch corpus


@evaluate.command()
@failing_plainly
def retrieval(
    dataset: Annotated[Path, typer.Option("--dataset", help="Folder with corpus.jsonl and queries.jsonl.")],
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="NAME", help="A worker to measure, graph_agent if none is named; repeatable."),
    ] = None,
    kb: Annotated[str, typer.Option("--kb", help="Ask this knowledge base instead of loading corpus.jsonl.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=0, help="Only the first N questions; 0 for all.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose knowledge base --kb is.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Recall, rank and latency of retrieval workers on questions whose documents are known.

    corpus.jsonl: {"id", "title", "text"} a line; queries.jsonl: {"id", "question", "gold": [document ids]}.
    The corpus is loaded into a scratch knowledge base once; a second run finds it there.

    Example: clew eval retrieval --dataset data/mine --agent graph_agent --agent naive_rag_agent
    """
    from clew import wiring
    from clew.evaluation.dataset import read_corpus, read_queries
    from clew.evaluation.metrics import scores
    from clew.evaluation.retrieval import run_queries
    from clew.identifiers import short_digest
    from clew.retrieval.pool import AgentPool
    from clew.routing.knowledge_base import KnowledgeBaseSummary
    from clew.routing.worker_name import WorkerName, check_agent_type
    from clew.settings import IngestSettings

    agents = [check_agent_type(name) for name in agent or ["graph_agent"]]
    queries = read_queries(dataset, limit)
    with load_environment(data_dir):
        settings = IngestSettings.load()
        if kb:
            wiring.knowledge_bases(settings, tenant).get(kb)
        else:
            corpus = read_corpus(dataset)
            tenant, kb = SCRATCH_TENANT, f"eval-{short_digest(str(dataset.resolve()), length=8)}"
            summary = KnowledgeBaseSummary(prefix=kb, title=dataset.name)
            with loading_bar(len(corpus)) as show:
                wiring.ingest(settings, tenant, kb).load(corpus, summary, show)
        pool = AgentPool(lambda prefix: wiring.graph_reader(settings, tenant, prefix), wiring.embedder(settings))
        results: dict[str, Scores] = {}
        for name in agents:
            with loading_bar(len(queries)) as show:
                worker = pool.agent(WorkerName(kb, name))
                results[name] = scores(run_queries(worker, queries, partial(show, name)))
    if as_json:
        typer.echo(json.dumps({name: each.to_dict() for name, each in results.items()}, indent=2))
    else:
        Console(soft_wrap=True).print(_table(results))


def _table(results: "dict[str, Scores]") -> Table:
    table = Table("worker", "questions", "R@5", "R@10", "all@8", "MRR", "median ms", "p95 ms", box=None, pad_edge=False)
    for name, each in results.items():
        table.add_row(name, *(str(value) for value in each.to_dict().values()))
    return table
