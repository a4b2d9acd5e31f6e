"""The Runtime API and the Extensions API of Lambda, as a function's environment finds them.

One connection may carry several requests. Responses are read chunk by chunk, so that what arrives is known with
the time at which it did.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import h11

from tests.lambda_runtime.invocation import Invocation

NEXT = "/2018-06-01/runtime/invocation/next"
REGISTER = "/2020-01-01/extension/register"
EXTENSION_NEXT = "/2020-01-01/extension/event/next"
FUNCTION_SECONDS = 900.0
"""What the answer function is given for an invocation."""


class RuntimeApi:
    """Hands events out, one at a time, and takes the responses in; ``address`` is for ``AWS_LAMBDA_RUNTIME_API``."""

    def __init__(self, function_arn: str) -> None:
        self.address = ""
        self.extensions: list[str] = []
        self.init_errors: list[bytes] = []
        self._function_arn = function_arn
        self._waiting: asyncio.Queue[Invocation] = asyncio.Queue()
        self._taken: dict[str, Invocation] = {}

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["RuntimeApi"]:
        connections: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.add(asyncio.ensure_future(self._serve(_Connection(reader, writer))))

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
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

    def invoke(self, event: dict[str, Any], seconds: float = FUNCTION_SECONDS) -> Invocation:
        """Put ``event`` in line; the function takes it when it asks for the next one, and is told its deadline."""
        invocation = Invocation(event, seconds)
        self._waiting.put_nowait(invocation)
        return invocation

    async def _serve(self, connection: "_Connection") -> None:
        try:
            while (request := await connection.request()) is not None:
                await self._answer(connection, request)
        finally:
            await connection.close()

    async def _answer(self, connection: "_Connection", request: h11.Request) -> None:
        path = request.target.decode()
        headers = {name.decode(): value.decode() for name, value in request.headers}
        match path.rpartition("/")[2]:
            case "register":
                self.extensions.append(headers["lambda-extension-name"])
                await connection.read_body()
                await connection.send(200, b"{}", {"Lambda-Extension-Identifier": str(len(self.extensions))})
            case "next" if path == EXTENSION_NEXT:
                await connection.hung_up()  # no event ever comes: the extension asked for none
            case "next":
                assert path == NEXT, path
                await connection.read_body()
                await self._hand_out(connection)
            case "response":
                invocation = self._taken[path.split("/")[-2]]
                invocation.headers = headers
                await self._take_in(connection, invocation)
            case "error" if path.endswith("/init/error"):
                self.init_errors.append(await connection.read_body())
                await connection.send(202)
            case "error":
                invocation = self._taken[path.split("/")[-2]]
                invocation.error = json.loads(await connection.read_body())
                invocation.arrivals.end()
                await connection.send(202)
            case _:
                raise AssertionError(f"the Runtime API has no {path}")

    async def _hand_out(self, connection: "_Connection") -> None:
        invocation = await self._waiting.get()
        self._taken[invocation.id] = invocation
        deadline = int((time.time() + invocation.seconds) * 1000)
        headers = {
            "Content-Type": "application/json",
            "Lambda-Runtime-Aws-Request-Id": invocation.id,
            "Lambda-Runtime-Deadline-Ms": str(deadline),
            "Lambda-Runtime-Invoked-Function-Arn": self._function_arn,
            "Lambda-Runtime-Trace-Id": "Root=1-67d1f0aa-0123456789abcdef01234567;Sampled=0",
        }
        await connection.send(200, json.dumps(invocation.event).encode(), headers)

    async def _take_in(self, connection: "_Connection", invocation: Invocation) -> None:
        try:
            async for piece in connection.body():
                if isinstance(piece, bytes):
                    invocation.arrivals.add(piece)
                else:
                    invocation.trailers = piece
            await connection.send(202)
        except (h11.RemoteProtocolError, OSError):
            invocation.broken = True
        finally:
            invocation.arrivals.end()


class _Connection:
    """One connection of a client, read and written with h11."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER)

    async def request(self) -> h11.Request | None:
        """The next request, None once there is none."""
        if self._http.our_state is h11.DONE:
            if self._http.their_state is not h11.DONE:
                return None
            self._http.start_next_cycle()
        try:
            event = await self._event()
        except (h11.RemoteProtocolError, OSError):
            return None
        return event if isinstance(event, h11.Request) else None

    async def body(self) -> AsyncIterator[bytes | dict[str, str]]:
        """Pieces as they arrive, and the trailers last, which may be empty."""
        while True:
            event = await self._event()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                yield {name.decode(): value.decode() for name, value in event.headers}
                return

    async def read_body(self) -> bytes:
        return b"".join([piece async for piece in self.body() if isinstance(piece, bytes)])

    async def send(self, status: int, content: bytes = b"", headers: dict[str, str] | None = None) -> None:
        named = {**(headers or {}), "Content-Length": str(len(content))}
        answer = h11.Response(status_code=status, headers=list(named.items()))
        for event in (answer, h11.Data(data=content), h11.EndOfMessage()):
            self._writer.write(self._http.send(event) or b"")
        await self._writer.drain()

    async def hung_up(self) -> None:
        with contextlib.suppress(OSError):
            while await self._reader.read(4096):
                pass

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _event(self) -> Any:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._reader.read(65536))
        return event
