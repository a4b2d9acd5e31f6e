"""Builds the dependency layers for Lambda into build/layers: ``python -m infra.build_layers``.

Wheels for another platform and Python than this one are fetched by pip, as it is configured; nothing
is compiled, so no container is needed.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from infra.layer_requirements import PYTHON_VERSION
from infra.package_bytes import LIMIT, FunctionBytes, folder_bytes, function_bytes
from infra.paths import BUILT_LAYERS, LAYERS, ROOT

DEPENDENCY_LAYERS: Final = ("deps-core", "deps-llm")

# Lambda's Python 3.13 runs on Amazon Linux 2023 with glibc 2.34: wheels for that or older load there.
PLATFORMS: Final = (
    *(f"manylinux_2_{minor}_aarch64" for minor in range(34, 16, -1)),
    "manylinux2014_aarch64",
)

# Kept of a *.dist-info: what importlib.metadata reads at run time, and the licences.
METADATA_KEPT: Final = frozenset({"METADATA", "entry_points.txt", "licenses"})
NOT_SHIPPED: Final = frozenset({"__pycache__", "tests", "bin"})


def main() -> int:
    """Build both layers and show what everything weighs; 1 when a function would not fit Lambda's limit."""
    for name in DEPENDENCY_LAYERS:
        sys.stdout.write(f"building {name}\n")
        build(name)
    weights = [(f"layer {name}", folder_bytes(BUILT_LAYERS / name)) for name in DEPENDENCY_LAYERS]
    _show(weights)
    functions = function_bytes()
    _show([(f"function {each.name} with layers", each.total) for each in functions])
    return _verdict(functions)


def build(name: str) -> Path:
    """Install the layer's requirements for Lambda; what was built before stays until that has worked."""
    fresh = BUILT_LAYERS / f".{name}"
    shutil.rmtree(fresh, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--progress-bar", "off", "--no-compile"]
    command += ["--no-deps", "--only-binary", ":all:", "--implementation", "cp"]
    # "pip install" checks Requires-Python against the Python that it runs in, whatever version it
    # installs for. The pins were compiled for that version, so the check has nothing to add.
    command += ["--python-version", PYTHON_VERSION, "--ignore-requires-python"]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    command += ["--requirement", str(LAYERS / name / "requirements.txt"), "--target", str(fresh / "python")]
    subprocess.run(command, check=True)
    strip(fresh / "python")
    built = BUILT_LAYERS / name
    shutil.rmtree(built, ignore_errors=True)
    return fresh.rename(built)


def strip(folder: Path) -> None:
    """Remove what no function reads: tests, scripts, compiled files, and pip's own records."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and path.name in NOT_SHIPPED:
            shutil.rmtree(path)
        elif path.parent.name.endswith(".dist-info") and path.name not in METADATA_KEPT:
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _show(weights: list[tuple[str, int]]) -> None:
    for label, weight in weights:
        sys.stdout.write(f"  {label:36} {weight:>13,} bytes  {weight / 2**20:7.1f} MiB\n")


def _verdict(functions: list[FunctionBytes]) -> int:
    heavy = [each for each in functions if each.total > LIMIT]
    for each in heavy:
        sys.stderr.write(
            f"{each.name} has {each.total:,} bytes with its layers; Lambda takes {LIMIT:,} at most. "
            f"Move something out of {LAYERS.relative_to(ROOT)}.\n"
        )
    return 1 if heavy else 0


if __name__ == "__main__":
    sys.exit(main())
