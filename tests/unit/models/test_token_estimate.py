"""Usage where a model does not report it."""

from dataclasses import replace

import pytest

from clew.answering.prompting.prompt import ChatMessage, Image
from clew.answering.usage import Usage
from clew.models.token_estimate import estimate_usage


def test_usage_of_a_generation_is_marked_as_an_estimate() -> None:
    asked = [ChatMessage("system", "Answer briefly and cite the passages."), ChatMessage("user", "导演是谁？")]
    usage = estimate_usage(asked, "The film was directed by Ang Lee.")
    assert usage.estimated
    # o200k_base makes 7, 3 and 8 tokens of the three texts; a message's template adds some 4.
    assert usage.input_tokens == pytest.approx(7 + 3 + 2 * 4, abs=3)
    assert usage.output_tokens == pytest.approx(8, abs=2)


def test_what_was_not_said_takes_nothing() -> None:
    assert estimate_usage([], "") == Usage(estimated=True)


def test_pictures_take_much_more_than_their_question() -> None:
    asked = ChatMessage("user", "Who is this?")
    shown = replace(asked, images=(Image("image/png", b""), Image("image/webp", b"")))
    more = estimate_usage([shown], "").input_tokens - estimate_usage([asked], "").input_tokens
    assert 2_000 < more < 5_000
