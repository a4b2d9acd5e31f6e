"""``clew kb``: which knowledge bases there are, what is in one, and taking things out."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from clew.cli.loading import load_environment, loading_bar
from clew.cli.options import (
    DEFAULT_DATA_DIR,
    DEFAULT_USER,
    DataDir,
    Token,
    Url,
    User,
    failing_plainly,
    service,
)
from clew.errors import UnknownKnowledgeBaseError
from clew.identifiers import check_kb_prefix, check_outside_id

if TYPE_CHECKING:
    from clew.knowledge.ingest import Ingest

kb = typer.Typer(help="Look at the knowledge bases, and take things out.", no_args_is_help=True, rich_markup_mode=None)

WIDTH = 16  # of the column of names
COUNTS = ("documents", "chunks", "entities", "relations")

Prefix = Annotated[str, typer.Argument(help="The knowledge base's prefix.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose knowledge base it is.")]


@kb.command("list")
@failing_plainly
def list_(url: Url = "", token: Token = "", user: User = DEFAULT_USER, data_dir: DataDir = DEFAULT_DATA_DIR) -> None:
    """List the knowledge bases.

    Example: clew kb list
    """
    found = _knowledge_bases(url, token, user, data_dir)
    if not found:
        typer.echo("No knowledge base is loaded. Load one: clew ingest PATH --kb PREFIX")
        return
    table = Table("prefix", "title", *COUNTS, "state", box=None, pad_edge=False)
    for each in found:
        counts = (str(each[name]) for name in COUNTS)
        table.add_row(each["prefix"], escape(each["title"]), *counts, each["index_state"])
    Console(soft_wrap=True).print(table)


@kb.command()
@failing_plainly
def show(
    prefix: Prefix,
    url: Url = "",
    token: Token = "",
    user: User = DEFAULT_USER,
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Show one knowledge base: its profile, counts, last load and the state of its index.

    Example: clew kb show movie
    """
    found = {each["prefix"]: each for each in _knowledge_bases(url, token, user, data_dir)}
    if prefix not in found:
        raise UnknownKnowledgeBaseError(prefix, sorted(found))
    for name, value in found[prefix].items():
        lines = [_intent(each) for each in value] if name == "intents" else value
        shown = ("\n" + " " * WIDTH).join(lines) if isinstance(lines, list) else lines
        if shown not in ("", []):
            typer.echo(f"{name:<{WIDTH}}{shown}")
    if found[prefix]["index_state"] != "ready":
        typer.echo("A load or removal is running or broke off; if none is running, repeat it.")


@kb.command()
@failing_plainly
def remove(
    prefix: Prefix,
    document_ids: Annotated[list[str], typer.Argument(metavar="DOCUMENT_ID...", help="Documents to remove.")],
    tenant: Tenant = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Remove documents from a knowledge base, with their passages and all that no other document says.

    Ids of documents are their paths without the ending, or the ids in a JSONL file. With one that is not
    there nothing is removed.

    Example: clew kb remove hr leave/sabbatical travel
    """
    _check(tenant, prefix)
    with load_environment(data_dir):
        ingest = _ingest(tenant, prefix)
        with loading_bar(len(document_ids)) as show:
            report = ingest.remove(document_ids, show)
    left = ", ".join(f"{getattr(report.profile, name)} {name}" for name in COUNTS)
    typer.echo(f"{prefix}: {report.removed} removed; now {left}.")


@kb.command()
@failing_plainly
def delete(
    prefix: Prefix,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    tenant: Tenant = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Delete a whole knowledge base. If it breaks off, delete it again.

    Example: clew kb delete hr --yes
    """
    _check(tenant, prefix)
    with load_environment(data_dir):
        ingest = _ingest(tenant, prefix)
        if not yes:
            typer.confirm(f"Delete the knowledge base {prefix!r} of tenant {tenant!r} with all documents?", abort=True)
        with loading_bar(0) as show:
            nodes = ingest.delete(show)
    typer.echo(f"{prefix}: deleted, {nodes} nodes of the graph.")


def _intent(intent: dict[str, Any]) -> str:
    """``thesis: level (undergraduate, graduate), topic``: the intent, and what is asked of the user for it."""
    slots = [
        f"{slot['name']} ({', '.join(value.split('|')[0].strip() for value in slot['values'])})"
        if slot["values"]
        else str(slot["name"])
        for slot in intent["slots"]
    ]
    return f"{intent['name']}: {', '.join(slots)}" if slots else str(intent["name"])


def _check(tenant: str, prefix: str) -> None:
    check_kb_prefix(prefix)
    check_outside_id(tenant, "tenant")


def _ingest(tenant: str, prefix: str) -> "Ingest":
    from clew import wiring
    from clew.settings import IngestSettings

    return wiring.loading.ingest(IngestSettings.load(), tenant, prefix)


def _knowledge_bases(url: str, token: str, user: str, data_dir: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = service(url, token, user, data_dir).get("/knowledge-bases")["knowledge_bases"]
    return sorted(listed, key=lambda each: str(each["prefix"]))
