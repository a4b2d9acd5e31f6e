"""Titles are cut where a word or a character ends, as wide in Chinese as in English."""

import pytest

from clew.conversation.title import title_of


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("  Who directed\n Inception?  ", "Who directed Inception?"),
        ("谁导演了\n《卧虎藏龙》？", "谁导演了 《卧虎藏龙》？"),
        ("", ""),
        ("x" * 80, "x" * 80),
        ("啊" * 40, "啊" * 40),
    ],
)
def test_short_message_is_its_own_title(content: str, title: str) -> None:
    assert title_of(content) == title


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (
            "Where was the composer of the music of the film that Christopher Nolan made about Oppenheimer born?",
            "Where was the composer of the music of the film that Christopher Nolan made…",
        ),
        (
            "请问二〇二六年秋季学期计算机科学与技术专业本科生申请转专业的截止日期是哪一天，需要提交什么材料？",
            "请问二〇二六年秋季学期计算机科学与技术专业本科生申请转专业的截止日期是哪一天…",
        ),
        (
            "深度学习与 Transformer 的关系以及 attention 机制在 natural language processing 中的应用和发展历史综述",
            "深度学习与 Transformer 的关系以及 attention 机制在 natural language processing…",
        ),
        ("x" * 81, "x" * 79 + "…"),
        ("啊" * 41, "啊" * 39 + "…"),
        ("啊" * 38 + "（如《活着》）还有哪些", "啊" * 38 + "…"),
        ("One, two, three: " * 5, "One, two, three: " * 4 + "One, two…"),
    ],
)
def test_long_message_is_cut_between_words_or_characters(content: str, title: str) -> None:
    assert title_of(content) == title


@pytest.mark.parametrize("unit", ["e\u0301", "👨\u200d👩\u200d👧\u200d👦", "ก\u0e47", "☀\ufe0f"], ids=ascii)
def test_no_character_is_torn_apart(unit: str) -> None:
    title = title_of(unit * 200)
    assert title.endswith("…")
    assert title[:-1] == unit * ((len(title) - 1) // len(unit))


def test_what_takes_no_room_makes_no_endless_title() -> None:
    assert len(title_of("\u0301" * 30_000)) < 200
