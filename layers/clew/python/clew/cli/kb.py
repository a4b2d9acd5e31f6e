"""``clew kb``: which knowledge bases there are, and what is in one."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

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

kb = typer.Typer(help="Look at the knowledge bases.", no_args_is_help=True, rich_markup_mode=None)

WIDTH = 16  # of the column of names
COUNTS = ("documents", "chunks", "entities", "relations")


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
    prefix: Annotated[str, typer.Argument(help="The knowledge base's prefix.")],
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
        shown = ("\n" + " " * WIDTH).join(value) if isinstance(value, list) else value
        if shown not in ("", []):
            typer.echo(f"{name:<{WIDTH}}{shown}")


def _knowledge_bases(url: str, token: str, user: str, data_dir: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = service(url, token, user, data_dir).get("/knowledge-bases")["knowledge_bases"]
    return sorted(listed, key=lambda each: str(each["prefix"]))
