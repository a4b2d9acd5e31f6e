"""Where the parts of a deployment lie in the repository."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FUNCTIONS: Final = ROOT / "functions"
LAYERS: Final = ROOT / "layers"
BUILT_LAYERS: Final = ROOT / "build" / "layers"

COMPILED_PYTHON: Final = ("**/__pycache__", "**/*.pyc")
LAPTOP_ONLY: Final = tuple(f"python/clew/{room}" for room in ("local", "cli", "evaluation", "drawing", "openapi"))
"""Rooms of the package that no function imports: the laptop stack, the command line and what it alone uses."""
