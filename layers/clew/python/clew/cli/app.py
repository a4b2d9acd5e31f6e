"""The command ``clew`` and its subcommands."""

from typing import Annotated

import typer

from clew import __version__
from clew.cli.ask import ask
from clew.cli.chat import chat
from clew.cli.evaluate import evaluate
from clew.cli.feedback import feedback
from clew.cli.graph import graph
from clew.cli.ingest import ingest
from clew.cli.kb import kb
from clew.cli.up import up

app = typer.Typer(
    name="clew",
    help="Questions to a knowledge graph, answered with citations. Start with: clew up",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(up)
app.command()(ask)
app.command()(chat)
app.command()(ingest)
app.command()(graph)
app.command()(feedback)
app.add_typer(kb, name="kb")
app.add_typer(evaluate, name="eval")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"clew {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


def main() -> None:
    app()
