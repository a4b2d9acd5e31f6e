"""CPU time and memory of the stack's processes."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from clew.local.data_directory import DataDirectory
from clew.local.running_stack import RunningStack
from tests.bench.memory import descendants

_TICKS: Final = os.sysconf("SC_CLK_TCK")
ANSWER: Final = "answer server"
GATEWAY: Final = "gateway"
EMULATOR: Final = "emulator"


def cpu_seconds(pid: int) -> float:
    """What a process has used in all its threads, to a hundredth of a second, where the system tells."""
    stat = Path("/proc") / str(pid) / "stat"
    if stat.exists():
        # Behind the command's name, which may hold anything, the 12th and 13th fields are user and system time.
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
    told = _ps("cputime=", pid).replace("-", ":").split(":")
    return sum(float(part) * scale for part, scale in zip(reversed(told), (1, 60, 3600, 86400), strict=False))


def resident_mb(*pids: int) -> float:
    return sum(int(_ps("rss=", pid) or 0) for pid in pids) / 1000


def _ps(column: str, pid: int) -> str:
    found = subprocess.run(["/bin/ps", "-o", column, "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.strip()


@dataclass(frozen=True)
class Parts:
    """The pids of a stack's parts; the gateway is a thread of the process that runs the stack."""

    pids: dict[str, int]

    @classmethod
    def of(cls, data: Path) -> Self:
        listed = json.loads(DataDirectory(data).children.read_text())
        pids = {each["name"]: int(each["pid"]) for each in listed}
        return cls(pids | {GATEWAY: RunningStack.read(data).pid})

    def cpu(self, part: str) -> float:
        return cpu_seconds(self.pids[part])

    def resident(self, part: str) -> float:
        """Of the emulator, with the processes in which it runs functions."""
        pid = self.pids[part]
        return resident_mb(*(descendants(pid) if part == EMULATOR else [pid]))
