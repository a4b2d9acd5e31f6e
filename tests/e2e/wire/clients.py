"""Clients of server-sent events that others wrote, each left to read a stream as it does."""

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest
from httpx_sse import aconnect_sse

from clew.local.node import find_node
from infra.paths import ROOT
from tests.e2e.wire.frames import frames
from tests.e2e.wire.reading import Reading

FETCH_EVENT_SOURCE = Path(__file__).parent / "fetch_event_source"
INSTALLED = ROOT / "build" / "fetch-event-source"


class Client(Protocol):
    """``reconnects`` by itself, with ``Last-Event-ID``; the others leave that to who uses them."""

    reconnects: bool

    def read(
        self, url: str, body: dict[str, Any], reading: Reading | None = None
    ) -> contextlib.AbstractAsyncContextManager[Reading]:
        """A reading that has begun, or goes on behind the last message that an earlier one had."""
        ...


class HttpxSse:
    reconnects = False

    @contextlib.asynccontextmanager
    async def read(self, url: str, body: dict[str, Any], reading: Reading | None = None) -> AsyncIterator[Reading]:
        headers = {"Last-Event-ID": reading.last_id} if reading else {}

        async def run(reading: Reading) -> bool:
            try:
                async with (
                    httpx.AsyncClient(timeout=60, trust_env=False) as client,
                    aconnect_sse(client, "POST", url, json=body, headers=headers) as source,
                ):
                    async for event in source.aiter_sse():
                        reading.add(event.id, event.data)
            except httpx.TransportError:
                return True
            return False

        async with _filling(reading or Reading(), run) as filled:
            yield filled


class Curl:
    """Shows the stream as it is, so that it is taken apart by the letter."""

    reconnects = False

    @contextlib.asynccontextmanager
    async def read(self, url: str, body: dict[str, Any], reading: Reading | None = None) -> AsyncIterator[Reading]:
        command = ["curl", "-N", "--silent", "--noproxy", "*", "--header", "Content-Type: application/json"]
        if reading:
            command += ["--header", f"Last-Event-ID: {reading.last_id}"]
        command += ["--data-binary", "@-", url]

        async def run(reading: Reading) -> bool:
            async with _process(command, json.dumps(body)) as process:
                assert process.stdout is not None
                event = b""
                async for line in process.stdout:
                    event += line
                    if line == b"\n":
                        for frame in frames(event):
                            reading.add(frame.id, json.dumps(frame.content))
                        event = b""
                return await process.wait() != 0

        async with _filling(reading or Reading(), run) as filled:
            yield filled


class FetchEventSource:
    """The npm package, under Node: see ``fetch_event_source/read.cjs``."""

    reconnects = True

    @contextlib.asynccontextmanager
    async def read(self, url: str, body: dict[str, Any], reading: Reading | None = None) -> AsyncIterator[Reading]:
        node = find_node()
        environment = node.environment(os.environ) | {"NODE_PATH": str(INSTALLED / "node_modules")}
        command = [str(node.program), str(FETCH_EVENT_SOURCE / "read.cjs"), url]

        async def run(reading: Reading) -> bool:
            async with _process(command, json.dumps(body), environment) as process:
                assert process.stdout is not None
                async for line in process.stdout:
                    message = json.loads(line)
                    reading.add(message["id"], message["data"])
                return await process.wait() != 0

        async with _filling(reading or Reading(), run) as filled:
            yield filled


def require_curl() -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is missing")


def require_fetch_event_source() -> None:
    """Install the package where its pins say something new."""
    pins = FETCH_EVENT_SOURCE / "package-lock.json"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest()
    mark = INSTALLED / ".installed"
    if mark.exists() and mark.read_text() == wanted:
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(FETCH_EVENT_SOURCE / name, INSTALLED / name)
    node = find_node()
    done = subprocess.run(
        [*node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=INSTALLED,
        env=node.environment(os.environ),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"npm cannot fetch @microsoft/fetch-event-source: {done.stderr.strip()}")
    mark.write_text(wanted)


@contextlib.asynccontextmanager
async def _filling(reading: Reading, run: Callable[[Reading], Awaitable[bool]]) -> AsyncIterator[Reading]:
    """``reading``, which ``run`` fills beside the test; it returns whether the connection broke."""
    reading.ended = reading.broken = False

    async def to_end() -> None:
        broken = True
        try:
            broken = await run(reading)
        finally:
            reading.end(broken=broken)

    task = asyncio.ensure_future(to_end())
    try:
        yield reading
    finally:
        if not reading.ended:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.asynccontextmanager
async def _process(
    command: list[str], sent: str, environment: dict[str, str] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    try:
        process.stdin.write(sent.encode())
        process.stdin.close()
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
