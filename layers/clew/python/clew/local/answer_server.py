"""The answer function on the laptop: its ASGI app under uvicorn, with the environment that was deployed."""

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from clew.local.child import Child
from clew.local.data_directory import DataDirectory
from clew.local.environment import aws_environment, shell_settings, without_settings
from clew.local.ports import LOOPBACK


def answer_environment(deployed: Mapping[str, str], emulator_url: str, shell: Mapping[str, str]) -> dict[str, str]:
    """The deployed variables; over them the emulator's; over all the settings made in the shell.

    Of the shell's AWS variables only the places of profiles remain: ``CLEW_BEDROCK_PROFILE`` may name one.
    """
    base = without_settings(shell) | dict(deployed)
    return aws_environment(emulator_url, base) | shell_settings(shell)


def start_answer_server(
    project: Path,
    data: DataDirectory,
    port: int,
    *,
    deployed: Mapping[str, str],
    emulator_url: str,
    shell: Mapping[str, str] | None = None,
) -> Child:
    """Start it in the function's folder, as the Web Adapter's run.sh does."""
    environment = answer_environment(deployed, emulator_url, os.environ if shell is None else shell)
    command = [sys.executable, "-m", "uvicorn", "app:app", "--host", LOOPBACK, "--port", str(port)]
    command += ["--no-access-log", "--timeout-graceful-shutdown", "3"]
    return Child(
        "answer server",
        command,
        environment | {"PYTHONUNBUFFERED": "1"},
        data.logs / "answer.log",
        project / "functions" / "answer",
    )


def wait_for_answer_server(child: Child, url: str, seconds: float = 60) -> None:
    """Return once ``GET /health`` succeeds."""

    def healthy() -> bool:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    child.wait_until(healthy, seconds)
