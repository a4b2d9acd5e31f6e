"""``clew ingest``: documents from files into a knowledge base."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from clew.cli.loading import load_environment, loading_bar
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly
from clew.errors import DocumentError, InvalidRequestError

if TYPE_CHECKING:
    from clew.knowledge.documents import Documents
    from clew.knowledge.ingest import LoadReport
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
    on_error: Annotated[
        Literal["stop", "skip"],
        typer.Option("--on-error", help="At a document that cannot be loaded: stop with nothing loaded, or skip it."),
    ] = "stop",
    encoding: Annotated[
        str, typer.Option("--encoding", help="Encoding of the files, such as gb18030 or utf-16.")
    ] = "utf-8",
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents of the knowledge base that are not among the files.")
    ] = False,
    extraction: Annotated[
        Literal["rule", "bedrock"],
        typer.Option("--extraction", help="Entities and relations by rule, or by a model on Bedrock."),
    ] = "rule",
    summaries: Annotated[
        Literal["extract", "bedrock"],
        typer.Option("--summaries", help="Summaries of communities from sentences, or by a model on Bedrock."),
    ] = "extract",
    tenant: Annotated[str, typer.Option("--tenant", help="Whose knowledge base it is.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Load documents into a knowledge base. Loading the same files again changes nothing.

    Markdown and text files are one document each; a line of a JSONL file is one:
    {"id": "…", "title": "…", "text": "…", "source": "…"}. Every file is checked before anything is
    written. A load that broke off goes on where it stopped when it is repeated.

    Example: clew ingest handbook/ --kb hr --title "Staff handbook" --description "Leave, pay, travel."
    """
    from clew import wiring
    from clew.identifiers import check_kb_prefix, check_outside_id
    from clew.settings import IngestSettings

    check_kb_prefix(kb)
    check_outside_id(tenant, "tenant")
    described = _described(profile, paths)
    documents = _read(paths, encoding, on_error)
    if prune and documents.skipped:
        raise InvalidRequestError(
            f"--prune would remove the {documents.skipped} documents that could not be read, if they are loaded. "
            "Mend them, or leave out --prune. Nothing was loaded."
        )
    with load_environment(data_dir):
        settings = IngestSettings.load()
        known = wiring.stores.knowledge_bases(settings, tenant).find(kb)
        summary = _summary(kb, described or known, title, description)
        loader = wiring.loading.ingest(settings, tenant, kb, extraction=extraction, summaries=summaries)
        with loading_bar(len(documents)) as show:
            report = loader.load(documents, summary, show, prune=prune)
    typer.echo(_told(kb, report, documents.skipped, prune))


def _read(paths: list[Path], encoding: str, on_error: Literal["stop", "skip"]) -> "Documents":
    """The documents, checked; those that are skipped are told on standard error."""
    from clew.knowledge.documents import read_documents

    try:
        documents = read_documents(paths, encoding=encoding, on_error=on_error)
    except DocumentError as error:
        raise InvalidRequestError(f"{error} Nothing was loaded.") from error
    for problem in documents.problems:
        typer.echo(f"skipped {problem}", err=True)
    if documents.skipped > len(documents.problems):
        typer.echo(f"… and {documents.skipped - len(documents.problems)} more", err=True)
    if not len(documents):
        raise InvalidRequestError("None of the files holds a document that can be loaded.")
    return documents


def _told(kb: str, report: "LoadReport", skipped: int, prune: bool) -> str:
    counts = {"added": report.added, "updated": report.updated, "unchanged": report.unchanged}
    counts |= {"removed": report.removed} if prune else {}
    counts |= {"skipped": skipped} if skipped else {}
    return (
        f"{kb}: {', '.join(f'{count} {name}' for name, count in counts.items())}; now "
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
