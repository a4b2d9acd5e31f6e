"""A link between a client and the gateway that a test can cut and mend."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.lambda_runtime.arrivals import Arrivals


@dataclass
class Connection:
    """One connection of the client: the bytes that it sent, and those that it was sent."""

    asked: Arrivals = field(default_factory=Arrivals)
    answered: Arrivals = field(default_factory=Arrivals)


class LossyLink:
    """Passes connections on to ``target``, as they come, byte for byte; ``url`` is its own address."""

    def __init__(self, target: str) -> None:
        self.url = ""
        self.connections: list[Connection] = []
        self._host, self._port = urlsplit(target).hostname, urlsplit(target).port
        self._whole = asyncio.Event()
        self._whole.set()
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def last(self) -> Connection:
        return self.connections[-1]

    def cut(self) -> None:
        """End what runs without a farewell; who connects from now on waits until the link is mended."""
        self._whole.clear()
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._whole.set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["LossyLink"]:
        tasks: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            tasks.add(asyncio.ensure_future(self._serve(reader, writer)))

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        upstream_reader, upstream_writer = await asyncio.open_connection(self._host, self._port)
        connection = Connection()
        self.connections.append(connection)
        pair = {writer, upstream_writer}
        self._writers |= pair
        try:
            await asyncio.gather(
                _pass_on(reader, upstream_writer, connection.asked),
                _pass_on(upstream_reader, writer, connection.answered),
            )
        finally:
            self._writers -= pair
            for each in pair:
                each.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Arrivals) -> None:
    try:
        with contextlib.suppress(OSError):
            while content := await reader.read(65536):
                seen.add(content)
                writer.write(content)
                await writer.drain()
            writer.write_eof()
    finally:
        seen.end()
