"""``clew eval``: how good retrieval, routing and memory are on a data set of yours."""

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from clew.cli.loading import load_environment, loading_bar
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly

if TYPE_CHECKING:
    from clew.evaluation.context_growth import ContextTokens
    from clew.evaluation.memory import TurnRecall
    from clew.evaluation.metrics import Scores
    from clew.evaluation.routing import LabelledMessage, RoutedMessage, RoutingScores
    from clew.routing.decision import RouteDecision

evaluate = typer.Typer(help="Measure retrieval, routing and memory.", no_args_is_help=True, rich_markup_mode=None)

SCRATCH_TENANT = "evaluation"  # a tenant of its own, so that no question of a user is routed to a scratch corpus


@evaluate.command()
@failing_plainly
def retrieval(
    dataset: Annotated[Path, typer.Option("--dataset", help="Folder with corpus.jsonl and queries.jsonl.")],
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="NAME", help="A worker to measure, all five if none is named; repeatable."),
    ] = None,
    kb: Annotated[str, typer.Option("--kb", help="Ask this knowledge base instead of loading corpus.jsonl.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=0, help="Only the first N questions; 0 for all.")] = 0,
    no_title_links: Annotated[
        bool, typer.Option("--no-title-links", help="Load the corpus without links by the exact titles of documents.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose knowledge base --kb is.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Recall, rank and latency of retrieval workers on questions whose documents are known.

    corpus.jsonl: {"id", "title", "text"} a line; queries.jsonl: {"id", "question", "gold": [document ids]}.
    The corpus is loaded into a scratch knowledge base once; a second run finds it there. With --no-title-links it
    is another one, in which documents are linked by the names in their running text alone.

    Example: clew eval retrieval --dataset data/mine --agent graph_agent --agent naive_rag_agent
    """
    from clew import wiring
    from clew.errors import InvalidRequestError
    from clew.evaluation.dataset import read_corpus, read_queries
    from clew.evaluation.metrics import scores
    from clew.evaluation.retrieval import run_queries
    from clew.identifiers import short_digest
    from clew.routing.knowledge_base import KnowledgeBaseSummary
    from clew.routing.worker_name import AGENT_TYPES, WorkerName, check_agent_type
    from clew.settings import IngestSettings, RetrievalSettings

    if kb and no_title_links:
        raise InvalidRequestError("--no-title-links is about loading corpus.jsonl; leave out --kb.")
    agents = [check_agent_type(name) for name in agent or AGENT_TYPES]
    queries = read_queries(dataset, limit)
    with load_environment(data_dir):
        settings = IngestSettings.load()
        if kb:
            wiring.stores.knowledge_bases(settings, tenant).get(kb)
        else:
            corpus = read_corpus(dataset)
            tenant, kb = SCRATCH_TENANT, f"eval-{short_digest(str(dataset.resolve()), length=8)}"
            if no_title_links:
                kb += "-no-title-links"
            summary = KnowledgeBaseSummary(prefix=kb, title=dataset.name)
            with loading_bar(len(corpus)) as show:
                wiring.loading.ingest(settings, tenant, kb, title_links=not no_title_links).load(corpus, summary, show)
        pool = wiring.retrieval.agent_pool(RetrievalSettings.load(), tenant)
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


@evaluate.command()
@failing_plainly
def routing(
    dataset: Annotated[Path, typer.Option("--dataset", help="File of labelled messages, one JSON object a line.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    tenant: Annotated[
        str, typer.Option("--tenant", help="Whose knowledge bases there are to choose from.")
    ] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """How often the router finds the right knowledge base, and plans the right worker.

    A line: {"message", "expected_kb"}, where "general" stands for none, and if you like "expected_agent", a worker
    that should be in the plan, and "requested_kb", what the caller asks for. With CLEW_KB_CHOOSER=bedrock a model is
    asked where the router would ask it.

    Example: clew eval routing --dataset data/messages.jsonl --json
    """
    from clew import wiring
    from clew.evaluation.routing import read_messages, route_messages, routing_scores
    from clew.routing.router import route
    from clew.settings import RouterSettings

    messages = read_messages(dataset)
    with load_environment(data_dir):
        settings = RouterSettings.load()
        knowledge_bases = wiring.stores.knowledge_bases(settings, tenant).list()

        def router(label: "LabelledMessage") -> "RouteDecision":
            return route(
                label.message,
                requested_kb_prefix=label.requested_kb,
                agent_type="",
                knowledge_bases=knowledge_bases,
                embedder=wiring.models.embedder(settings),
                auto_route=True,
                chooser=wiring.retrieval.kb_chooser(settings),
            )

        with loading_bar(len(messages)) as show:
            found = routing_scores(route_messages(messages, router, partial(show, "routing")))
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
        return
    console = Console(soft_wrap=True, highlight=False)
    console.print(_figures(found))
    console.print(_confusion(found))
    for each in found.wrong:
        console.print(_told(each))


def _figures(found: "RoutingScores") -> str:
    figures = [f"accuracy {found.accuracy:.3f} of {found.messages}"]
    if found.agent_accuracy is not None:
        figures.append(f"expected worker planned {found.agent_accuracy:.3f} of {found.with_agent}")
    if found.general_to_kb is not None:
        figures.append(f"general to a knowledge base {found.general_to_kb:.3f} of {found.general}")
    if found.runs is not None:
        figures.append(f"runs a plan {found.runs:.2f}")
    return "\n".join(figures) + "\n"


def _confusion(found: "RoutingScores") -> Table:
    columns = sorted({got for row in found.confusion.values() for got in row} | set(found.confusion))
    table = Table("expected", *map(escape, columns), box=None, pad_edge=False)
    for expected, row in found.confusion.items():
        table.add_row(escape(expected), *(str(row.get(got, 0)) for got in columns))
    return table


def _told(each: "RoutedMessage") -> str:
    """One line on a message that went wrong: what it got, what was expected, and why."""
    message, decision = each.label.message, each.decision
    if not each.found_kb:
        return escape(f"{message!r}: {decision.kb_prefix}, not {each.label.expected_kb}. {decision.reason}")
    planned = " and ".join(each.agents) or "no worker"
    return escape(f"{message!r}: {planned}, not {each.label.expected_agent}. {decision.plan_reason}")


@evaluate.command()
@failing_plainly
def memory(
    dataset: Annotated[Path, typer.Option("--dataset", help="Folder with conversations.jsonl and queries.jsonl.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Which turns of long conversations are recalled, and what of a prompt their history takes.

    conversations.jsonl: {"id", "turns": [{"id", "speaker", "text", "time"?}]} a line; queries.jsonl:
    {"conversation_id", "question", "gold": [turn ids]}. The first table has the mean share of a question's turns among
    the first 5, 10 and 20: by words, by meaning, and fused as memory does it. The second has the tokens that history
    takes of a prompt after so many rounds. Needs no running stack; the embedder is e5 unless CLEW_EMBEDDER names
    another.

    Example: clew eval memory --dataset tests/data/dialogues
    """
    from clew import wiring
    from clew.evaluation.context_growth import context_growth
    from clew.evaluation.dialogues import read_dialogues
    from clew.evaluation.memory import recall_turns, turn_recall
    from clew.memory.extractive_summary import ExtractiveSummariser
    from clew.settings import EmbedderSettings

    dialogues = read_dialogues(dataset)
    settings = EmbedderSettings.load(**({} if os.environ.get("CLEW_EMBEDDER") else {"embedder": "e5"}))
    with loading_bar(len(dialogues.questions)) as show:
        found = turn_recall(dialogues, recall_turns(dialogues, wiring.models.embedder(settings), show))
        growth = context_growth(dialogues.conversations, ExtractiveSummariser())
    if as_json:
        told = found.to_dict() | {"context": [each.to_dict() for each in growth]}
        typer.echo(json.dumps(told, indent=2))
        return
    console = Console(soft_wrap=True, highlight=False)
    console.print(f"{found.questions} questions, {found.turns} turns, {found.conversations} conversations\n")
    console.print(_recall_table(found))
    console.print(_growth_table(growth))


def _recall_table(found: "TurnRecall") -> Table:
    depths = next(iter(found.recall.values()))
    table = Table("turns by", *(f"R@{depth}" for depth in depths), box=None, pad_edge=False)
    for way, shares in found.recall.items():
        table.add_row(way, *(f"{share:.3f}" for share in shares.values()))
    return table


def _growth_table(growth: "list[ContextTokens]") -> Table:
    columns = ("rounds", "conversations", "everything", "history", "summary", "episodes", "window")
    table = Table(*columns, title="\ntokens after so many rounds", title_justify="left", box=None, pad_edge=False)
    for each in growth:
        table.add_row(*map(str, each.to_dict().values()))
    return table
