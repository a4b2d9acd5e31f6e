"""Server-sent events taken apart by the letter, so that a test sees each byte that a client would."""

import json
import re
from dataclasses import dataclass
from typing import Any

PING = b": ping\n"
_EVENT = re.compile(rb"id: ([^\n]+)\ndata: ([^\n]+)\n\n")


@dataclass(frozen=True)
class Frame:
    """One event, as the stream had it."""

    id: str
    content: dict[str, Any]

    @property
    def status(self) -> str:
        return str(self.content["status"])


def frames(stream: bytes) -> list[Frame]:
    """All events of ``stream``, which has nothing beside them but heartbeats; a half event at its end is an error."""
    found = []
    for part in re.split(rb"(?m)^" + PING, stream):
        rest = part
        while rest:
            match = _EVENT.match(rest)
            assert match, f"no event: {rest!r}"
            found.append(Frame(match[1].decode(), json.loads(match[2])))
            rest = rest[match.end() :]
    return found


def text_of(events: list[Frame]) -> str:
    return "".join(event.content["content"] for event in events if event.status == "token")
