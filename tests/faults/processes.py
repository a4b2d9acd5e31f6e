"""The machine's processes, as far as faults and measurements need to know them."""

import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    # -ww: whole lines, however wide the terminal is said to be.
    asked = ["/bin/ps", "-A", "-ww", "-o", "pid=,ppid=,command="]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True)
    found = []
    for line in listed.stdout.splitlines():
        pid, parent, command = line.split(None, 2)
        found.append(Process(int(pid), int(parent), command))
    return found


def function_workers(emulator: int, function: str) -> list[int]:
    """The pids of the processes in which the emulator runs ``function``; their folder is named after it."""
    mark = f"-lambda-{function}-"
    return [each.pid for each in processes() if each.parent == emulator and mark in each.command]
