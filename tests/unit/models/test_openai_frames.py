"""Frames of a chat-completions stream: what they add up to, and what they say went wrong."""

import json
from typing import Any

import pytest

from clew.answering.usage import Usage
from clew.models.openai_frames import ErrorFrameError, Reply


def take(**frame: Any) -> Reply:
    reply = Reply()
    reply.take(json.dumps(frame))
    return reply


@pytest.mark.parametrize(
    ("details", "cached"),
    [
        ({}, 0),
        ({"prompt_tokens_details": None}, 0),
        ({"prompt_tokens_details": {"cached_tokens": None}}, 0),
        ({"prompt_tokens_details": {"cached_tokens": 6, "audio_tokens": 0}}, 6),
    ],
)
def test_cached_tokens_are_part_of_the_input(details: dict[str, Any], cached: int) -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 7, **details}
    assert take(choices=[], usage=usage).usage == Usage(input_tokens=11, output_tokens=7, cache_read_tokens=cached)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 429, "message": "slow down"}, 429),
        ({"code": "rate_limit_exceeded", "type": "tokens"}, 429),
        ({"code": None, "type": "rate_limit_error"}, 429),
        ({"code": 503, "type": "unavailable_error", "message": "Loading model"}, 503),
        ({"code": None, "type": "server_error"}, 503),
        ({"type": "InternalServerError"}, 503),
        ({"type": "overloaded_error"}, 503),
        ({"code": 400, "type": "BadRequestError"}, 400),
        ({"code": "context_length_exceeded", "type": "invalid_request_error"}, 0),
        ({"message": "rate limits are described in the documentation"}, 0),
        ("the model runner has stopped", 0),
    ],
)
def test_an_error_frame_tells_its_status_in_numbers_or_words(error: Any, status: int) -> None:
    with pytest.raises(ErrorFrameError) as raised:
        take(error=error)
    assert raised.value.status == status
