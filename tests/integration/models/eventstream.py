"""The wire of ``application/vnd.amazon.eventstream``: how Bedrock frames a streamed answer."""

import json
import struct
import zlib
from typing import Any

CONTENT_TYPE = "application/vnd.amazon.eventstream"

STRING = 7
"""The type byte of a header whose value is a string."""


def frame(headers: dict[str, str], payload: bytes) -> bytes:
    """One message: prelude with its own checksum, headers, payload, checksum of it all."""
    packed = b"".join(_header(name, value) for name, value in headers.items())
    prelude = struct.pack("!II", 16 + len(packed) + len(payload), len(packed))
    prelude += struct.pack("!I", zlib.crc32(prelude))
    message = prelude + packed + payload
    return message + struct.pack("!I", zlib.crc32(message))


def event(kind: str, content: dict[str, Any]) -> bytes:
    """An event such as ``contentBlockDelta``."""
    headers = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    return frame(headers, json.dumps(content, ensure_ascii=False).encode())


def failure(kind: str, message: str) -> bytes:
    """An error that arrives inside the stream, such as ``throttlingException``."""
    headers = {":exception-type": kind, ":content-type": "application/json", ":message-type": "exception"}
    return frame(headers, json.dumps({"message": message}).encode())


def corrupted(message: bytes) -> bytes:
    """The same message with one bit of its payload flipped, so that the checksum does not fit."""
    place = len(message) - 8
    return message[:place] + bytes([message[place] ^ 1]) + message[place + 1 :]


def _header(name: str, value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", STRING, len(encoded)) + encoded
