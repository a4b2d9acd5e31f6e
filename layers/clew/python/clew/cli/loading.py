"""What commands that read or write the graph share: their environment and their progress."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from clew.local.environment import applied, ingest_environment
from clew.local.running_stack import RunningStack


def load_environment(data_dir: Path) -> contextlib.AbstractContextManager[None]:
    """The shell's own settings where it names a table (a stage on AWS), else those of the stack on this machine."""
    if os.environ.get("CLEW_TABLE_NAME"):
        return contextlib.nullcontext()
    return applied(ingest_environment(RunningStack.read(data_dir)))


@contextlib.contextmanager
def loading_bar(total: int) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error, as a function of what is being done, how many are done, how many there are."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=bool(os.environ.get("CI"))) as bar:
        task = bar.add_task("", total=total)

        def show(step: str, done: int, whole: int) -> None:
            bar.update(task, description=step, completed=done, total=whole)

        yield show
