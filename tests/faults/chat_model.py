"""A scripted chat model: a server of the OpenAI protocol that keeps a script's time to the token.

It speaks HTTP/1.1 over plain asyncio, with one timer a token and frames that are made once, so that hundreds of
streams at once cost it little of the machine that they share with what is measured. Requests that want no stream are
refused with 503: the rewriter and the summariser then go by their rules.

``python -m tests.faults.chat_model --port N`` runs it as a process, whose usual script ``POST /v1/usual`` replaces.
"""

import argparse
import asyncio
import contextlib
import json
import math
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tests.faults.loop_thread import LoopThread
from tests.faults.script import PACE_MS, WORDS, Script, word

MODEL: Final = "scripted"
LOOPBACK: Final = "127.0.0.1"
_STREAM_HEAD: Final = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
_REASONS: Final = {200: "OK", 400: "Bad Request", 403: "Forbidden", 429: "Too Many Requests", 503: "Unavailable"}


@dataclass
class Asked:
    """One streamed request: when it came, how many tokens were sent, and when and how it ended.

    Times are ``time.monotonic()``. ``end`` is ``whole``, ``refused``, ``broken`` (by the script) or ``left``: the
    client has hung up; empty while it runs.
    """

    model: str
    began: float
    sent: int = 0
    ended: float = 0.0
    end: str = ""


class ScriptedModel:
    """The server's state: the scripts of the next requests, the one of all others, and what was asked.

    ``of_model`` has the scripts of models with a name of their own; what is next is for the others.
    """

    def __init__(self, usual: Script | None = None) -> None:
        self.usual = usual or Script()
        self.next: deque[Script] = deque()
        self.of_model: dict[str, Script] = {}
        self.asked: list[Asked] = []
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0) -> str:
        """Listen; the base URL, which ends in ``/v1``."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), LOOPBACK, port, backlog=1024)
        return f"http://{LOOPBACK}:{self._server.sockets[0].getsockname()[1]}/v1"

    async def stop(self) -> None:
        if self._server:
            self._server.close()

    def script(self, model: str) -> Script:
        """The script of the request that has just come."""
        if model in self.of_model:
            return self.of_model[model]
        return self.next.popleft() if self.next else self.usual


@contextlib.contextmanager
def scripted_model(usual: Script | None = None) -> Iterator[tuple[ScriptedModel, str]]:
    """A model on a thread of this process, and its base URL."""
    thread = LoopThread("scripted-model")
    model = ScriptedModel(usual)
    try:
        yield model, thread.run(model.start())
    finally:
        thread.run(model.stop())
        thread.stop()


class _Connection(asyncio.Protocol):
    """One client's connection: requests one after the other, none of them pipelined."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._asked: Asked | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._timer:
            self._timer.cancel()
        self._end("left")

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, separator, rest = self._received.partition(b"\r\n\r\n")
        if not separator:
            return
        length = _content_length(bytes(head))
        if len(rest) < length:
            return
        body = bytes(rest[:length])
        del self._received[: len(head) + 4 + length]
        self._answer(head.split(b" ", 2)[1].decode(), body)

    def _answer(self, path: str, body: bytes) -> None:
        if path.endswith("/models"):
            self._reply(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})
            return
        if path.endswith("/usual"):
            self._model.usual = Script(**json.loads(body))
            self._reply(200, {})
            return
        request = json.loads(body)
        if not request.get("stream"):
            self._reply(503, {"error": {"message": "This model only streams."}})
            return
        self._asked = Asked(request.get("model", ""), time.monotonic())
        self._model.asked.append(self._asked)
        script = self._model.script(self._asked.model)
        if script.status != 200:
            self._end("refused")
            self._reply(script.status, {"error": {"message": "The script says no.", "code": script.status}})
            return
        self._write(_STREAM_HEAD)
        self._schedule(script, 0, asyncio.get_running_loop().time())

    def _schedule(self, script: Script, number: int, due: float) -> None:
        """Set the timer of token ``number``; ``due`` is when the one before it was, so that delays do not add up."""
        loop = asyncio.get_running_loop()
        if number >= script.tokens:
            loop.call_soon(self._finish, script)
            return
        pause = script.pause(number)
        if math.isinf(pause):
            return  # until the client hangs up
        self._timer = loop.call_at(due + pause, self._send, script, number, due + pause)

    def _send(self, script: Script, number: int, due: float) -> None:
        if self._transport is None or self._asked is None:
            return
        if number == script.breaks_at:
            self._break(script, number)
            return
        self._write(_token_chunk(number))
        self._asked.sent = number + 1
        self._schedule(script, number + 1, due)

    def _finish(self, script: Script) -> None:
        if self._transport is None:
            return
        usage = {"prompt_tokens": 11, "completion_tokens": script.tokens, "total_tokens": 11 + script.tokens}
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        frames = (last, {"choices": [], "usage": usage})
        self._write(b"".join(_chunk(_frame(each)) for each in frames) + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        self._end("whole")

    def _break(self, script: Script, number: int) -> None:
        assert self._transport is not None
        self._end("broken")
        if script.breaks == "malformed":
            self._write(_chunk(b'data: {"choices": [{"delta": \n\n') + b"0\r\n\r\n")
            return
        frame = _token_chunk(number)
        self._write(frame[: len(frame) // 2])
        # What is written has left for the client by the next turn of the loop; then the connection is reset.
        asyncio.get_running_loop().call_later(0.05, self._transport.abort)

    def _end(self, how: str) -> None:
        if self._asked and not self._asked.end:
            self._asked.ended, self._asked.end = time.monotonic(), how

    def _reply(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        head = f"HTTP/1.1 {status} {_REASONS.get(status, 'Scripted')}\r\ncontent-type: application/json\r\n"
        self._write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


def _content_length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _frame(content: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps({"id": "chatcmpl-1", "object": "chat.completion.chunk", **content}).encode() + b"\n\n"


@lru_cache(maxsize=4096)
def _token_chunk(number: int) -> bytes:
    return _chunk(_frame({"choices": [{"index": 0, "delta": {"content": word(number)}, "finish_reason": None}]}))


async def _serve(port: int, usual: Script) -> None:
    await ScriptedModel(usual).start(port)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tokens", type=int, default=WORDS)
    parser.add_argument("--pace-ms", type=float, default=PACE_MS)
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.port, Script(options.tokens, options.pace_ms, options.pace_ms)))
