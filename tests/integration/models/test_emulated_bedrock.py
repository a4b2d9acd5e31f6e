"""Bedrock as the laptop's emulator speaks it: reached with AWS_ENDPOINT_URL alone."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.models.bedrock_chat import BedrockChat

READY_WITHIN = 60.0


@pytest.fixture(scope="module")
def emulator_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    directory = tmp_path_factory.mktemp("emulator")
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(
            [Path(sys.executable).parent / "ministack"],
            env={**os.environ, "GATEWAY_PORT": str(port)},
            cwd=directory,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until_ready(process, f"{url}/_ministack/health", directory / "log")
            yield url
        finally:
            process.terminate()
            process.wait(timeout=30)


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the emulator did not start:\n{log.read_text()[-2000:]}")


@pytest.mark.parametrize("model_id", ["anthropic.claude-haiku-4-5-20251001-v1:0", "amazon.nova-lite-v1:0"])
async def test_the_endpoint_variable_alone_leads_to_the_emulator(
    emulator_url: str, prompt: Prompt, monkeypatch: pytest.MonkeyPatch, model_id: str
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", emulator_url)
    *deltas, finished = [delta async for delta in BedrockChat(model_id).stream(prompt)]
    assert deltas
    assert all(isinstance(delta, TextDelta) for delta in deltas)
    assert isinstance(finished, Finished)
    assert finished.stop_reason == "end"
    assert finished.usage.input_tokens > 0
    assert finished.usage.output_tokens > 0
    assert not finished.usage.estimated
