"""The ledger of started programs, by which the next run stops what a crashed run left behind."""

import contextlib
import json
import os
import signal
import time
from pathlib import Path

from clew.local.child import GRACE_SECONDS, Child, end_session, identity


class Ledger:
    """Pids with their identities in a file, written before anything else can go wrong."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[dict[str, object]] = []

    def add(self, child: Child) -> None:
        self._entries.append({"name": child.name, "pid": child.pid, "identity": child.identity})
        self._write()

    def remove(self, child: Child) -> None:
        self._entries = [entry for entry in self._entries if entry["pid"] != child.pid]
        self._write()

    def _write(self) -> None:
        if self._entries:
            self._path.write_text(json.dumps(self._entries, indent=1))
        else:
            self._path.unlink(missing_ok=True)


def stop_leftovers(path: Path) -> list[str]:
    """Stop what the ledger at ``path`` names and still is the same process; returns the names.

    Call it only while holding the data directory's lock: then nobody else owns these processes.
    """
    try:
        entries = json.loads(path.read_text())
    except FileNotFoundError:
        return []
    except json.JSONDecodeError:
        # Cut off while being written: nothing in it can be trusted to name a process.
        entries = []
    stopped = []
    for entry in reversed(entries):
        if _same(entry):
            _stop(entry)
            stopped.append(str(entry["name"]))
    path.unlink(missing_ok=True)
    return stopped


def _same(entry: dict[str, object]) -> bool:
    return bool(entry["identity"]) and identity(int(str(entry["pid"]))) == entry["identity"]


def _stop(entry: dict[str, object]) -> None:
    pid = int(str(entry["pid"]))
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while _same(entry) and time.monotonic() < deadline:
        time.sleep(0.05)
    end_session(pid)
