"""A meter before DynamoDB: an HTTP proxy that counts what passes, by operation.

It stands where an AWS client's endpoint is. Units of writes are those that the emulator reports, which has them
right; for reads it reports a flat figure, so they are counted from the items. Where a request asks for some
attributes alone it is charged for whole items all the same, so the meter reads those items once more, uncounted.
"""

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import urlsplit

from tests.bench.conversation.item_size import read_units

WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}
READS = {"GetItem", "Query", "BatchGetItem"}
HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive", "host"}
REFUSED_WRITE = 1.0  # a write whose condition fails is charged as if it had been made; these items are below 1 KB


@dataclass
class Count:
    """What passed: requests by operation, bytes of bodies both ways, units."""

    requests: Counter[str] = field(default_factory=Counter)
    bytes: int = 0
    read: float = 0.0
    write: float = 0.0

    def __sub__(self, earlier: "Count") -> "Count":
        return Count(
            self.requests - earlier.requests,
            self.bytes - earlier.bytes,
            self.read - earlier.read,
            self.write - earlier.write,
        )

    def __add__(self, other: "Count") -> "Count":
        return Count(
            self.requests + other.requests, self.bytes + other.bytes, self.read + other.read, self.write + other.write
        )

    @property
    def total_requests(self) -> int:
        return sum(self.requests.values())


class Meter:
    """A running meter; ``url`` is where clients are sent."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._count = Count()
        self._lock = threading.Lock()

    def now(self) -> Count:
        """All that has passed so far."""
        with self._lock:
            count = self._count
            return Count(Counter(count.requests), count.bytes, count.read, count.write)

    def add(self, operation: str, size: int, read: float, write: float) -> None:
        with self._lock:
            self._count.requests[operation] += 1
            self._count.bytes += size
            self._count.read += read
            self._count.write += write


@contextmanager
def metered(endpoint: str) -> Iterator[Meter]:
    """A meter before the DynamoDB at ``endpoint``, on a port of its own."""
    there = urlsplit(endpoint)

    class Handler(_Handler):
        host: ClassVar[str] = there.hostname or ""
        port: ClassVar[int] = there.port or 80

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    meter = Handler.meter = Meter(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield meter
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    meter: ClassVar[Meter]
    host: ClassVar[str]
    port: ClassVar[int]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        operation = (self.headers.get("X-Amz-Target") or "").rpartition(".")[2]
        request: dict[str, Any] = json.loads(body or b"{}")
        sent = json.dumps(request | {"ReturnConsumedCapacity": "TOTAL"}).encode() if operation in WRITES else body
        status, headers, answer = self._forward(sent)
        if operation in WRITES | READS:
            read, write = self._units(operation, request, status, json.loads(answer or b"{}"))
            self.meter.add(operation, len(body) + len(answer), read, write)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        return

    def _forward(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
            connection.request("POST", "/", body, headers)
            response = connection.getresponse()
            content = response.read()
            kept = [(name, value) for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP]
            return response.status, kept, content
        finally:
            connection.close()

    def _units(
        self, operation: str, request: dict[str, Any], status: int, answer: dict[str, Any]
    ) -> tuple[float, float]:
        """Read and write units of one request."""
        if operation in WRITES:
            return 0.0, _written(answer) if status == 200 else REFUSED_WRITE
        if status != 200:
            return 0.0, 0.0
        if "ProjectionExpression" in request:
            answer = self._whole(request)
        if operation == "BatchGetItem":
            asked = request["RequestItems"]
            read = sum(
                read_units([item], consistent=asked[table].get("ConsistentRead", False))
                for table, items in answer["Responses"].items()
                for item in items
            )
            return read, 0.0
        items = answer.get("Items") or ([answer["Item"]] if answer.get("Item") else [])
        return read_units(items, consistent=bool(request.get("ConsistentRead"))), 0.0

    def _whole(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to the same request for whole items."""
        used = f"{request.get('KeyConditionExpression', '')} {request.get('FilterExpression', '')}"
        names = {name: value for name, value in request.get("ExpressionAttributeNames", {}).items() if name in used}
        without = {
            name: value
            for name, value in request.items()
            if name not in ("ProjectionExpression", "ExpressionAttributeNames")
        }
        _, _, answer = self._forward(
            json.dumps(without | ({"ExpressionAttributeNames": names} if names else {})).encode()
        )
        whole: dict[str, Any] = json.loads(answer)
        return whole


def _written(answer: dict[str, Any]) -> float:
    consumed = answer.get("ConsumedCapacity") or {}
    several = consumed if isinstance(consumed, list) else [consumed]
    return sum(float(each.get("CapacityUnits", 0.0)) for each in several)
