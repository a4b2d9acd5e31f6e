"""A proxy before the AWS emulator that throttles, fails, delays or hangs the calls it is told to.

It stands where an AWS client's endpoint is, keeps connections alive as the client and the emulator do, and notes every
call with its time. What it injects are the answers that the AWS services give.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from tests.faults.loop_thread import LoopThread

Kind = Literal["throttle", "fail", "answer", "delay", "hang", "lose"]

LOOPBACK: Final = "127.0.0.1"
_THROTTLED: Final = {
    "DynamoDB_20120810": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "AWSStepFunctions": "ThrottlingException",
}
_FAILED: Final = {"DynamoDB_20120810": "com.amazonaws.dynamodb.v20120810#InternalServerError"}
# One of the two sides has closed the connection, or the proxy is being stopped.
_ENDS: Final = (OSError, asyncio.IncompleteReadError, asyncio.CancelledError)


def anything(body: bytes) -> bool:
    return True


@dataclass
class Fault:
    """What happens to calls of ``operation`` whose body ``when`` likes: the first ``times`` of them, 0 for all.

    ``throttle`` and ``fail`` (status 500) are answered here, as is ``answer``, with ``body`` and status 200; none of
    them reaches the emulator. ``delay`` passes after ``seconds``; ``hang`` never answers; ``lose`` passes, and closes
    the connection where the answer would be. ``met`` counts.
    """

    operation: str
    kind: Kind
    times: int = 0
    seconds: float = 0.0
    body: str = ""
    when: Callable[[bytes], bool] = anything
    met: int = 0

    def meets(self, operation: str, body: bytes) -> bool:
        if operation != self.operation or (self.times and self.met >= self.times) or not self.when(body):
            return False
        self.met += 1
        return True


@dataclass(frozen=True, slots=True)
class Call:
    """One call that passed or was answered here; ``took`` is seconds, ``fault`` the kind of what was injected."""

    operation: str
    body: bytes
    began: float
    took: float
    fault: str


class AwsProxy:
    """A running proxy; ``url`` is where clients are sent, ``calls`` what has passed so far."""

    def __init__(self, emulator_url: str) -> None:
        there = urlsplit(emulator_url)
        self._host, self._port = there.hostname or "", there.port or 80
        self.url = ""
        self.calls: list[Call] = []
        self._faults: list[Fault] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, LOOPBACK, 0, limit=1 << 20)
        self.url = f"http://{LOOPBACK}:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        if self._server:
            self._server.close()

    @contextlib.contextmanager
    def injected(self, *faults: Fault) -> Iterator[None]:
        """Inject ``faults`` for a while."""
        self._faults = list(faults)
        try:
            yield
        finally:
            self._faults = []

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        try:
            while True:
                head, body = await _message(reader)
                target = _header(head, b"x-amz-target")
                service, _, operation = target.rpartition(".")
                fault = next((each for each in self._faults if each.meets(operation, body)), None)
                began = time.monotonic()
                if fault and fault.kind == "hang":
                    await reader.read()  # the client's end: it has nothing more to say
                    return
                answer = await self._injected_answer(service, fault)
                if answer is None:
                    upstream = upstream or await asyncio.open_connection(self._host, self._port, limit=1 << 20)
                    upstream[1].write(head + body)
                    answer = b"".join(await _message(upstream[0]))
                took = time.monotonic() - began
                self.calls.append(Call(operation, body, began, took, fault.kind if fault else ""))
                if fault and fault.kind == "lose":
                    return
                writer.write(answer)
                await writer.drain()
        except _ENDS:
            pass
        finally:
            for each in (writer, upstream[1] if upstream else None):
                if each:
                    each.close()

    async def _injected_answer(self, service: str, fault: Fault | None) -> bytes | None:
        match fault.kind if fault else "":
            case "throttle":
                error = {"__type": _THROTTLED[service], "message": "Rate exceeded"}
                return _answer(400, json.dumps(error))
            case "fail":
                error = {"__type": _FAILED.get(service, "InternalFailure"), "message": "Internal server error"}
                return _answer(500, json.dumps(error))
            case "answer":
                assert fault is not None
                return _answer(200, fault.body)
            case "delay":
                assert fault is not None
                await asyncio.sleep(fault.seconds)
        return None


@contextlib.contextmanager
def aws_proxy(emulator_url: str) -> Iterator[AwsProxy]:
    """A proxy on a thread of this process."""
    thread = LoopThread("aws-proxy")
    proxy = AwsProxy(emulator_url)
    try:
        thread.run(proxy.start())
        yield proxy
    finally:
        thread.run(proxy.stop())
        thread.stop()


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Head and body of one HTTP message, as they were sent."""
    head = await reader.readuntil(b"\r\n\r\n")
    if _header(head, b"transfer-encoding").lower() == "chunked":
        return head, await _chunks(reader)
    return head, await reader.readexactly(int(_header(head, b"content-length") or 0))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    read = bytearray()
    while True:
        line = await reader.readline()
        size = int(line.partition(b";")[0], 16)
        read += line + await reader.readexactly(size + 2)
        if size == 0:
            return bytes(read)


def _header(head: bytes, name: bytes) -> str:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip().decode()
    return ""


def _answer(status: int, body: str) -> bytes:
    content = body.encode()
    head = f"HTTP/1.1 {status} Injected\r\ncontent-type: application/x-amz-json-1.0\r\n"
    return f"{head}content-length: {len(content)}\r\n\r\n".encode() + content
