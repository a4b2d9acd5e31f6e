"""The data of server-sent events, however the stream is cut."""

import pytest

from clew.models.event_data import EventData

STREAM = (
    b': a comment\n\nid: 1\nevent: message\ndata: {"a": "\xe5\xad\x97"}\r\n\r\n'
    b"data:first\ndata: second\n\ndata: [DONE]\n\n"
)
DATA = ['{"a": "字"}', "first\nsecond", "[DONE]"]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_each_event_comes_whole_wherever_the_stream_is_cut(size: int) -> None:
    data = EventData()
    pieces = (STREAM[start : start + size] for start in range(0, len(STREAM), size))
    assert [each for piece in pieces for each in data.take(piece)] == DATA


def test_an_event_comes_with_the_piece_that_ends_it() -> None:
    data = EventData()
    assert data.take(b"data: a") == []
    assert data.take(b"b\n") == []
    assert data.take(b"\n") == ["ab"]


def test_what_has_no_end_is_no_event() -> None:
    assert EventData().take(b"data: cut off\n") == []
