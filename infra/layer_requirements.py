"""Compiles the dependency layers' requirements from pyproject.toml: ``python -m infra.layer_requirements``.

The files pin every package for Lambda's platform. They name no registry: pip takes the one that it is
configured with.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

from infra.paths import LAYERS, ROOT

PYTHON_VERSION: Final = "3.13"
PLATFORM: Final = "aarch64-manylinux_2_28"

# Lambda's Python brings boto3 and what it needs, in a version of its own that changes without notice.
# The four functions that call long-standing operations take that one: it is there anyway, and heavier
# than the rest of the layer. The answer function gets its own, since langchain-aws asks for a newer boto3
# than the runtime is sure to have.
RUNTIME_BRINGS: Final = frozenset({"boto3", "botocore", "python-dateutil", "s3transfer", "six", "urllib3"})

HEADER: Final = "# Compiled from pyproject.toml by `make lock`; not written by hand.\n"


def main() -> int:
    base = compile_pins()
    core = {name: pin for name, pin in base.items() if name not in RUNTIME_BRINGS}
    llm = {name: pin for name, pin in compile_pins("answer").items() if name not in core}
    for layer, pins in (("deps-core", core), ("deps-llm", llm)):
        file = LAYERS / layer / "requirements.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HEADER + "".join(f"{pins[name]}\n" for name in sorted(pins)))
        sys.stdout.write(f"{file.relative_to(ROOT)}: {len(pins)} packages\n")
    return 0


def compile_pins(extra: str = "") -> dict[str, str]:
    """The base dependencies, with those of ``extra``, as ``{name: "name==version"}``.

    The laptop's pins are constraints: what is tested here is what runs there.
    """
    command = [_uv(), "pip", "compile", str(ROOT / "pyproject.toml"), "--quiet"]
    command += ["--python-version", PYTHON_VERSION, "--python-platform", PLATFORM, "--only-binary", ":all:"]
    command += ["--constraint", str(ROOT / "requirements" / "all.txt")]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    if extra:
        command += ["--extra", extra]
    compiled = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {re.split(r"[=\[; ]", line, maxsplit=1)[0]: line for line in compiled.splitlines() if line}


def _uv() -> str:
    beside = Path(sysconfig.get_path("scripts")) / "uv"
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise SystemExit("uv is missing: run `make lock`, which installs it.")
    return found


if __name__ == "__main__":
    sys.exit(main())
