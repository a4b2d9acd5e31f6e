"""The data directory: what lies where in ``.clew/``."""

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DataDirectory:
    """Everything that a laptop stack keeps between runs, under one folder that can be deleted as a whole."""

    root: Path

    @property
    def lock(self) -> Path:
        """Held by the process that uses the directory."""
        return self.root / "lock"

    @property
    def stack_file(self) -> Path:
        """Describes the running stack; absent while none runs."""
        return self.root / "stack.json"

    @property
    def children(self) -> Path:
        """The processes that the running stack started."""
        return self.root / "children.json"

    @property
    def deployment(self) -> Path:
        """The fingerprint of what was deployed last."""
        return self.root / "deployment.json"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def emulator_state(self) -> Path:
        return self.root / "emulator" / "state"

    @property
    def emulator_objects(self) -> Path:
        """Objects of the emulator's S3."""
        return self.root / "emulator" / "s3"

    @property
    def emulator_scratch(self) -> Path:
        """Unpacked function code; worthless once the emulator has stopped."""
        return self.root / "emulator" / "tmp"

    @property
    def graph(self) -> Path:
        return self.root / "graph"

    def create(self) -> None:
        """Make the folder itself; only its owner may look inside, since the graph's password lies there."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.logs.mkdir(exist_ok=True)

    def clear_scratch(self) -> None:
        """Remove what a run leaves behind; only for the holder of the lock, before the emulator starts."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.emulator_scratch)
