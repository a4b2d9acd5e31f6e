"""Frames of server-sent events, and the id that comes back."""

import pytest

from clew.answering.events import Start, Token
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent
from clew.edge.sse import frames, last_event_id

ID = EventId("0123456789ab", "abcdef", 3, 17)


def test_a_frame_is_an_id_and_one_line_of_data() -> None:
    sent = frames([StreamEvent.of(ID, Start()), StreamEvent.of(ID, Token(content="一\r\n二\n"))]).decode()
    first, second, end = sent.split("\n\n")
    assert end == ""
    assert first.split("\n") == [f"id: {ID}", 'data: {"status":"start","message_id":""}']
    assert second.split("\n") == [f"id: {ID}", 'data: {"status":"token","content":"一\\r\\n二\\n"}']


def test_the_last_event_is_taken_as_it_was_sent() -> None:
    assert last_event_id({"last-event-id": str(ID)}) == ID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "0123456789ab-abcdef-3",
        "0123456789ab-abcdef-3-17-1",
        "0123456789AB-abcdef-3-17",
        "0123456789ab-abcdef--3-17",
        "0-abcdef-3-99999999",
        "0-abcdef-٣-17",
        "x" * 5000,
    ],
)
def test_what_was_never_sent_is_no_last_event(text: str) -> None:
    assert last_event_id({"last-event-id": text}) is None
