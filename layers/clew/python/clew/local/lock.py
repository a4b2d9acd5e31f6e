"""Locks on files: one stack at a time in one data directory, one installation at a time in one checkout."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from clew.errors import ConfigurationError


class DataDirectoryInUseError(ConfigurationError):
    """Another process holds the lock; ``pid`` is that process, if it could be read."""

    def __init__(self, folder: Path, pid: str) -> None:
        self.pid = pid
        super().__init__(
            f"Another stack (process {pid or 'unknown'}) uses {str(folder)!r}. "
            "Stop it with Ctrl-C, or choose another folder with --data-dir."
        )


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path``; DataDirectoryInUseError when another process does.

    The kernel drops the lock with the process, so a file that a crash left behind locks nobody out.
    """
    descriptor = _acquire(path)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


@contextlib.contextmanager
def waiting_for(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` once every other process has let go of it; the file stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _acquire(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.read(descriptor, 32).decode(errors="replace").strip()
            os.close(descriptor)
            raise DataDirectoryInUseError(path.parent, pid) from None
        # The former holder may have removed the file between our open and our lock.
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return descriptor
        os.close(descriptor)
