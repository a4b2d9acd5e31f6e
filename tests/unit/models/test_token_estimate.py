"""Reckoning tokens where a model does not report them."""

import pytest

from clew.answering.prompt import ChatMessage
from clew.answering.usage import Usage
from clew.models.token_estimate import estimate_tokens, estimate_usage


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("盗梦空间", 4), ("诺兰，2010", 4), ("《卧虎藏龙》。", 7)],
)
def test_four_latin_characters_or_one_chinese_make_a_token(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_usage_of_a_generation_is_marked_as_an_estimate() -> None:
    asked = [ChatMessage("system", "four"), ChatMessage("user", "导演是谁")]
    assert estimate_usage(asked, "李安") == Usage(input_tokens=5, output_tokens=2, estimated=True)
