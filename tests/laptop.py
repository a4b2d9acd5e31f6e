"""The laptop stack as a process: ``clew up`` started, waited for, described and stopped."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from clew.local.child import identity
from clew.local.ports import free_port
from clew.local.running_stack import RunningStack

PROJECT = Path(__file__).resolve().parents[1]
CLEW = Path(sys.executable).parent / "clew"
# A first start fetches the CDK, synthesizes and, with the demo, embeds it on whatever machine this is.
FIRST_START, LATER_START = 300.0, 60.0


class LaptopRun:
    """One run of ``clew up``."""

    def __init__(self, data: Path, *options: str, port: int = 0, environment: dict[str, str] | None = None) -> None:
        self.data = data
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._output = data.parent / f"output-{self.port}.txt"
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [CLEW, "up", "--data-dir", str(data), "--port", str(self.port), *options],
                cwd=PROJECT,
                env=os.environ | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def output(self) -> str:
        return self._output.read_text()

    def wait_for(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.05)

    def ready(self, seconds: float = LATER_START) -> None:
        """Return once it says that it is ready, describes itself, and answers."""
        self.wait_for(lambda: "\nReady after " in self.output, seconds)
        self.wait_for(self.described, seconds)
        assert httpx.get(f"{self.url}/api/v1/health", timeout=30).json()["status"] == "ok"

    def described(self) -> bool:
        """Whether stack.json is this run's, not one that a crash left."""
        path = self.data / "stack.json"
        return path.exists() and json.loads(path.read_text())["pid"] == self.process.pid

    @property
    def stack(self) -> RunningStack:
        return RunningStack.read(self.data)

    def children(self) -> dict[str, int]:
        """The pids of the parts, by name."""
        return {entry["name"]: entry["pid"] for entry in json.loads((self.data / "children.json").read_text())}

    def pids(self) -> list[int]:
        return list(self.children().values())

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextlib.contextmanager
def running(data: Path, *options: str, port: int = 0, environment: dict[str, str] | None = None) -> Iterator[LaptopRun]:
    """A run that is stopped at the end, whatever happens."""
    run = LaptopRun(data, *options, port=port, environment=environment)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.stop(signal.SIGTERM)


def assert_nothing_runs(data: Path, pids: list[int]) -> None:
    assert [pid for pid in pids if identity(pid)] == []
    left = {path.name for path in data.iterdir()}
    assert not left & {"lock", "stack.json", "children.json"}
