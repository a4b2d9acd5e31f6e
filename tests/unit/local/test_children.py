"""Programs of the stack: started, asked to stop, and found again after a crash."""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.errors import ConfigurationError
from clew.local.child import Child, identity
from clew.local.leftovers import Ledger, stop_leftovers

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
POLITE = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print("saved", flush=True), sys.exit(0)))
print("ready", flush=True)
time.sleep(60)
"""
DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Child]:
    child = Child("sleeper", SLEEP, os.environ, tmp_path / "log")
    yield child
    child.stop()


def started(script: str, log: Path) -> Child:
    child = Child("script", [sys.executable, "-c", script], os.environ, log)
    child.wait_until(lambda: "ready" in log.read_text(), 20)
    return child


def test_a_program_gets_the_time_to_save(tmp_path: Path) -> None:
    child = started(POLITE, tmp_path / "log")
    child.stop()
    assert (child.exit_code(), (tmp_path / "log").read_text()) == (0, "ready\nsaved\n")


def test_a_deaf_program_is_ended_by_force(tmp_path: Path) -> None:
    child = started(DEAF, tmp_path / "log")
    child.stop(grace=0.2)
    assert identity(child.pid) is None


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    script = f"import subprocess; p = subprocess.Popen({SLEEP!r}); print(p.pid, 'ready', flush=True); p.wait()"
    child = started(script, tmp_path / "log")
    grandchild = int((tmp_path / "log").read_text().split()[0])
    assert identity(grandchild)
    child.stop()
    # A kill takes its moment, and nobody tells us when an orphan has gone.
    deadline = time.monotonic() + 5
    while identity(grandchild) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert identity(grandchild) is None


def test_a_program_runs_in_its_own_session(sleeper: Child) -> None:
    assert os.getsid(sleeper.pid) == sleeper.pid != os.getsid(0)


def test_a_program_that_ends_while_it_is_awaited_is_an_error_with_its_log(tmp_path: Path) -> None:
    child = Child("broken part", [sys.executable, "-c", "raise SystemExit(3)"], os.environ, tmp_path / "log")
    with pytest.raises(ConfigurationError, match=r"broken part ended unexpectedly \(exit code 3\).*log"):
        child.wait_until(lambda: False, 20)


def test_a_program_that_is_not_ready_in_time_is_an_error(sleeper: Child) -> None:
    with pytest.raises(ConfigurationError, match="not ready within 0 s"):
        sleeper.wait_until(lambda: False, 0.1)


def test_the_ledger_lists_what_runs_and_vanishes_when_nothing_does(tmp_path: Path, sleeper: Child) -> None:
    path = tmp_path / "children.json"
    ledger = Ledger(path)
    ledger.add(sleeper)
    assert [entry["pid"] for entry in json.loads(path.read_text())] == [sleeper.pid]
    ledger.remove(sleeper)
    assert not path.exists()


def test_leftovers_of_a_crash_are_stopped(tmp_path: Path, sleeper: Child) -> None:
    path = tmp_path / "children.json"
    Ledger(path).add(sleeper)
    assert stop_leftovers(path) == ["sleeper"]
    assert sleeper.wait() < 0
    assert not path.exists()


def test_a_process_that_only_inherited_the_pid_is_left_alone(tmp_path: Path, sleeper: Child) -> None:
    path = tmp_path / "children.json"
    path.write_text(json.dumps([{"name": "ours", "pid": sleeper.pid, "identity": "1 another program"}]))
    assert stop_leftovers(path) == []
    assert sleeper.exit_code() is None


def test_a_damaged_ledger_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "children.json").write_text('[{"name": "ou')
    assert stop_leftovers(tmp_path / "children.json") == []
