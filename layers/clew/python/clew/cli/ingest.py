"""``clew ingest``: documents from files into a knowledge base."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.loading import load_environment, loading_bar
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly

if TYPE_CHECKING:
    from clew.routing.knowledge_base import KnowledgeBaseSummary


@failing_plainly
def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders: Markdown, text, JSONL.")],
    kb: Annotated[str, typer.Option("--kb", help="Prefix of the knowledge base; made if it is not there.")],
    title: Annotated[str, typer.Option("--title", help="What the knowledge base is called.")] = "",
    description: Annotated[
        str, typer.Option("--description", help="What can be asked of it; the router reads this.")
    ] = "",
    profile: Annotated[
        Path | None,
        typer.Option("--profile", help="File with title, description and examples; default: profile.toml in a PATH."),
    ] = None,
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
    from clew.settings import IngestSettings

    check_kb_prefix(kb)
    check_outside_id(tenant, "tenant")
    described = _described(profile, paths)
    documents = read_documents(paths)
    with load_environment(data_dir):
        settings = IngestSettings.load()
        known = wiring.knowledge_bases(settings, tenant).find(kb)
        summary = _summary(kb, described or known, title, description)
        with loading_bar(len(documents)) as show:
            report = wiring.ingest(settings, tenant, kb).load(documents, summary, show)
    typer.echo(
        f"{kb}: {report.added} added, {report.updated} updated, {report.unchanged} unchanged; now "
        f"{report.profile.documents} documents, {report.profile.chunks} chunks, "
        f"{report.profile.entities} entities, {report.profile.relations} relations."
    )


def _described(profile: Path | None, paths: list[Path]) -> "KnowledgeBaseSummary | None":
    """The description in the file named, else in the first folder that has one."""
    from clew.knowledge.profile_file import NAME, read_profile

    found = profile or next((path / NAME for path in paths if (path / NAME).is_file()), None)
    return read_profile(found) if found else None


def _summary(kb: str, described: "KnowledgeBaseSummary | None", title: str, description: str) -> "KnowledgeBaseSummary":
    """What the options say, over what is described already."""
    from clew.routing.knowledge_base import KnowledgeBaseSummary

    fields = {name: getattr(described, name) for name in KnowledgeBaseSummary.model_fields} if described else {}
    fields |= {name: value for name, value in (("title", title), ("description", description)) if value}
    return KnowledgeBaseSummary(**{"title": kb, **fields, "prefix": kb})
