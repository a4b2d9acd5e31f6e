"""The memory of all processes of a stack together, as it stands after the questions."""

import subprocess
from pathlib import Path

from tests.bench.figure import Figure

GROUP = "memory of all processes"
LIMIT_MB = 1500.0
_PROC = Path("/proc")


def measure(pid: int) -> list[Figure]:
    family = descendants(pid)
    resident = _resident()
    kinds = {"RSS": sum(resident.get(each, 0.0) for each in family)}
    if (_PROC / "self" / "smaps_rollup").exists():
        # PSS: pages that processes share are counted once among them, so the sum is what the machine gives.
        kinds = {"PSS": sum(map(_pss, family)), **kinds}
    return [
        Figure(GROUP, f"{kind}, {len(family)} processes", round(size, 1), "MB", aim=LIMIT_MB)
        for kind, size in kinds.items()
    ]


def descendants(pid: int) -> list[int]:
    """``pid`` and everything below it."""
    children: dict[int, list[int]] = {}
    for line in _ps("pid=,ppid="):
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    family = [pid]
    for each in family:
        family += children.get(each, [])
    return family


def _resident() -> dict[int, float]:
    return {int(pid): int(kib) / 1000 for pid, kib in (line.split() for line in _ps("pid=,rss="))}


def _pss(pid: int) -> float:
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("Pss:")), 0.0)


def _ps(columns: str) -> list[str]:
    return subprocess.run(
        ["/bin/ps", "-A", "-o", columns], capture_output=True, text=True, check=True
    ).stdout.splitlines()
