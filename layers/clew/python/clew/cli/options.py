"""Options that several commands share, and the one way in which they fail."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from clew.cli.service import Service
from clew.errors import ClewError
from clew.local.running_stack import RunningStack

F = TypeVar("F", bound=Callable[..., Any])

Url = Annotated[
    str,
    typer.Option("--url", envvar="CLEW_URL", help="Address of a deployed stage; default: the stack on this machine."),
]
Token = Annotated[str, typer.Option("--token", envvar="CLEW_TOKEN", help="Bearer token, where the stage wants one.")]
User = Annotated[str, typer.Option("--user", envvar="CLEW_USER", help="Who asks, on a stage without identity.")]
DataDir = Annotated[Path, typer.Option("--data-dir", help="Folder of the stack on this machine.")]
Kb = Annotated[str, typer.Option("--kb", help="Ask this knowledge base instead of letting the router choose.")]
Agent = Annotated[str, typer.Option("--agent", help="Use this retrieval worker, such as graph_agent.")]
Trace = Annotated[bool, typer.Option("--trace", help="Show what each step did.")]

DEFAULT_DATA_DIR = Path(".clew")
DEFAULT_USER = "me"


def service(url: str, token: str, user: str, data_dir: Path) -> Service:
    """The service to ask: the one at ``url``, else the one that runs on this machine."""
    return Service(url or RunningStack.read(data_dir).url, token=token, user_id="" if token else user)


def failing_plainly(command: F) -> F:
    """End ``command`` with one line on standard error and exit code 1 where it raises an error of ours."""

    @functools.wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        try:
            return command(*args, **values)
        except ClewError as error:
            typer.echo(f"clew: {error}", err=True)
            raise typer.Exit(1) from error
        except KeyboardInterrupt:
            typer.echo("", err=True)
            raise typer.Exit(130) from None

    return run  # type: ignore[return-value]
