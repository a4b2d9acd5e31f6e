"""``stack.json``: what another command needs to know about the stack that runs in a data directory."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from clew.errors import ConfigurationError
from clew.local.child import identity
from clew.local.data_directory import DataDirectory


@dataclass(frozen=True)
class RunningStack:
    """Addresses and names of a stack that serves; ``pid`` is the process that runs it."""

    pid: int
    url: str
    port: int
    emulator_url: str
    graph_uri: str
    table_name: str
    workflow_arn: str
    rest_api_url: str
    answer_url: str
    log_dir: str
    started: str = ""

    def write(self, path: Path) -> None:
        """Whole or not at all: a reader never sees half a file."""
        half = path.with_suffix(".tmp")
        half.write_text(json.dumps(dataclasses.asdict(self), indent=1) + "\n")
        half.replace(path)

    @classmethod
    def read(cls, data_dir: Path) -> Self:
        """The stack that runs in ``data_dir``; ConfigurationError when none does."""
        path = DataDirectory(data_dir).stack_file
        none_runs = f"No stack runs in {str(data_dir)!r}. Start it in another terminal: make run (or clew up)."
        try:
            stack = cls(**json.loads(path.read_text()))
        except (FileNotFoundError, json.JSONDecodeError, TypeError) as error:
            raise ConfigurationError(none_runs) from error
        if stack.started and identity(stack.pid) != stack.started:
            # Left by a run that crashed.
            raise ConfigurationError(none_runs)
        return stack
