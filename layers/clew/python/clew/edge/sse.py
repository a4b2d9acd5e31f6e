"""Server-sent events on the wire."""

from collections.abc import Iterable, Mapping
from typing import Final

from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent

LAST_EVENT_ID: Final = "last-event-id"


def frames(events: Iterable[StreamEvent]) -> bytes:
    """The events as frames of an id and one line of data; JSON has no line breaks of its own."""
    return "".join(f"id: {each.id}\ndata: {each.data}\n\n" for each in events).encode()


def last_event_id(headers: Mapping[str, str]) -> EventId | None:
    """The last event that a client has, which comes back; None where it tells none of ours."""
    return EventId.parse(headers.get(LAST_EVENT_ID, ""))
