"""Citation marks in an answer that arrives in pieces: which stay, which go, and that how it is cut plays no part."""

import random
import re
import time
from collections.abc import Iterator

import pytest

from clew.text.citation_marks import LONGEST, MOST_BLANKS, MarkFilter, cited_numbers, without_marks

PASSAGES = 3


def filtered(answer: str, passages: int = PASSAGES) -> str:
    marks = MarkFilter(passages)
    return marks.take(answer) + marks.end()


def in_pieces(answer: str, longest: int, chance: random.Random) -> Iterator[str]:
    while answer:
        at = chance.randint(1, longest)
        yield answer[:at]
        answer = answer[at:]


def texts(seed: int) -> Iterator[tuple[str, int]]:
    """Texts of what marks consist of, in which all that can go wrong with brackets does, and a number of passages."""
    chance = random.Random(seed)  # noqa: S311
    for _ in range(3_000):
        signs = chance.choice(("[ 1]9†", "[]`9 1\n(", "[]【】［``\n (9189,-1０ a†", "[1]  9\n", "[, 1-23]`"))
        length = chance.randint(1, chance.choice((10, 40, 150)))
        yield "".join(chance.choice(signs) for _ in range(length)), chance.choice((0, 1, 3, 8))


@pytest.mark.parametrize(
    ("written", "passed"),
    [
        ("Nolan [1].", "Nolan [1]."),
        ("Nolan [1][3].", "Nolan [1][3]."),
        ("Nolan [3][1], [2].", "Nolan [3][1], [2]."),
        ("Nolan [1, 3].", "Nolan [1][3]."),
        ("Nolan [1,3;2].", "Nolan [1][3][2]."),
        ("诺兰[1，3]。", "诺兰[1][3]。"),
        ("诺兰[1、3]。", "诺兰[1][3]。"),
        ("诺兰【1】。", "诺兰[1]。"),
        ("诺兰［１，３］。", "诺兰[1][3]。"),
        ("Nolan [1-3].", "Nolan [1][2][3]."),
        ("Nolan [1–2, 3].", "Nolan [1][2][3]."),
        ("Nolan [ 2 ].", "Nolan [2]."),
        ("Nolan [1, 1].", "Nolan [1]."),
        ("Nolan 【2†source】, 【1†L4-L9】.", "Nolan [2], [1]."),
        ("[1] Nolan", "[1] Nolan"),
        ("[[1]]", "[[1]]"),
    ],
)
def test_marks_come_out_in_one_form(written: str, passed: str) -> None:
    assert filtered(written) == passed


@pytest.mark.parametrize(
    ("written", "passed"),
    [
        ("Nolan [9].", "Nolan."),
        ("Nolan[9].", "Nolan."),
        ("Nolan [0].", "Nolan."),
        ("Nolan [4] made it.", "Nolan made it."),
        ("诺兰 【9】。", "诺兰。"),
        ("Nolan [1, 9].", "Nolan [1]."),
        ("Nolan [2-5].", "Nolan [2][3]."),
        ("Nolan [8-9].", "Nolan."),
        ("Nolan [9] [1] [8].", "Nolan [1]."),
        ("Nolan [9][8].", "Nolan."),
        ("Nolan 【9†source】.", "Nolan."),
        ("[9] Nolan\n[8] Zimmer", "Nolan\nZimmer"),
        ("- [9] Nolan", "- Nolan"),
        ("  [9]  Nolan", "Nolan"),
    ],
)
def test_numbers_that_cite_nothing_go_with_the_blank_before_them(written: str, passed: str) -> None:
    assert filtered(written) == passed


@pytest.mark.parametrize(
    "text",
    [
        "as he said [sic]",
        "in [2024], and from [1999-2004]",
        "[-1] [1.5] [a] [1a] [^9] [] [ ] [,] [1,] [9/10]",
        "it won [3-1], digits are [0-9]",
        "`a[9]` and ``b[9]`[8]``",
        "```python\nx = y[9]\n\nz = [7, 8]\n```",
        "see [9](https://example.org/9) and [7](#seven)",
        "text[",
        "[1234567890, 1234567890, 1234567890, 1234567890]",
    ],
)
def test_what_is_no_mark_stays_as_it_is(text: str) -> None:
    assert filtered(text) == text
    assert cited_numbers(text, 99) == ()


def test_code_ends_where_as_many_backticks_close_it_and_a_stray_one_with_its_line() -> None:
    assert filtered("`a[9]` [9] ``b[9] ` [9]`` [9].") == "`a[9]` ``b[9] ` [9]``."
    assert filtered("5` long [9].\nThen [9].") == "5` long [9].\nThen."
    assert filtered("```\na[9]\n`` [9]\n``` [9].") == "```\na[9]\n`` [9]\n```."


def test_what_a_stray_backtick_hides_from_the_filter_is_cited_all_the_same() -> None:
    assert cited_numbers("5` long [1].", 3) == (1,)
    assert filtered("5` long [1].") == "5` long [1]."
    assert cited_numbers("a `b`` c [1] `d [2]\n`e` [3]", 3) == (2, 3)
    assert cited_numbers("[`1]", 3) == ()
    assert cited_numbers("[1]`(x)", 3) == (1,)
    assert cited_numbers("```\na ` b [1]\n``` and [2]", 3) == (2,)


@pytest.mark.parametrize(
    ("written", "passed"),
    [("[8[9]]", "[8[]]"), ("[[9]1]", "[[]1]"), ("[1 [9] ,2]", "[1 [] ,2]"), ("`a`[9]`b`", "`a` `b`")],
)
def test_what_is_left_of_a_mark_and_what_is_right_of_it_form_no_other(written: str, passed: str) -> None:
    assert filtered(written) == passed


@pytest.mark.parametrize("ended", ["Nolan [9", "Nolan [1, ", "Nolan 【1", "Nolan [1†sou"])
def test_a_mark_that_the_end_cuts_off_goes(ended: str) -> None:
    assert filtered(ended) == "Nolan"


def test_without_passages_every_mark_goes() -> None:
    assert (
        filtered("Hello [1], and [2][3]! 好【1】。 It was in [1999].", passages=0)
        == "Hello, and! 好。 It was in [1999]."
    )


def test_no_mark_that_cites_nothing_is_left_in_any_text() -> None:
    for text, passages in texts(seed=1):
        outside_code = re.split(r"`.*", filtered(text, passages), flags=re.DOTALL)[0]
        for mark in re.finditer(r"[\[【［]([0-9０-９]{1,3})[\]】］](?!\()", outside_code):
            assert mark[0] == f"[{int(mark[1])}]"
            assert 1 <= int(mark[1]) <= passages, (text, passages)


def test_what_comes_out_does_not_depend_on_how_the_text_is_cut() -> None:
    chance = random.Random(2)  # noqa: S311
    for text, passages in texts(seed=2):
        whole = filtered(text, passages)
        for longest in (1, 6):
            marks = MarkFilter(passages)
            passed = "".join(marks.take(piece) for piece in in_pieces(text, longest, chance))
            assert whole.startswith(passed)
            assert passed + marks.end() == whole, (text, passages)
            assert marks.numbers <= set(cited_numbers(text, passages))


def test_what_has_been_filtered_stays_as_it_is() -> None:
    for text, passages in texts(seed=3):
        once = filtered(text, passages)
        assert filtered(once, passages) == once, (text, passages)
        assert cited_numbers(once, passages) == cited_numbers(text, passages)


def test_text_is_passed_on_at_once_and_a_mark_as_soon_as_it_is_one() -> None:
    marks = MarkFilter(PASSAGES)
    assert [marks.take(piece) for piece in ("Christ", "opher Nolan", " ", "[", "1", "]", ".")] == [
        "Christ",
        "opher Nolan",
        "",
        "",
        "",
        "",
        " [1].",
    ]


@pytest.mark.parametrize("text", ["[1" + ", 1" * 99, "[ " + " " * 99, "[1†" + "x" * 99, " " * 99, "[" * 99], ids=ascii)
def test_no_more_is_held_back_than_a_mark_can_be(text: str) -> None:
    marks, passed = MarkFilter(PASSAGES), 0
    for given, sign in enumerate(text, start=1):
        passed += len(marks.take(sign))
        assert given - passed <= LONGEST + MOST_BLANKS
    assert passed > 0


@pytest.mark.parametrize("text", ["[1] word ", "[", "[1†", "[9]\n", "`", " ", "[1,", "x       [9]"], ids=ascii)
def test_long_texts_take_no_time(text: str) -> None:
    began = time.process_time()
    without_marks(text * 10_000)
    assert time.process_time() - began < 2


def test_the_time_of_a_piece_is_small_beside_that_of_a_token(tell) -> None:
    pieces = [
        "Christopher",
        " Nolan",
        " directed",
        " it",
        " [",
        "1",
        "]",
        ",",
        " and",
        " wrote",
        " it",
        " [9",
        "].",
        "\n",
    ]
    marks = MarkFilter(PASSAGES)
    began = time.process_time()
    for _ in range(500):
        for piece in pieces:
            marks.take(piece)
    each = (time.process_time() - began) / (500 * len(pieces))
    tell(f"{each * 1e6:.1f} µs a piece")
    assert each < 0.0001


def test_marks_can_be_taken_out_of_what_was_stored() -> None:
    assert without_marks("Yes [1], in [1999] [12].") == "Yes, in [1999]."
    assert without_marks("对[1][2]。") == "对。"
