"""What commands that read or write the graph share: their environment and their progress."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from clew.local.environment import applied, ingest_environment
from clew.local.running_stack import RunningStack

QUIET_SECONDS: Final = 1.0  # between two lines about one step

Show = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are."""


def load_environment(data_dir: Path) -> contextlib.AbstractContextManager[None]:
    """The shell's own settings where it names a table (a stage on AWS), else those of the stack on this machine."""
    if os.environ.get("CLEW_TABLE_NAME"):
        return contextlib.nullcontext()
    return applied(ingest_environment(RunningStack.read(data_dir)))


@contextlib.contextmanager
def loading_bar(total: int) -> Iterator[Show]:
    """Progress on standard error: a bar on a terminal, elsewhere a line for about every tenth of a step."""
    console = Console(stderr=True, highlight=False)
    # A build's log may look like a terminal; nobody watches it.
    if not console.is_terminal or os.environ.get("CI"):
        yield Lines(lambda line: console.print(line, markup=False, soft_wrap=True), time.monotonic)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Speed(), TimeRemainingColumn())
    with Progress(*columns, console=console, speed_estimate_period=60) as bar:
        task = bar.add_task("", total=total)
        last = ""

        def show(step: str, done: int, whole: int) -> None:
            nonlocal last
            if step != last:
                bar.reset(task, description=step, total=whole)
                last = step
            bar.update(task, completed=done, total=whole)

        yield show


class Lines:
    """Progress as lines: each step when it begins to take time, at every tenth of it, and at its end."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._say = say
        self._clock = clock
        self._step = ""
        self._began = self._said_at = 0.0
        self._tenths = 0

    def __call__(self, step: str, done: int, whole: int) -> None:
        now = self._clock()
        if step != self._step:
            self._step, self._began, self._said_at, self._tenths = step, now, now, 0
        tenths = 10 * done // whole if whole else 0
        ended = bool(whole) and done >= whole
        if (tenths == self._tenths and not ended) or (not ended and now - self._said_at < QUIET_SECONDS):
            return
        if ended and self._tenths == 10:
            return  # it was told already
        self._said_at, self._tenths = now, tenths
        self._say(f"{step}: {done} of {whole}{_pace(done, whole, now - self._began)}")


def _pace(done: int, whole: int, seconds: float) -> str:
    """How fast it goes and how long it will take, where that can be told."""
    if seconds < QUIET_SECONDS or not done:
        return ""
    speed = done / seconds
    left = f", {_duration((whole - done) / speed)} left" if done < whole else f" in {_duration(seconds)}"
    return f", {speed:.{0 if speed >= 10 else 1}f}/s{left}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class _Speed(ProgressColumn):
    """How many a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="progress.data.speed")
