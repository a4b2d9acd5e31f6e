"""The local gateway: what API Gateway does on AWS, for the two kinds of integration that the stack has.

Streamed routes go to the answer app, chunk by chunk; all others to the emulator's REST API.
"""

import contextlib
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Final

import httpx
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from clew.local.problem import gateway_problem, problem_response
from clew.local.routes import RoutingTable
from clew.problem import method_not_allowed, not_found, problem_of

# RFC 9110, 7.6.1: these concern one connection, not the message. Host and length are made anew.
_OWN_HEADERS: Final = frozenset(
    {
        "connection",
        "content-length",
        "host",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# uvicorn dates and signs answers itself; their length stays as it was.
_NOT_RETURNED: Final = (_OWN_HEADERS - {"content-length"}) | {"date", "server"}
# Quotas of API Gateway: payload of a request, and idle time of a regional endpoint's stream.
MAX_BODY: Final = 10 * 1024 * 1024
IDLE_SECONDS: Final = 300.0


class Gateway:
    """An ASGI app over two upstreams; ``rest_api_url`` includes the stage."""

    def __init__(self, table: RoutingTable, rest_api_url: str, answer_url: str) -> None:
        self._table = table
        self._rest_api_url = rest_api_url.rstrip("/")
        self._answer_url = answer_url.rstrip("/")
        # trust_env=False: a proxy in the developer's shell must not see loopback traffic.
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(IDLE_SECONDS, connect=5.0),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            trust_env=False,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.answer(Request(scope, receive))
        await response(scope, receive, send)

    async def close(self) -> None:
        await self._client.aclose()

    async def answer(self, request: Request) -> Response:
        """Route by method and path, or say what is wrong with them."""
        path = request.url.path
        methods = self._table.at(_raw_path(request))
        route = methods.get(request.method) or methods.get("ANY")
        if not methods:
            return problem_response(not_found(path))
        if route is None:
            allowed = ", ".join(sorted(methods))
            return problem_response(method_not_allowed(request.method, path, allowed), {"Allow": allowed})
        body = await _body(request)
        if body is None:
            detail = f"A request may have {MAX_BODY:,} bytes at most."
            return gateway_problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request-too-large", detail)
        return await self._forward(request, body, self._answer_url if route.streamed else self._rest_api_url)

    async def _forward(self, request: Request, body: bytes, upstream: str) -> Response:
        path = _raw_path(request)
        query = request.scope["query_string"].decode("ascii")
        outgoing = self._client.build_request(
            request.method,
            f"{upstream}{path}{'?' if query else ''}{query}",
            headers=_forwarded_headers(request),
            content=body,
        )
        try:
            answer = await self._client.send(outgoing, stream=True)
        except httpx.TimeoutException:
            detail = "The service took too long to answer."
            return gateway_problem(HTTPStatus.GATEWAY_TIMEOUT, "upstream-timeout", detail)
        except httpx.TransportError:
            detail = "The service behind this address does not answer. Is the stack still running?"
            return gateway_problem(HTTPStatus.BAD_GATEWAY, "upstream-unavailable", detail)
        response = StreamingResponse(_chunks(answer), answer.status_code)
        response.raw_headers = [
            (name.lower(), value)
            for name, value in answer.headers.raw
            if name.decode("latin-1").lower() not in _NOT_RETURNED
        ]
        return response


def _raw_path(request: Request) -> str:
    """The path as it was sent: decoding and encoding it again could change it."""
    return str(request.scope["raw_path"].decode("ascii"))


async def _body(request: Request) -> bytes | None:
    """The whole body, as API Gateway buffers it on both kinds of route; None when it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return bytes(body)


def _forwarded_headers(request: Request) -> list[tuple[bytes, bytes]]:
    """As they were sent, in bytes: a value may hold some that are no ASCII."""
    kept = [(name, value) for name, value in request.headers.raw if name.decode("latin-1") not in _OWN_HEADERS]
    client = request.client.host if request.client else ""
    return [
        *kept,
        (b"x-forwarded-for", client.encode()),
        (b"x-forwarded-proto", request.url.scheme.encode()),
        (b"x-forwarded-port", str(request.url.port or 80).encode()),
    ]


async def _chunks(answer: httpx.Response) -> AsyncIterator[bytes]:
    """The bytes as they come. When the client goes, this is cancelled and the upstream connection closed."""
    try:
        async for chunk in answer.aiter_raw():
            yield chunk
    finally:
        await answer.aclose()


async def _nothing_there(request: Request, _: Exception) -> Response:
    """A path that even the mount below does not take, such as one with a line break."""
    return problem_response(not_found(request.url.path))


async def _failed(_: Request, error: Exception) -> Response:
    return problem_response(problem_of(error))


def gateway_app(gateway: Gateway) -> Starlette:
    """The gateway with its life cycle."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await gateway.close()

    app = Starlette(lifespan=lifespan, exception_handlers={HTTPException: _nothing_there, Exception: _failed})
    app.mount("/", gateway)
    return app
