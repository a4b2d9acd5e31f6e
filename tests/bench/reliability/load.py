"""The load generator: many streams at once from a process of its own, each event timed as it arrives.

``python -m tests.bench.reliability.load`` reads a ``Load`` as JSON from standard input and writes ``Result`` as JSON
to standard output. It is plain asyncio and looks at frames as bytes, so that it stays far from a core's limit; how
near it came is in ``cpu_s`` beside ``wall_s``.
"""

import asyncio
import dataclasses
import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from tests.laptop import PROJECT

LONGEST: Final = 300.0  # seconds for all streams of a load together


@dataclass(frozen=True)
class Load:
    """Clients at once, each of which posts bodies of its own to ``url`` one after the other; they begin ``apart_s``."""

    url: str
    bodies: list[list[dict[str, Any]]]
    apart_s: float = 0.0


@dataclass
class Stream:
    """What one stream brought; times are milliseconds from the request's sending.

    ``tokens`` are the arrival times of token events, ``text`` what they add up to, ``end`` the last event's status
    or, where there was none or something came after it, what was wrong.
    """

    began: float = 0.0
    start: float = -1.0
    tokens: list[float] = field(default_factory=list)
    text: str = ""
    end: str = ""
    ended: float = 0.0


@dataclass
class Result:
    streams: list[Stream]
    wall_s: float
    cpu_s: float


def generate(load: Load) -> Result:
    """Run ``load`` in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.reliability.load"],
        cwd=PROJECT,
        input=json.dumps(dataclasses.asdict(load)).encode(),
        stdout=subprocess.PIPE,
        timeout=LONGEST + 30,
        check=True,
    )
    told = json.loads(ran.stdout)
    return Result([Stream(**each) for each in told["streams"]], told["wall_s"], told["cpu_s"])


class _Client(asyncio.Protocol):
    """One connection: posts, and takes the events of the chunked answer apart."""

    def __init__(self) -> None:
        self.lost = False
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._stream = Stream()
        self._frames: list[tuple[float, bytes]] = []
        self._done: asyncio.Future[None] | None = None
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    async def post(self, host: str, path: str, body: bytes) -> Stream:
        assert self._transport is not None
        self._buffer.clear()
        self._frames.clear()
        self._head = b""
        self._done = asyncio.get_running_loop().create_future()
        self._stream = Stream(began=time.perf_counter())
        head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
        self._transport.write(f"{head}\r\n\r\n".encode() + body)
        await self._done
        _read(self._frames, self._stream)
        return self._stream

    def data_received(self, data: bytes) -> None:
        # What a frame says is found out when the stream is over: now only its time counts.
        self._frames.append((time.perf_counter(), data))
        if not self._head:
            self._buffer += data
            if b"\r\n\r\n" in self._buffer:
                self._head = bytes(self._buffer.partition(b"\r\n\r\n")[0])
        if data.endswith(b"0\r\n\r\n") or (b"content-length" in self._head.lower() and data.endswith(b"}")):
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._finish()

    def _finish(self) -> None:
        if self._done and not self._done.done():
            self._done.set_result(None)


def _read(frames: list[tuple[float, bytes]], stream: Stream) -> None:
    """Fill ``stream`` from what arrived when."""
    raw = bytearray()
    last = stream.began
    arrivals: list[tuple[int, float]] = []  # up to which byte, when
    for at, data in frames:
        raw += data
        arrivals.append((len(raw), at))
        last = at
    stream.ended = _ms(last, stream.began)
    head, _, body = bytes(raw).partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n", 1)[0]:
        stream.end = f"status {head[9:12].decode(errors='replace')}: {body[:200]!r}"
        return
    place, arrived = 0, iter(arrivals)
    upto, when = next(arrived)
    ended = ""
    while (place := raw.find(b"data: ", place)) >= 0:
        stop = raw.find(b"\n\n", place)
        if stop < 0:
            ended = "torn"
            break
        while upto < stop:
            upto, when = next(arrived)
        line = bytes(raw[place + 6 : stop])
        place = stop
        if ended in ("done", "error") and line != b"[DONE]":
            ended = "more after the end"
            break
        ended = _take(line, _ms(when, stream.began), stream) or ended
    stream.end = ended or "no end"


def _take(line: bytes, at: float, stream: Stream) -> str:
    """Note one event; its status if it is a last one."""
    if line == b"[DONE]":
        return "done"
    event = json.loads(line)
    if "choices" in event:  # a model's own frame
        for choice in event["choices"]:
            if text := choice["delta"].get("content"):
                stream.tokens.append(at)
                stream.text += text
        return ""
    match event["status"]:
        case "start":
            stream.start = at
        case "token":
            stream.tokens.append(at)
            stream.text += event["content"]
        case "done":
            return "done"
        case "error":
            return f"error {event['type']}"
    return ""


def _ms(at: float, began: float) -> float:
    return round((at - began) * 1000, 3)


async def _run(load: Load) -> list[Stream]:
    parts = urlsplit(load.url)
    host, port = parts.hostname or "", parts.port or 80
    loop = asyncio.get_running_loop()

    async def connected() -> _Client:
        return (await loop.create_connection(_Client, host, port))[1]

    async def ask(client: _Client, bodies: list[dict[str, Any]], after: float) -> list[Stream]:
        await asyncio.sleep(after)
        found = []
        for body in bodies:
            if client.lost:
                client = await connected()
            found.append(await client.post(f"{host}:{port}", parts.path, json.dumps(body).encode()))
        return found

    clients = [await connected() for _ in load.bodies]
    async with asyncio.timeout(LONGEST):
        asking = (ask(client, load.bodies[n], n * load.apart_s) for n, client in enumerate(clients))
        found = await asyncio.gather(*asking)
    return [stream for each in found for stream in each]


def main() -> None:
    load = Load(**json.loads(sys.stdin.buffer.read()))
    began, cpu = time.perf_counter(), time.process_time()
    streams = asyncio.run(_run(load))
    result = Result(streams, time.perf_counter() - began, time.process_time() - cpu)
    json.dump(dataclasses.asdict(result), sys.stdout)


if __name__ == "__main__":
    main()
