"""The scripted model as a process of its own, so that what it costs is not the measured processes' cost."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import httpx

from clew.local.ports import LOOPBACK, free_port
from tests.laptop import PROJECT


class ModelProcess:
    """A running model; ``url`` is its base URL."""

    def __init__(self, port: int) -> None:
        self.url = f"http://{LOOPBACK}:{port}/v1"

    def script(self, tokens: int) -> None:
        """How many tokens the answers have from now on."""
        httpx.post(f"{self.url}/usual", json={"tokens": tokens}, trust_env=False).raise_for_status()


@contextlib.contextmanager
def model_process() -> Iterator[ModelProcess]:
    port = free_port()
    command = [sys.executable, "-m", "tests.faults.chat_model", "--port", str(port)]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.DEVNULL) as process:
        try:
            model = ModelProcess(port)
            with httpx.Client(transport=httpx.HTTPTransport(retries=20), trust_env=False) as client:
                client.get(f"{model.url}/models").raise_for_status()
            yield model
        finally:
            process.terminate()
