"""What stands around a traced function: X-Ray's daemon, and an AWS service that answers everything alike."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class Daemon:
    """Takes in parts of traces over UDP, as the daemon beside every Lambda function does."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        self.address = "{}:{}".format(*self._socket.getsockname())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._socket.close()

    def documents(self) -> list[dict[str, Any]]:
        """All that has been sent, until nothing comes any more."""
        found = []
        while True:
            try:
                head, _, document = self._socket.recvfrom(65_536)[0].decode().partition("\n")
            except TimeoutError:
                return found
            assert json.loads(head) == {"format": "json", "version": 1}
            found.append(json.loads(document))


class Service(ThreadingHTTPServer):
    """An AWS service of the JSON protocol that gives ``answer`` to every call, and notes each call's headers."""

    daemon_threads = True

    def __init__(self, answer: dict[str, Any], status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.status = json.dumps(answer).encode(), status
        self.asked: list[dict[str, str]] = []
        self.url = "http://{}:{}".format(*self.server_address)
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.asked.append({name.lower(): value for name, value in self.headers.items()})
        self.send_response(self.server.status)
        self.send_header("content-type", "application/x-amz-json-1.0")
        self.send_header("content-length", str(len(self.server.answer)))
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, *_: object) -> None:
        """Nothing: the test tells what matters."""
