"""The AWS emulator: MiniStack as one process on one loopback port, its state kept between runs."""

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from clew.local.child import Child
from clew.local.data_directory import DataDirectory
from clew.local.environment import aws_environment, without_settings
from clew.local.ports import LOOPBACK


def emulator_url(port: int) -> str:
    return f"http://{LOOPBACK}:{port}"


def start_emulator(data: DataDirectory, port: int, shell: Mapping[str, str] | None = None) -> Child:
    """Start it; its functions inherit the environment given here and get their settings from the template.

    State is written when it stops, and only then: stop it by ``Child.stop``.
    """
    for folder in (data.emulator_state, data.emulator_objects, data.emulator_scratch):
        folder.mkdir(parents=True, exist_ok=True)
    _forget_stream_positions(data.emulator_state / "lambda.json")
    base = without_settings(os.environ if shell is None else shell)
    environment = aws_environment(emulator_url(port), base) | {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": LOOPBACK,
        "PERSIST_STATE": "1",
        "STATE_DIR": str(data.emulator_state.resolve()),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(data.emulator_objects.resolve()),
        "TMPDIR": str(data.emulator_scratch.resolve()),
        "LOG_LEVEL": "WARNING",
        # Each simultaneous call of a function gets a process of its own; the surplus goes after this time.
        "LAMBDA_WARM_TTL_SECONDS": "60",
        # Listeners of their own, on all interfaces, that nothing here uses.
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        # Nothing here runs in a container; without a daemon to talk to it leaves the developer's alone.
        "DOCKER_HOST": f"unix://{data.emulator_scratch.resolve() / 'no-docker.sock'}",
        "PYTHONUNBUFFERED": "1",
    }
    return Child("emulator", [sys.executable, "-m", "ministack"], environment, data.logs / "emulator.log")


def _forget_stream_positions(state: Path) -> None:
    """Let functions follow streams from where they begin after a start.

    Positions are kept over a restart while the streams begin anew: a function would get nothing until as many
    records had come as before. What was written and not yet followed is lost with the records either way.
    """
    try:
        kept = json.loads(state.read_text())
        kept["payload"].pop("dynamodb_stream_positions", None)
    except (FileNotFoundError, json.JSONDecodeError, KeyError, TypeError, AttributeError):
        return
    half = state.with_suffix(".tmp")
    half.write_text(json.dumps(kept))
    half.replace(state)


def wait_for_emulator(child: Child, url: str, seconds: float = 60) -> None:
    """Return once it answers."""

    def healthy() -> bool:
        try:
            with urllib.request.urlopen(f"{url}/_ministack/health", timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    child.wait_until(healthy, seconds)
