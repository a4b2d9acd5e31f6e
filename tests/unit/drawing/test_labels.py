"""The words on a picture: in the reader's language, as they asked, in short lines."""

import pytest

from clew.drawing.labels import Label, clean, label, wrapped
from clew.text.language import Language
from tests.unit.drawing.small_graph import entity

NOLAN = entity("Christopher Nolan", "Nolan", "诺兰", "克里斯托弗·诺兰")
LEE = entity("李安", "Ang Lee")


@pytest.mark.parametrize(
    ("language", "asked", "expected"),
    [
        ("en", "", Label("Christopher Nolan", "克里斯托弗·诺兰")),
        ("zh", "", Label("克里斯托弗·诺兰", "Christopher Nolan")),
        ("zh", "诺兰", Label("诺兰", "Christopher Nolan")),
        ("en", "nolan", Label("Nolan", "克里斯托弗·诺兰")),
        ("en", "NOLAN?", Label("Nolan", "克里斯托弗·诺兰")),
    ],
)
def test_a_label_is_in_the_readers_language_with_the_other_one_below(
    language: Language, asked: str, expected: Label
) -> None:
    assert label(NOLAN, language, asked) == expected


def test_the_language_of_the_document_does_not_matter() -> None:
    assert label(LEE, "en") == Label("Ang Lee", "李安")
    assert label(LEE, "zh") == Label("李安", "Ang Lee")


def test_a_name_in_one_language_alone_stands_alone() -> None:
    assert label(entity("Jane Lin"), "zh") == Label("Jane Lin")


def letters(text: str) -> float:
    return float(len(text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("Inception", ["Inception"]),
        ("Crouching Tiger, Hidden Dragon", ["Crouching Tiger,", "Hidden Dragon"]),
        ("School of Mathematics", ["School of", "Mathematics"]),
        ("少年派的奇幻漂流之一二三四五六", ["少年派的奇幻漂流", "之一二三四五六"]),
        ("IMAX 电影胶片拍摄的黑白影像资料", ["IMAX 电影胶片", "拍摄的黑白影像资料"]),
    ],
)
def test_lines_break_between_words_and_between_chinese_characters(text: str, lines: list[str]) -> None:
    assert wrapped(text, 16 if text.isascii() else 10, letters, 3) == lines


def test_no_line_begins_with_chinese_punctuation() -> None:
    for width in range(4, 12):
        assert not [line for line in wrapped("色，戒：一，二。三", width, letters, 9) if line[0] in "，：。"]


def test_lines_of_one_text_are_about_equally_long() -> None:
    assert wrapped("one two three four five", 20, letters, 3) == ["one two three", "four five"]


@pytest.mark.parametrize("text", ["a" * 100, "word " * 40, "字" * 100, "Donaudampfschifffahrtsgesellschaft " * 4])
def test_what_is_too_long_ends_in_an_ellipsis(text: str) -> None:
    lines = wrapped(text, 12, letters, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert max(map(len, lines)) <= 12


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("a\x00b\nc\td", "a b c d"), ("\ud83c x", "x"), (" Hans\u3000Zimmer ", "Hans Zimmer"), ("活着", "活着")],
)
def test_what_a_picture_cannot_hold_is_left_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
