"""Sending requests as they are, and what came back."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

import httpx

from tests.fuzzing.request import Request

LIMIT: Final = 30.0
"""Seconds. A refusal takes some hundredths and an answer about one, so whatever takes this long hangs."""


@dataclass(frozen=True)
class Reply:
    """``status`` is 0 where there was none, and ``trouble`` then tells why."""

    status: int
    media_type: str = ""
    body: bytes = b""
    seconds: float = 0.0
    trouble: str = ""


class Wire:
    """A connection pool to one service; safe to share between threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._http = httpx.Client(timeout=LIMIT, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def send(self, request: Request) -> Reply:
        """The whole answer, or that it did not come in time; target and headers go as they are, unescaped."""
        began = time.monotonic()
        outgoing = self._http.build_request(
            request.method,
            self._url,
            headers=[(name.encode(), value) for name, value in request.headers],
            content=_pieces(request.body) if request.in_pieces else request.body,
            extensions={"target": request.target},
        )
        try:
            answer = self._http.send(outgoing, stream=True)
            try:
                body = bytearray()
                for chunk in answer.iter_raw():
                    body += chunk
                    if time.monotonic() - began > LIMIT:
                        return Reply(0, seconds=time.monotonic() - began, trouble="the answer does not end")
            finally:
                answer.close()
        except httpx.HTTPError as error:
            return Reply(0, seconds=time.monotonic() - began, trouble=f"{type(error).__name__}: {error}")
        media_type = answer.headers.get("content-type", "")
        return Reply(answer.status_code, media_type, bytes(body), time.monotonic() - began)

    def get(self, path: str, tenant_id: str, **query: str | int) -> httpx.Response:
        """A read of the service's own, to see what it has stored."""
        headers = {"X-Tenant-Id": tenant_id} if tenant_id else {}
        return self._http.get(self._url + path, params=query, headers=headers)


def _pieces(body: bytes) -> Iterator[bytes]:
    """Cut where no character ends, so that they go with Transfer-Encoding: chunked."""
    yield from (body[start : start + 7] for start in range(0, len(body), 7))
