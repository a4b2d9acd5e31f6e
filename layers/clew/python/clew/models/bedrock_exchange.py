"""One request to Bedrock and its streamed response, so that another thread can end the wait for either.

botocore hands a response over once its headers are there, which is when the model begins to answer. Who goes
away before that would leave a thread waiting and a model at work; so the connection itself is noted, too.
"""

import contextlib
import socket
import threading
from contextvars import ContextVar
from functools import lru_cache
from typing import Any


class Exchange:
    """What the reading thread waits for: first a connection's answer, then the rest of a response."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sock: socket.socket | None = None
        self._raw: Any = None
        self._cut = False

    def begins(self) -> None:
        """Called by the reading thread: it makes the request, and what that waits for can be cut off."""
        _current.set(self)

    def asks(self) -> None:
        """Called before the request is sent; ConnectionAbortedError where nobody waits any more."""
        with self._lock:
            self._refuse_if_cut()

    def waits(self, sock: socket.socket) -> None:
        """Called once the request is sent, before its headers are waited for."""
        with self._lock:
            self._refuse_if_cut()
            self._sock = sock

    def arrived(self, raw: Any) -> None:
        """Called once the headers are there."""
        with self._lock:
            self._sock, self._raw = None, raw
            if self._cut:
                self._shut_down()

    def cut(self) -> None:
        """End the reading: a wait ends at once, and so does one that begins later."""
        with self._lock:
            self._cut = True
            self._shut_down()

    def _refuse_if_cut(self) -> None:
        if self._cut:
            raise ConnectionAbortedError("nobody waits for this answer any more")

    def _shut_down(self) -> None:
        # Closing would wait for the read that is to be ended; shutting the socket down wakes it.
        # All three errors: what was to be read has been read meanwhile, and the connection given back or closed.
        with contextlib.suppress(ValueError, RuntimeError, OSError):
            if self._sock is not None:
                self._sock.shutdown(socket.SHUT_RD)
            elif self._raw is not None:
                self._raw.shutdown()


_current: ContextVar[Exchange | None] = ContextVar("_current", default=None)


def make_interruptible(client: Any) -> None:
    """Let this client of botocore tell the calling thread's exchange what it waits for."""
    client.meta.events.register(
        "after-call.bedrock-runtime.ConverseStream", _note_response, unique_id="clew-note-response"
    )
    # botocore has no event between a request and its response, only the classes that its connections are made
    # of. Should they move, generations end a little later than they might, which a test notices.
    with contextlib.suppress(AttributeError):
        session = client._endpoint.http_session
        session._pool_classes_by_scheme = session._manager.pool_classes_by_scheme = _pools()


def _note_response(http_response: Any, **_: Any) -> None:
    """botocore's after-call hook; it runs in the thread, hence the context, that made the call."""
    if exchange := _current.get():
        exchange.arrived(http_response.raw)


@lru_cache
def _pools() -> dict[str, type]:
    """botocore's pools of connections by scheme, with connections that are noted."""
    from botocore.awsrequest import AWSHTTPConnectionPool, AWSHTTPSConnectionPool

    return {"http": _noting(AWSHTTPConnectionPool), "https": _noting(AWSHTTPSConnectionPool)}


def _noting(pool: Any) -> type:
    return type("NotedPool", (pool,), {"ConnectionCls": type("NotedConnection", (_Noted, pool.ConnectionCls), {})})


class _Noted:
    """What is added to botocore's connections."""

    sock: socket.socket

    def request(self, *args: Any, **kwargs: Any) -> Any:
        if exchange := _current.get():
            exchange.asks()
        return super().request(*args, **kwargs)  # type: ignore[misc]  # of the class that this is mixed into

    def getresponse(self, *args: Any, **kwargs: Any) -> Any:
        if exchange := _current.get():
            exchange.waits(self.sock)
        return super().getresponse(*args, **kwargs)  # type: ignore[misc]
