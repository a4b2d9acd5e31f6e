"""A line to a server that can be cut: bytes go both ways until the server seems to have died."""

import contextlib
import socket
import threading
from collections.abc import Iterator

from clew.local.ports import LOOPBACK


class Line:
    """Listens on ``port`` and forwards to a server on the loopback interface."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.port = 0
        self.restore()

    def restore(self) -> None:
        """Take connections (again), on the same port."""
        self._listener = socket.create_server((LOOPBACK, self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def drop(self) -> None:
        """Close the connections there are; new ones are taken: the server was restarted."""
        with self._lock:
            for each in self._sockets:
                _close(each)
            self._sockets.clear()

    def cut(self) -> None:
        """Close the connections and refuse new ones: the server is gone."""
        if self._listener:
            _close(self._listener)
            self._listener = None
        self.drop()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:  # it was closed
                return
            server = socket.create_connection((LOOPBACK, self._server_port))
            with self._lock:
                self._sockets += [client, server]
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=_forward, args=(source, target), daemon=True).start()


def _forward(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):  # either end was closed
        while data := source.recv(65_536):
            target.sendall(data)
    _close(source)
    _close(target)


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is closed already, or never was connected
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextlib.contextmanager
def line_to(server_port: int) -> Iterator[Line]:
    line = Line(server_port)
    try:
        yield line
    finally:
        line.cut()
