"""The HTTP service as the command line sees it."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
from httpx_sse import SSEError, connect_sse

from clew.errors import ClewError

ROOT = "/api/v1"
# The stream has a heartbeat every 10 s: silence beyond this is a dead connection.
TIMEOUT = httpx.Timeout(60.0, connect=5.0)


class ServiceError(ClewError):
    """The service refused or cannot be reached; ``type`` is the problem's type where it gave one."""

    def __init__(self, message: str, type_: str = "") -> None:
        super().__init__(message)
        self.type = type_


class Service:
    """A stage's REST resources; ``user_id`` is sent where the stage has no identity."""

    def __init__(self, url: str, *, token: str = "", user_id: str = "") -> None:
        self.url = url.rstrip("/")
        self._user_id = user_id
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def stream(self, message: str, session_id: str, **options: Any) -> Iterator[dict[str, Any]]:
        """The events of an answer; ServiceError if the request is refused or the stream tears."""
        body = {"session_id": session_id, "message": message, **options}
        if self._user_id:
            body["user_id"] = self._user_id
        try:
            with (
                httpx.Client(timeout=TIMEOUT, headers=self._headers) as client,
                connect_sse(client, "POST", f"{self.url}{ROOT}/chat/stream", json=body) as source,
            ):
                if source.response.is_error:
                    source.response.read()
                    raise _refused(source.response)
                for event in source.iter_sse():
                    yield json.loads(event.data)
        except (httpx.TransportError, SSEError) as error:
            raise ServiceError(f"{self.url} does not answer as it should ({type(error).__name__}).") from error

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        """A JSON resource below /api/v1."""
        if self._user_id:
            query["user_id"] = self._user_id
        try:
            response = httpx.get(f"{self.url}{ROOT}{path}", params=query, timeout=TIMEOUT, headers=self._headers)
        except httpx.TransportError as error:
            raise ServiceError(f"{self.url} does not answer ({type(error).__name__}).") from error
        if response.is_error:
            raise _refused(response)
        found: dict[str, Any] = response.json()
        return found


def _refused(response: httpx.Response) -> ServiceError:
    try:
        problem = response.json()
        return ServiceError(str(problem.get("detail") or problem.get("message") or problem), problem.get("type", ""))
    except (ValueError, AttributeError):
        return ServiceError(f"The service answered {response.status_code}.")
