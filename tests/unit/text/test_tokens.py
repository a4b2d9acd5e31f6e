"""Reckoning how many tokens a text takes."""

import pytest

from clew.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("盗梦空间", 4), ("诺兰，2010", 4), ("《卧虎藏龙》。", 7)],
)
def test_four_latin_characters_or_one_chinese_make_a_token(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
