"""The whole laptop stack as a process: up, stopped, crashed, and up again on the same data."""

import json
import os
import signal
import socket
from pathlib import Path

import httpx
import pytest

from clew.local.child import identity
from tests.laptop import FIRST_START, LATER_START, assert_nothing_runs, running

NO_DEMO = "--no-demo"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which the stack has been deployed once."""
    folder = tmp_path_factory.mktemp("stack") / ".clew"
    with running(folder, NO_DEMO) as run:
        run.ready(FIRST_START)
        assert run.stop() == 0, run.output
    return folder


@pytest.mark.timeout(FIRST_START + 60)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_and_leaves_nothing(data: Path, number: signal.Signals) -> None:
    with running(data, NO_DEMO) as run:
        run.ready()
        pids = run.pids()
        assert len(pids) == 3
        assert run.stop(number) == 0
    assert_nothing_runs(data, pids)


def test_a_second_start_deploys_nothing_and_serves_buffered_and_streamed_routes(data: Path) -> None:
    with running(data, NO_DEMO) as run:
        run.ready()
        assert "cdk deploy" not in run.output
        assert httpx.get(f"{run.url}/api/v1/health", timeout=30).status_code == 200
        body = {"user_id": "u", "session_id": "s", "message": "What can you do?"}
        with httpx.stream("POST", f"{run.url}/api/v1/chat/stream", json=body, timeout=30) as answer:
            lines = list(answer.iter_lines())
        events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
        assert (events[0]["status"], events[-1]["status"]) == ("start", "done")
        assert "No knowledge base is loaded yet." in "".join(e["content"] for e in events if e["status"] == "token")
        described = json.loads((data / "stack.json").read_text())
        assert (described["url"], described["pid"]) == (run.url, run.process.pid)


def test_a_signal_during_the_start_stops_what_had_started(data: Path) -> None:
    with running(data, NO_DEMO) as run:
        run.wait_for((data / "children.json").exists, LATER_START)
        pids = run.pids()
        assert run.stop() == 130
        assert not (data / "stack.json").exists()
    assert_nothing_runs(data, pids)


def test_an_occupied_port_is_said_in_one_line_at_once(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        port = occupant.getsockname()[1]
        with running(data, NO_DEMO, port=port) as run:
            assert run.process.wait(30) == 2
    assert run.output.splitlines() == [
        f"clew up: Port {port} is in use. Stop what listens there, or choose another: "
        f"clew up --port {port + 1} (or CLEW_PORT={port + 1} make run)."
    ]


def test_a_second_stack_in_the_same_directory_is_refused(data: Path) -> None:
    with running(data, NO_DEMO) as first:
        first.ready()
        with running(data, NO_DEMO) as second:
            assert second.process.wait(30) == 1
        assert f"Another stack (process {first.process.pid})" in second.output
        assert httpx.get(f"{first.url}/api/v1/health", timeout=30).status_code == 200


def test_a_crashed_run_is_cleared_away_by_the_next(data: Path) -> None:
    with running(data, NO_DEMO) as crashed:
        crashed.ready()
        orphans = crashed.pids()
        crashed.process.kill()
        crashed.process.wait(10)
    assert all(identity(pid) for pid in orphans)
    assert (data / "stack.json").exists()
    with running(data, NO_DEMO) as run:
        run.ready()
        assert [pid for pid in orphans if identity(pid)] == []
        assert run.stop() == 0
    assert_nothing_runs(data, orphans)


def test_a_part_that_dies_stops_the_rest_and_is_named(data: Path) -> None:
    with running(data, NO_DEMO) as run:
        run.ready()
        pids = run.pids()
        os.kill(run.children()["graph"], signal.SIGKILL)
        assert run.process.wait(60) == 1
    assert "The graph ended unexpectedly (exit code -9)" in run.output
    assert_nothing_runs(data, pids)
    with running(data, NO_DEMO) as again:
        again.ready()
