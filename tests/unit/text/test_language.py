"""Telling English from Chinese where a text has both."""

import pytest

from clew.text.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who directed Inception?", "en"),
        ("谁执导了《盗梦空间》？", "zh"),
        ("Inception 的导演是谁？", "zh"),
        ("Who directed the film 卧虎藏龙?", "en"),
        ("CS301 的先修课程由谁主讲？", "zh"),
        ("What does 关系 mean?", "en"),
        ("", "en"),
        ("1234 !?", "en"),
        ("是", "zh"),
        ("ひらがな", "en"),  # neither of the two: the default
        ("㐀㐁", "zh"),  # rare characters count as well
    ],
)
def test_a_text_is_in_the_language_that_weighs_more(text: str, language: str) -> None:
    assert detect_language(text) == language
