"""A small HTTP server in place of a deployed stage: it answers as told and keeps what it was asked."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import pytest
from click.testing import Result
from typer.testing import CliRunner

from clew.cli.app import app

ROUTE = {"kb_prefix": "movie", "method": "heuristic", "reason": "The message names 'Inception'."}
DONE = {
    "message_id": "m1",
    "conversation_id": "c1",
    "route": ROUTE,
    "citations": [
        {"number": 1, "title": "Inception (盗梦空间)", "source": "demo/movie", "quote": "Nolan directed it."}
    ],
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
ANSWER: list[dict[str, Any]] = [
    {"status": "start"},
    {"status": "progress", "content": {"stage": "retrieval", "completed": 0, "total": 1}},
    {"status": "execution_log", "content": {"node": "route", "input": {"q": "[x]"}, "output": {"kb": "movie"}}},
    {"status": "token", "content": "Christopher"},
    {"status": "token", "content": " Nolan [1]\n"},
    {"status": "token", "content": "诺兰 [/x]."},
    {"status": "done", "content": DONE},
]


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Stage:
    """What the server says next, and all that it was asked."""

    url: str = ""
    status: int = 200
    content_type: str = "text/event-stream"
    body: bytes = b""
    asked: list[Asked] = field(default_factory=list)
    cut: list[bytes] = field(default_factory=list)

    def streams(self, *events: dict[str, Any]) -> None:
        """Answer with these events, a comment before each."""
        frames = "".join(f": ping\r\n\r\ndata: {json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in events)
        self.status, self.content_type = 200, "text/event-stream; charset=utf-8"
        self.body = frames.encode()

    def breaks_off(self, *events: dict[str, Any], times: int = 1) -> None:
        """Before the answer, cut the connection so often behind these events, whose ids are 0, 1 and so on."""
        frames = [f"id: {number}\ndata: {json.dumps(event)}\n\n" for number, event in enumerate(events)]
        self.cut = ["".join(frames).encode()] * times

    def says(self, body: Any, status: int = 200, content_type: str = "application/json") -> None:
        self.status, self.content_type = status, content_type
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


@pytest.fixture
def stage() -> Iterator[Stage]:
    said = Stage()

    class Handler(BaseHTTPRequestHandler):
        stage: ClassVar[Stage] = said

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            address = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(address.query))
            said.asked.append(Asked(self.command, address.path, query, headers, json.loads(body or b"{}")))
            if said.cut and address.path.endswith("/stream"):
                cut = said.cut.pop()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(cut) + 1))
                self.end_headers()
                self.wfile.write(cut)
                return
            self.send_response(said.status)
            self.send_header("Content-Type", said.content_type)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        said.url = f"http://127.0.0.1:{server.server_port}"
        said.streams(*ANSWER)
        yield said
        server.shutdown()
        thread.join()


class Command:
    """Runs ``clew`` against the server."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def __call__(self, *words: str, says: str = "") -> Result:
        return CliRunner().invoke(app, [*words, "--url", self._stage.url], input=says)

    def fails(self, *words: str) -> str:
        """The one line on standard error that the command fails with."""
        result = self(*words)
        assert result.exit_code == 1, result.output
        (line,) = result.stderr.strip().splitlines()
        assert line.startswith("clew: ")
        return line


@pytest.fixture
def clew(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Command:
    for name in ("CLEW_URL", "CLEW_TOKEN", "CLEW_USER", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Command(stage)
