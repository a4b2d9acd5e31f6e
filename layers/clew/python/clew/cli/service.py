"""The HTTP service as the command line sees it."""

import contextlib
import json
import time
from collections.abc import Generator
from typing import Any
from uuid import uuid4

import httpx
from httpx_sse import SSEError, connect_sse

from clew.errors import ClewError

ROOT = "/api/v1"
# The stream has a heartbeat every 10 s: silence beyond this is a dead connection.
TIMEOUT = httpx.Timeout(60.0, connect=5.0)
CANCEL_TIMEOUT = 5.0
LAST = ("done", "error")
RECONNECTS = 3
RECONNECT_AFTER = 0.5  # seconds before the first; each further one waits longer by that


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

    def stream(self, message: str, session_id: str, **options: Any) -> Generator[dict[str, Any], None, None]:
        """The events of an answer; ServiceError if the request is refused or the stream tears.

        A connection that is lost after the first event is made anew, and the stream goes on where it was. Whoever
        leaves before the end cancels the answer.
        """
        body = self._with_user({"session_id": session_id, "message": message, "message_id": uuid4().hex, **options})
        last_id, lost = "", 0
        while True:
            try:
                for id, told in self._connection(body, last_id):
                    last_id, lost = id or last_id, 0 if id != last_id else lost
                    yield told
                    if told["status"] in LAST:
                        return
                if not last_id:
                    return  # of a service that numbers no events
                broke = "it ended the stream before the answer"
            except (httpx.TransportError, SSEError) as error:
                broke = type(error).__name__
                if not last_id:
                    raise ServiceError(f"{self.url} does not answer as it should ({broke}).") from error
            lost += 1
            if lost > RECONNECTS:
                raise ServiceError(f"{self.url} does not answer as it should ({broke}).")
            time.sleep(RECONNECT_AFTER * lost)

    def _connection(self, body: dict[str, Any], last_id: str) -> Generator[tuple[str, dict[str, Any]], None, None]:
        """The events of one connection with their ids; whoever leaves before the end cancels the answer."""
        headers = self._headers | ({"Last-Event-ID": last_id} if last_id else {})
        with (
            httpx.Client(timeout=TIMEOUT, headers=headers) as client,
            connect_sse(client, "POST", f"{self.url}{ROOT}/chat/stream", json=body) as source,
        ):
            if source.response.is_error:
                source.response.read()
                raise _refused(source.response)
            over = False
            try:
                for event in source.iter_sse():
                    told = json.loads(event.data)
                    over = told["status"] in LAST
                    yield event.id, told
            except (GeneratorExit, KeyboardInterrupt):
                # While the connection is open, lest the service take the client for lost.
                if not over:
                    self._cancel(body["session_id"], body["message_id"])
                raise

    def _cancel(self, session_id: str, message_id: str) -> None:
        """Stop an answer that nobody reads any more; where that fails, it ends by itself."""
        body = self._with_user({"session_id": session_id, "message_id": message_id})
        with contextlib.suppress(httpx.TransportError):
            httpx.post(f"{self.url}{ROOT}/chat/cancel", json=body, timeout=CANCEL_TIMEOUT, headers=self._headers)

    def _with_user(self, body: dict[str, Any]) -> dict[str, Any]:
        return body | ({"user_id": self._user_id} if self._user_id else {})

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
