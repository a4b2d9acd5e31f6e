"""A program that the stack starts: its own session, its output in a log file, stopped by pid."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from clew.errors import ConfigurationError

# The emulator writes its state and the graph its pages when they stop: give them time before force.
GRACE_SECONDS = 20.0
_PROC = Path("/proc")


def identity(pid: int) -> str | None:
    """When a process began: with the pid it names one process, even if the pid is used again. None if gone.

    The command line is no part of it: for a moment after a program was started it is still empty.
    """
    if _PROC.exists():
        try:
            fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        # proc(5): after the name come the state (3rd field) … and the start in ticks since boot (22nd field).
        return None if fields[0] == "Z" else f"{boot} {fields[19]}"
    found = subprocess.run(["/bin/ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


class Child:
    """A running program. Its own session keeps the terminal's Ctrl-C away: the stack stops it, in order."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        folder: Path | None = None,
    ) -> None:
        self.name = name
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                env=dict(environment),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.pid = self._process.pid
        self.identity = identity(self.pid) or ""

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def ended(self) -> str:
        """One sentence about a program that has ended, with where to look."""
        return f"The {self.name} ended unexpectedly (exit code {self.exit_code()}). Its log: {self.log}"

    def wait(self) -> int:
        """The exit code, once it has ended by itself."""
        return self._process.wait()

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Poll ``ready``; ConfigurationError when the program ends or ``seconds`` pass before it is true."""
        deadline = time.monotonic() + seconds
        while not ready():
            if self.exit_code() is not None:
                raise ConfigurationError(self.ended())
            if time.monotonic() > deadline:
                raise ConfigurationError(f"The {self.name} was not ready within {seconds:.0f} s. Its log: {self.log}")
            time.sleep(0.05)

    def stop(self, grace: float = GRACE_SECONDS) -> None:
        """Ask it to stop, wait, then end what is left of its session by force."""
        if self.exit_code() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        end_session(self.pid)
        self._process.wait()


def end_session(leader: int) -> None:
    """End by force whatever still runs in the process group that ``leader`` founded."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
