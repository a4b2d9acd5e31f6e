"""What a function weighs with its layers, unpacked, as Lambda counts it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.paths import BUILT_LAYERS, FUNCTIONS, LAPTOP_ONLY, LAYERS

# Lambda's quota for a function and all of its layers, unpacked.
LIMIT: Final = 250 * 2**20

# The Web Adapter's layer is AWS's own and not at hand to be weighed: one static binary of some 8 MiB.
WEB_ADAPTER_ALLOWANCE: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class FunctionBytes:
    """One function's bytes: its own code, and all layers that it runs with."""

    name: str
    code: int
    layers: int

    @property
    def total(self) -> int:
        return self.code + self.layers


def function_bytes(built: Path = BUILT_LAYERS) -> list[FunctionBytes]:
    """Every function as it is deployed to AWS; dependency layers that are not built count nothing."""
    common = folder_bytes(LAYERS / "clew", LAPTOP_ONLY) + folder_bytes(built / "deps-core")
    answer = folder_bytes(built / "deps-llm") + WEB_ADAPTER_ALLOWANCE
    return [
        FunctionBytes(folder.name, folder_bytes(folder), common + (answer if folder.name == "answer" else 0))
        for folder in sorted(FUNCTIONS.iterdir())
        if folder.is_dir() and not folder.name.startswith(("_", "."))
    ]


def folder_bytes(folder: Path, besides: tuple[str, ...] = ()) -> int:
    """Bytes of all files below ``folder`` that an asset made of it would hold."""
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not _excluded(path.relative_to(folder).as_posix(), besides)
    )


def _excluded(path: str, besides: tuple[str, ...]) -> bool:
    if any(path == name or path.startswith(f"{name}/") for name in besides):
        return True
    return "__pycache__" in path.split("/") or path.endswith(".pyc")
