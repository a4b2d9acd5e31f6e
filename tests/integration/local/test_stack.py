"""The whole laptop stack as a process: up, stopped, crashed, and up again on the same data."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from clew.local.child import identity
from clew.local.ports import free_port

PROJECT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-c", "import typer; from clew.cli.up import up; typer.run(up)", "--no-demo"]
# A first run fetches the CDK and synthesizes on whatever machine this is.
FIRST_START, LATER_START = 240.0, 60.0


class Run:
    """One run of ``clew up --no-demo``."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port, self.url = data, port, f"http://127.0.0.1:{port}"
        self._output = data.parent / f"output-{port}.txt"
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [*COMMAND, "--data-dir", str(data), "--port", str(port)],
                cwd=PROJECT,
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
            time.sleep(0.1)

    def ready(self, seconds: float = LATER_START) -> None:
        self.wait_for(self._described, seconds)

    def _described(self) -> bool:
        """Whether stack.json is this run's, not one that a crash left."""
        path = self.data / "stack.json"
        return path.exists() and json.loads(path.read_text())["pid"] == self.process.pid

    def pids(self) -> list[int]:
        return [entry["pid"] for entry in json.loads((self.data / "children.json").read_text())]

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextlib.contextmanager
def running(data: Path, port: int) -> Iterator[Run]:
    run = Run(data, port)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.stop(signal.SIGTERM)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which the stack has been deployed once."""
    folder = tmp_path_factory.mktemp("stack") / ".clew"
    with running(folder, free_port()) as run:
        run.ready(FIRST_START)
        assert run.stop() == 0, run.output
    return folder


def assert_nothing_runs(data: Path, pids: list[int]) -> None:
    assert [pid for pid in pids if identity(pid)] == []
    left = {path.name for path in data.iterdir()}
    assert not left & {"lock", "stack.json", "children.json"}


@pytest.mark.timeout(FIRST_START + 60)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_and_leaves_nothing(data: Path, number: signal.Signals) -> None:
    with running(data, free_port()) as run:
        run.ready()
        pids = run.pids()
        assert len(pids) == 3
        assert run.stop(number) == 0
    assert_nothing_runs(data, pids)


def test_a_second_start_deploys_nothing_and_serves_buffered_and_streamed_routes(data: Path) -> None:
    with running(data, free_port()) as run:
        run.ready()
        assert "cdk deploy" not in run.output
        assert httpx.get(f"{run.url}/api/v1/health", timeout=30).status_code == 200
        empty = httpx.post(f"{run.url}/api/v1/chat/stream", json={}, timeout=30)
        assert (empty.status_code, empty.headers["content-type"]) == (400, "application/problem+json")
        described = json.loads((data / "stack.json").read_text())
        assert (described["url"], described["pid"]) == (run.url, run.process.pid)


def test_a_signal_during_the_start_stops_what_had_started(data: Path) -> None:
    with running(data, free_port()) as run:
        run.wait_for((data / "children.json").exists, LATER_START)
        pids = run.pids()
        assert run.stop() == 130
        assert not (data / "stack.json").exists()
    assert_nothing_runs(data, pids)


def test_an_occupied_port_is_said_in_one_line_at_once(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        port = occupant.getsockname()[1]
        with running(data, port) as run:
            assert run.process.wait(30) == 2
    assert run.output.splitlines() == [
        f"clew up: Port {port} is in use. Stop what listens there, or choose another: "
        f"clew up --port {port + 1} (or CLEW_PORT={port + 1} make run)."
    ]


def test_a_second_stack_in_the_same_directory_is_refused(data: Path) -> None:
    with running(data, free_port()) as first:
        first.ready()
        with running(data, free_port()) as second:
            assert second.process.wait(30) == 1
        assert f"Another stack (process {first.process.pid})" in second.output
        assert httpx.get(f"{first.url}/api/v1/health", timeout=30).status_code == 200


def test_a_crashed_run_is_cleared_away_by_the_next(data: Path) -> None:
    with running(data, free_port()) as crashed:
        crashed.ready()
        orphans = crashed.pids()
        crashed.process.kill()
        crashed.process.wait(10)
    assert all(identity(pid) for pid in orphans)
    assert (data / "stack.json").exists()
    with running(data, free_port()) as run:
        run.ready()
        assert [pid for pid in orphans if identity(pid)] == []
        assert run.stop() == 0
    assert_nothing_runs(data, orphans)


def test_a_part_that_dies_stops_the_rest_and_is_named(data: Path) -> None:
    with running(data, free_port()) as run:
        run.ready()
        pids = run.pids()
        os.kill(pids[1], signal.SIGKILL)
        assert run.process.wait(60) == 1
    assert "The graph ended unexpectedly (exit code -9)" in run.output
    assert_nothing_runs(data, pids)
    with running(data, free_port()) as again:
        again.ready()
