"""A client of one stream: it notes what comes and when, and can leave at any moment."""

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

PATH: Final = "/api/v1/chat/stream"
LAST: Final = ("done", "error")


@dataclass(frozen=True)
class Event:
    """One event: seconds since the request was sent, its id, and its data."""

    at: float
    id: str
    data: dict[str, Any]

    @property
    def status(self) -> str:
        return str(self.data["status"])


@dataclass
class Heard:
    """A stream as its client heard it.

    ``how`` is ``whole`` for a body that ended as HTTP has it, ``torn`` for one that did not, ``left`` where the
    client hung up, and the status of a response that was no stream.
    """

    events: list[Event] = field(default_factory=list)
    pings: int = 0
    how: str = ""
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return "".join(event.data["content"] for event in self.events if event.status == "token")

    @property
    def words(self) -> int:
        """Tokens of the scripted model: what is sent may be cut otherwise, where a mark is held back."""
        return len(self.text.split())

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1].data if self.events else {}

    @property
    def ending(self) -> str:
        """``done``, the problem type of an error without its prefix, or nothing."""
        if self.last.get("status") == "error":
            return str(self.last["type"]).rpartition(":")[2]
        return "done" if self.last.get("status") == "done" else ""

    @property
    def worker_errors(self) -> list[str]:
        """The errors of workers that ``progress`` tells of."""
        told = (event.data["content"].get("error") for event in self.events if event.status == "progress")
        return [str(error) for error in told if error]

    def statuses(self) -> list[str]:
        return [event.status for event in self.events]


class Listening:
    """A request under way on a thread of its own."""

    def __init__(self, url: str, body: dict[str, Any], last_event_id: str = "", seconds: float = 150) -> None:
        self.heard = Heard()
        self._url = url + PATH
        self._body = body
        self._headers = {"last-event-id": last_event_id} if last_event_id else {}
        self._seconds = seconds
        self._changed = threading.Condition()
        self._socket: socket.socket | None = None
        self._left = False
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def until(self, enough: Callable[[Heard], bool], seconds: float = 60) -> None:
        """Wait until what was heard is ``enough``."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.heard) or self.heard.how, seconds), self.heard
        assert enough(self.heard), self.heard

    def leave(self) -> float:
        """Hang up as a closed laptop does not even tell; when that was, in ``time.monotonic()``."""
        self._left = True
        assert self._socket is not None
        self._socket.shutdown(socket.SHUT_RDWR)
        at = time.monotonic()
        self.end()
        return at

    def end(self) -> Heard:
        """All that was heard, once the stream is over."""
        self._thread.join(self._seconds + 10)
        assert not self._thread.is_alive(), self.heard
        return self.heard

    def _listen(self) -> None:
        how = "torn"
        try:
            # trust_env=False: a proxy in the shell has no business with loopback.
            with (
                httpx.Client(timeout=self._seconds, trust_env=False) as client,
                client.stream("POST", self._url, json=self._body, headers=self._headers) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    how = str(response.status_code)
                    return
                self._socket = response.extensions["network_stream"].get_extra_info("socket")
                self._read(response)
                how = "whole"
        except httpx.HTTPError:
            pass
        finally:
            with self._changed:
                self.heard.how = "left" if self._left else how
                self.heard.seconds = time.monotonic() - self._began
                self._changed.notify_all()

    def _read(self, response: httpx.Response) -> None:
        id = ""
        for line in response.iter_lines():
            name, _, value = line.partition(": ")
            with self._changed:
                match name:
                    case "id":
                        id = value
                    case "data":
                        self.heard.events.append(Event(time.monotonic() - self._began, id, json.loads(value)))
                    case "":
                        self.heard.pings += value == "ping"
                self._changed.notify_all()


def listen(url: str, body: dict[str, Any], last_event_id: str = "", seconds: float = 150) -> Heard:
    """The whole of a stream."""
    return Listening(url, body, last_event_id, seconds).end()


def has(status: str, times: int = 1) -> Callable[[Heard], bool]:
    """Whether so many events of a status were heard."""
    return lambda heard: heard.statuses().count(status) >= times
