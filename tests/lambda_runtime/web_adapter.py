"""The Lambda Web Adapter as a program of this machine, built by ``make web-adapter``."""

import shutil
import subprocess
from pathlib import Path

import pytest

from infra.paths import ROOT

PROGRAM = ROOT / "build" / "web-adapter" / "bin" / "lambda-adapter"
# A build that has begun elsewhere is waited for.
BUILD_SECONDS = 280


def web_adapter() -> Path:
    """The program, built first where it is not there yet."""
    if shutil.which("cargo") is None and not PROGRAM.exists():
        pytest.skip("cargo is missing, which builds the Lambda Web Adapter: https://rustup.rs")
    if shutil.which("cargo"):
        built = subprocess.run(
            ["make", "--no-print-directory", "web-adapter"],  # noqa: S607
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
        assert built.returncode == 0, built.stdout
    return PROGRAM
