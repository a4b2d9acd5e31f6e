"""The two ways to the answer app: through Lambda's Runtime API, and through the local gateway."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from tests.lambda_runtime.api_gateway import proxy_event
from tests.lambda_runtime.arrivals import Arrivals
from tests.lambda_runtime.invocation import Invocation
from tests.lambda_runtime.runtime_api import FUNCTION_SECONDS, RuntimeApi

ROOT = "/api/v1"


@dataclass
class Exchange:
    """An answer that has begun: its status, its headers with names in small letters, and what arrives."""

    status: int
    headers: dict[str, str]
    arrivals: Arrivals
    invocation: Invocation | None = None

    @property
    def body(self) -> bytes:
        return self.invocation.body if self.invocation else self.arrivals.content

    async def whole(self) -> bytes:
        await self.arrivals.until_end()
        return self.body


class Wire(Protocol):
    """How a request is sent; ``user_id`` is in it, or in its token."""

    def ask(
        self, path: str, body: dict[str, Any], user_id: str, headers: dict[str, str] | None = None
    ) -> contextlib.AbstractAsyncContextManager[Exchange]:
        """The exchange, once there is a status."""
        ...


class LambdaWire:
    """API Gateway's part, played by the test: it makes the event and reads what the function sends."""

    def __init__(self, runtime: RuntimeApi) -> None:
        self.runtime = runtime

    @contextlib.asynccontextmanager
    async def ask(
        self,
        path: str,
        body: dict[str, Any],
        user_id: str,
        headers: dict[str, str] | None = None,
        *,
        in_base64: bool = False,
        seconds: float = FUNCTION_SECONDS,
    ) -> AsyncIterator[Exchange]:
        """Without a ``user_id`` there is no token; ``seconds`` are what the function has for it."""
        claims = {"sub": user_id, "custom:tenant_id": "default"} if user_id else None
        event = proxy_event(ROOT + path, body, claims=claims, headers=headers, in_base64=in_base64)
        invocation = self.runtime.invoke(event, seconds)
        metadata = await invocation.metadata()
        answered = {name.lower(): value for name, value in metadata["headers"].items()}
        yield Exchange(metadata["statusCode"], answered, invocation.arrivals, invocation)


class GatewayWire:
    """A client of the local gateway that notes each read."""

    def __init__(self, url: str) -> None:
        self.url = url

    @contextlib.asynccontextmanager
    async def ask(
        self, path: str, body: dict[str, Any], user_id: str, headers: dict[str, str] | None = None
    ) -> AsyncIterator[Exchange]:
        sent = body | {"user_id": user_id}
        async with (
            httpx.AsyncClient(timeout=60, trust_env=False) as client,
            client.stream("POST", self.url + ROOT + path, json=sent, headers=headers) as response,
        ):
            arrivals = Arrivals()
            reading = asyncio.ensure_future(_read(response, arrivals))
            try:
                yield Exchange(response.status_code, dict(response.headers), arrivals)
            finally:
                reading.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reading


async def _read(response: httpx.Response, arrivals: Arrivals) -> None:
    try:
        async for content in response.aiter_raw():
            arrivals.add(content)
    finally:
        arrivals.end()
