"""An HTTP server that plays a script: what it sends, when it waits, where it breaks off.

It runs in the test's own event loop, so a client that blocked the loop would never get an answer.
"""

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

CUT: Literal["cut"] = "cut"
"""Break the connection off in the middle of the body."""

SILENCE: Literal["silence"] = "silence"
"""Send nothing more until the client hangs up."""

Step = bytes | asyncio.Event | Literal["cut", "silence"]
"""Bytes are sent as one chunk; an event is a gate that the test opens."""


@dataclass
class Answer:
    """One response. With ``headers_after`` even the status line waits for that gate."""

    steps: list[Step] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    headers_after: Literal["", "silence"] = ""


@dataclass
class Request:
    """What a client asked and how far its answer is.

    ``begun`` is set once a chunk of the answer is sent, ``hung_up`` when the client has closed the
    connection before the answer's end.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    sent: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)


class ScriptedServer:
    """Answers requests with ``answers`` in order, or with what ``respond`` makes of each.

    Each request has a connection of its own; ``asked`` is set once there has been one.
    """

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.respond: Callable[[Request], Answer] | None = None
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        self.url = ""

    async def requested(self, number: int) -> None:
        """Wait until there have been ``number`` requests; TimeoutError after ten seconds."""
        async with asyncio.timeout(10):
            while len(self.requests) < number:
                self.asked.clear()
                await self.asked.wait()

    @contextlib.asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator["ScriptedServer"]:
        connections: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.ensure_future(self._serve(reader, writer))
            connections.add(task)

        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in connections:
                task.cancel()
            outcomes = await asyncio.gather(*connections, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read_request(reader)
            if request is None:
                return
            answer = self._answer(request)
            self.requests.append(request)
            self.asked.set()
            await self._play(answer, request, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client has gone, which some scripts are about
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _answer(self, request: Request) -> Answer:
        if self.respond:
            return self.respond(request)
        number = len(self.requests)
        assert number < len(self.answers), f"unexpected: {request.method} {request.path} {request.headers}"
        return self.answers[number]

    async def _play(
        self, answer: Answer, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        watch = asyncio.ensure_future(_watch(reader, request))
        try:
            if answer.headers_after:
                await request.hung_up.wait()
                return
            headers = {"Transfer-Encoding": "chunked", "Connection": "close", **answer.headers}
            lines = [f"HTTP/1.1 {answer.status} Scripted", *(f"{n}: {v}" for n, v in headers.items()), "", ""]
            writer.write("\r\n".join(lines).encode())
            for step in answer.steps:
                if isinstance(step, asyncio.Event):
                    await step.wait()
                elif step == SILENCE:
                    await request.hung_up.wait()
                    return
                elif step == CUT:
                    writer.transport.abort()
                    return
                else:
                    writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                    await writer.drain()
                    request.sent += 1
                    request.begun.set()
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        finally:
            watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watch


async def _watch(reader: asyncio.StreamReader, request: Request) -> None:
    """Clients send nothing after their request, so the next thing read is the end of the connection."""
    # OSError, since over TLS a client that hangs up in the middle may leave with an alert (ssl.SSLError).
    with contextlib.suppress(OSError):
        await reader.read(1)
    request.hung_up.set()


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode().strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, json.loads(body) if body else None)
