"""A TCP proxy before the graph: it passes bytes on, refuses, falls silent, or cuts what is open."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from tests.faults.loop_thread import LoopThread

LOOPBACK: Final = "127.0.0.1"


class GraphProxy:
    """A running proxy; ``uri`` is where drivers are sent. It passes on until it is told otherwise."""

    def __init__(self, graph_uri: str, thread: LoopThread) -> None:
        there = urlsplit(graph_uri)
        self._host, self._port = there.hostname or "", there.port or 7687
        self._thread = thread
        self._server: asyncio.Server | None = None
        self._own_port = 0
        self._passing = asyncio.Event()
        self._passing.set()
        self._open: set[asyncio.StreamWriter] = set()
        self.held = 0

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self._own_port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, self._own_port)
        self._own_port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server:
            self._server.close()
        self._server = None
        self._cut()

    @contextlib.contextmanager
    def down(self) -> Iterator[None]:
        """Nobody listens, and what was open is cut."""
        self._thread.run(self.stop())
        try:
            yield
        finally:
            self._thread.run(self.start())

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Connections are taken and kept, and nothing comes back; at the end all that waited goes on."""
        self._thread.call(self._passing.clear)
        self.held = 0
        try:
            yield
        finally:
            self._thread.call(self._passing.set)

    def until_held(self, seconds: float = 30) -> None:
        """Wait until something waits for the frozen graph."""
        until = time.monotonic() + seconds
        while not self.held:
            assert time.monotonic() < until, "nobody asks the graph"
            time.sleep(0.02)

    def cut(self) -> None:
        """Close every open connection, with what was under way on it."""
        self._thread.call(self._cut)

    def _cut(self) -> None:
        for each in self._open:
            each.transport.abort()
        self._open.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        there: asyncio.StreamWriter | None = None
        try:
            back, there = await asyncio.open_connection(self._host, self._port)
            self._open.add(there)
            await asyncio.gather(self._pass(reader, there), self._pass(back, writer))
        except (OSError, asyncio.CancelledError):
            pass  # one of the two has gone, or the proxy is being stopped
        finally:
            for each in (writer, there):
                if each:
                    self._open.discard(each)
                    each.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Bytes of one direction, while the proxy passes on; ``held`` counts those that had to wait."""
        while data := await reader.read(1 << 16):
            if not self._passing.is_set():
                self.held += len(data)
                await self._passing.wait()
            writer.write(data)
            await writer.drain()
        writer.close()


@contextlib.contextmanager
def graph_proxy(graph_uri: str) -> Iterator[GraphProxy]:
    """A proxy on a thread of this process."""
    thread = LoopThread("graph-proxy")
    proxy = GraphProxy(graph_uri, thread)
    try:
        thread.run(proxy.start())
        yield proxy
    finally:
        thread.run(proxy.stop())
        thread.stop()
