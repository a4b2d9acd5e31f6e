"""``clew up``: the whole system on this machine, until Ctrl-C."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.status import Status

from clew.errors import ClewError
from clew.local.environment import applied, ingest_environment
from clew.local.ports import PortInUseError
from clew.local.project import find_project
from clew.local.running_stack import RunningStack
from clew.local.stack import LaptopStack

FIRST_QUESTION: Final = "Who directed Inception, and who composed its music?"
# Exit codes beside 0 and 1: as click uses it for usage, and as shells use it for an interrupted command.
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class Steps:
    """Tells each step as it begins and how long it took: a spinner on a terminal, plain lines elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        # A build's log may look like a terminal; nobody watches it turn.
        self._spins = console.is_terminal and not os.environ.get("CI")
        self._status: Status | None = None

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        if self._spins:
            with self._console.status(f"{escape(name)} …") as self._status:
                yield
            self._status = None
        else:
            self._console.print(f"{name} …", markup=False)
            yield
        self._console.print(f"[green]✓[/] {escape(name)} [dim]{time.monotonic() - began:.1f} s[/]")

    def detail(self, name: str, part: str, done: int, total: int) -> None:
        """How far a step has come; elsewhere than on a terminal only how much there is of each."""
        if self._status is not None:
            self._status.update(f"Loading {escape(name)}: {part}, {done} of {total} …")
        elif part == "comparing" and done == total:
            self._console.print(f"  {name}: {total} documents", markup=False)


def up(
    port: Annotated[
        int, typer.Option("--port", envvar="CLEW_PORT", min=1, max=65535, help="Port of the HTTP address.")
    ] = 8000,
    data_dir: Annotated[Path, typer.Option("--data-dir", help="Folder that keeps conversations and the graph.")] = Path(
        ".clew"
    ),
    demo: Annotated[
        bool, typer.Option("--demo/--no-demo", help="Load the demo knowledge bases if they are not there.")
    ] = True,
) -> None:
    """Run everything on this machine: AWS emulator, graph, functions and HTTP address. Ctrl-C stops it all.

    Example: clew up --port 8080
    """
    console = Console(highlight=False)
    steps = Steps(console)
    began = time.monotonic()
    ready = False
    try:
        with LaptopStack(find_project(), data_dir, port, steps.step) as stack:
            if demo:
                _load_demo(stack.running, steps)
                _ask_first_question(stack.running, console)
            _tell(stack.running, console, time.monotonic() - began)
            ready = True
            try:
                stack.serve()
            except KeyboardInterrupt:
                console.print("\nStopping …")
                raise
    except KeyboardInterrupt:
        console.print("Stopped." if ready else "Interrupted; everything that had started is stopped.")
        raise typer.Exit(0 if ready else EXIT_INTERRUPTED) from None
    except ClewError as error:
        typer.echo(f"clew up: {error}", err=True)
        raise typer.Exit(EXIT_USAGE if isinstance(error, PortInUseError) else 1) from error


def _load_demo(stack: RunningStack, steps: Steps) -> None:
    # Here, since together they take half a second that an occupied port need not wait for.
    from clew.local.demo import load_demo
    from clew.settings import IngestSettings

    with applied(ingest_environment(stack)), steps.step("Loading the demo knowledge bases"):
        load_demo(IngestSettings.load(), steps.detail)


def _ask_first_question(stack: RunningStack, console: Console) -> None:
    from clew.cli.ask import show_answer

    console.print(f"\n[bold]{escape(FIRST_QUESTION)}[/]")
    show_answer(stack.url, FIRST_QUESTION)


def _tell(stack: RunningStack, console: Console, seconds: float) -> None:
    body = '{"user_id": "me", "session_id": "s1", "message": "谁执导了《盗梦空间》？"}'
    command = f"curl -N {stack.url}/api/v1/chat/stream -H 'content-type: application/json' -d '{body}'"
    console.print(f"\nReady after {seconds:.1f} s at [bold]{stack.url}[/]. Try:\n")
    # Whole, however narrow the terminal: it is there to be copied.
    console.print(command, markup=False, soft_wrap=True)
    console.print("\nOr in another terminal: clew chat. Ctrl-C stops everything.")
