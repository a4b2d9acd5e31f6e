"""The gateway between a client and two upstreams, all over real sockets."""

import asyncio
import contextlib
import itertools
import pathlib
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route as Path

from clew.local.gateway import MAX_BODY, Gateway, gateway_app
from clew.local.gateway_server import GatewayServer
from clew.local.ports import free_port, reserve
from clew.local.routes import Route, RoutingTable

TABLE = RoutingTable(
    (
        Route("POST", "/api/v1/chat/stream", streamed=True),
        Route("GET", "/api/v1/conversations/{session_id}/messages", streamed=False),
        Route("POST", "/api/v1/clear", streamed=False),
    ),
    "local",
)
PAUSE = 0.25


class Upstreams:
    """Stand-ins for the answer app and the emulator in one server, and what reached them."""

    def __init__(self) -> None:
        self.requests: list[dict[str, object]] = []
        self.closed = 0
        every = ["GET", "POST"]
        self.app = Starlette(
            routes=[
                Path("/answer/api/v1/chat/stream", self.stream, methods=["POST"]),
                Path("/rest/local/{path:path}", self.rest, methods=every),
            ]
        )

    async def stream(self, request: Request) -> Response:
        body = (await request.body()).decode()

        async def events() -> AsyncIterator[str]:
            try:
                for number in range(4 if body != "endless" else 10_000):
                    yield f"data: {number} {body}\n\n"
                    if body == "breaks":
                        raise RuntimeError("the model broke off")
                    await asyncio.sleep(PAUSE)
            finally:
                self.closed += 1

        return StreamingResponse(events(), media_type="text/event-stream")

    async def rest(self, request: Request) -> Response:
        self.requests.append(
            {
                "method": request.method,
                "path": request.scope["raw_path"].decode(),
                "query": request.scope["query_string"].decode(),
                "headers": dict(request.headers),
                "body": await request.body(),
            }
        )
        headers = [("set-cookie", "a=1"), ("set-cookie", "b=2"), ("x-request-id", "7")]
        response = JSONResponse({"status": "ok"}, 201)
        for name, value in headers:
            response.headers.append(name, value)
        return response


@contextlib.contextmanager
def served(app: Starlette, log: pathlib.Path) -> Iterator[str]:
    port = free_port()
    with reserve(port) as bound:
        server = GatewayServer(app, bound, log)
        server.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.stop()


@pytest.fixture
def upstreams() -> Upstreams:
    return Upstreams()


@pytest.fixture
def log(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "gateway.log"


@pytest.fixture
def url(upstreams: Upstreams, log: pathlib.Path) -> Iterator[str]:
    with (
        served(upstreams.app, log.with_suffix(".upstreams")) as behind,
        served(gateway_app(Gateway(TABLE, f"{behind}/rest/local", f"{behind}/answer")), log) as front,
    ):
        yield front


def test_chunks_of_a_streamed_route_arrive_as_they_are_made(url: str) -> None:
    arrived = []
    with httpx.stream("POST", f"{url}/api/v1/chat/stream", content="hi") as answer:
        for chunk in answer.iter_text():
            arrived.append((time.monotonic(), chunk))
    assert [chunk for _, chunk in arrived] == [f"data: {number} hi\n\n" for number in range(4)]
    gaps = [later - earlier for (earlier, _), (later, _) in itertools.pairwise(arrived)]
    assert min(gaps) > PAUSE / 2
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_a_client_that_goes_away_ends_the_upstreams_stream(url: str, upstreams: Upstreams) -> None:
    with httpx.stream("POST", f"{url}/api/v1/chat/stream", content="endless") as answer:
        next(answer.iter_text())
    deadline = time.monotonic() + 5
    while not upstreams.closed and time.monotonic() < deadline:
        time.sleep(0.02)
    assert upstreams.closed == 1


def test_a_stream_that_breaks_off_is_not_passed_on_as_whole(url: str, log: pathlib.Path) -> None:
    with httpx.stream("POST", f"{url}/api/v1/chat/stream", content="breaks") as answer:
        chunks = answer.iter_text()
        assert next(chunks) == "data: 0 breaks\n\n"
        with pytest.raises(httpx.RemoteProtocolError):
            next(chunks)
    assert "RemoteProtocolError" in log.read_text()


def test_a_buffered_route_goes_to_the_rest_api_unchanged(url: str, upstreams: Upstreams) -> None:
    answer = httpx.get(
        f"{url}/api/v1/conversations/a%20b/messages?user_id=%E6%88%91&limit=2",
        headers={"X-Tenant-Id": "acme"},
    )
    [request] = upstreams.requests
    assert request["method"] == "GET"
    assert request["path"] == "/rest/local/api/v1/conversations/a%20b/messages"
    assert request["query"] == "user_id=%E6%88%91&limit=2"
    assert request["headers"]["x-tenant-id"] == "acme"
    assert request["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert (answer.status_code, answer.json(), answer.headers["x-request-id"]) == (201, {"status": "ok"}, "7")
    assert answer.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert len(answer.headers.get_list("date")) == 1


def test_a_body_goes_with_its_request(url: str, upstreams: Upstreams) -> None:
    httpx.post(f"{url}/api/v1/clear", content="清空".encode(), headers={"Content-Type": "application/json"})
    [request] = upstreams.requests
    assert request["body"] == "清空".encode()
    assert request["headers"]["content-type"] == "application/json"


def test_an_unknown_path_is_a_problem(url: str) -> None:
    answer = httpx.get(f"{url}/api/v1/nothing")
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:clew:problem:not-found")
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_wrong_method_is_a_problem_that_names_the_right_one(url: str) -> None:
    answer = httpx.get(f"{url}/api/v1/chat/stream")
    assert (answer.status_code, answer.json()["type"]) == (405, "urn:clew:problem:method-not-allowed")
    assert answer.headers["allow"] == "POST"


def test_a_body_over_api_gateways_limit_is_a_problem(url: str, upstreams: Upstreams) -> None:
    answer = httpx.post(f"{url}/api/v1/clear", content=b"x" * (MAX_BODY + 1), timeout=30)
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:clew:problem:request-too-large")
    assert upstreams.requests == []


@pytest.mark.parametrize("path", ["chat/stream", "clear"])
def test_an_upstream_that_is_down_is_a_problem(path: str, log: pathlib.Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    with served(gateway_app(Gateway(TABLE, nowhere, nowhere)), log) as url:
        answer = httpx.post(f"{url}/api/v1/{path}")
    assert (answer.status_code, answer.json()["type"]) == (502, "urn:clew:problem:upstream-unavailable")
    assert answer.json()["status"] == 502
