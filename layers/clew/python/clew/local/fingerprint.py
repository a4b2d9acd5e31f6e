"""Whether what is in the checkout is what was deployed last."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SOURCES: Final = ("infra", "functions", "layers/clew", "cdk.json", "package-lock.json")
_IGNORED: Final = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache", ".DS_Store"})
# Rooms that are not deployed: a change in them changes nothing in the emulator.
_ROOMS: Final = ("local", "cli", "evaluation", "drawing", "openapi")
_LAPTOP_ONLY: Final = tuple(f"layers/clew/python/clew/{room}" for room in _ROOMS)


def fingerprint(project: Path) -> str:
    """SHA-256 over the names and contents of everything that the deployed stack is made of."""
    digest = hashlib.sha256()
    for path in sorted(_files(project)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(project).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(project: Path) -> Iterator[Path]:
    laptop_only = [project / name for name in _LAPTOP_ONLY]
    for name in _SOURCES:
        source = project / name
        if source.is_file():
            yield source
        elif source.is_dir():
            for path in source.rglob("*"):
                if _IGNORED.intersection(path.parts) or not path.is_file():
                    continue
                if not any(path.is_relative_to(room) for room in laptop_only):
                    yield path
