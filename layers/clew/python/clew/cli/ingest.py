"""``clew ingest``: documents from files into a knowledge base."""

import contextlib
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly


@failing_plainly
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: Markdown, text, JSONL.")],
    kb: Annotated[str, typer.Option("--kb", help="Prefix of the knowledge base; made if it is not there.")],
    title: Annotated[str, typer.Option("--title", help="What the knowledge base is called.")] = "",
    description: Annotated[
        str, typer.Option("--description", help="What can be asked of it; the router reads this.")
    ] = "",
    tenant: Annotated[str, typer.Option("--tenant", help="Whose knowledge base it is.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Load documents into a knowledge base. Loading the same files again changes nothing.

    Markdown and text files are one document each; a line of a JSONL file is one:
    {"id": "…", "title": "…", "text": "…", "source": "…"}. Every file is read before anything is
    written, so an unreadable one stops the load with nothing changed.

    Example: clew ingest handbook/ --kb hr --title "Staff handbook" --description "Leave, pay, travel."
    """
    from clew import wiring
    from clew.identifiers import check_kb_prefix, check_outside_id
    from clew.knowledge.documents import read_documents
    from clew.routing.knowledge_base import KnowledgeBaseSummary
    from clew.settings import IngestSettings

    check_kb_prefix(kb)
    check_outside_id(tenant, "tenant")
    documents = read_documents(paths)
    with _environment(data_dir):
        settings = IngestSettings.load()
        known = wiring.knowledge_bases(settings, tenant).find(kb)
        summary = KnowledgeBaseSummary(
            prefix=kb,
            title=title or (known.title if known else kb),
            title_zh=known.title_zh if known else "",
            description=description or (known.description if known else ""),
            description_zh=known.description_zh if known else "",
            examples=known.examples if known else (),
        )
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, disable=bool(os.environ.get("CI"))) as bar:
            task = bar.add_task("reading", total=len(documents))

            def show(step: str, done: int, total: int) -> None:
                bar.update(task, description=step, completed=done, total=total)

            report = wiring.ingest(settings, tenant, kb).load(documents, summary, show)
    typer.echo(
        f"{kb}: {report.added} added, {report.updated} updated, {report.unchanged} unchanged; now "
        f"{report.profile.documents} documents, {report.profile.chunks} chunks, "
        f"{report.profile.entities} entities, {report.profile.relations} relations."
    )


def _environment(data_dir: Path) -> contextlib.AbstractContextManager[None]:
    """The shell's own settings where it names a table (a stage on AWS), else the stack on this machine."""
    from clew.local.environment import applied, ingest_environment
    from clew.local.running_stack import RunningStack

    if os.environ.get("CLEW_TABLE_NAME"):
        return contextlib.nullcontext()
    return applied(ingest_environment(RunningStack.read(data_dir)))
