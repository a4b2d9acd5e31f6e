"""Texts cut at the ends of sentences."""

import pytest

from clew.answering.prompting.shortening import MARK, beginning, middle_out
from clew.text.sentences import split_sentences
from clew.text.tokens import estimate_tokens

ENGLISH = " ".join(f"Sentence number {number} tells of the harbour and its bridge." for number in range(1, 60))
CHINESE = "".join(f"第{number}句话说的是港口和那座旧桥的事情。" for number in range(1, 60))
UNBROKEN = "harbour bridge " * 500


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_beginning_is_whole_sentences(text: str) -> None:
    cut = beginning(text, 100, estimate_tokens)
    assert text.startswith(cut)
    assert 60 <= estimate_tokens(cut) <= 100
    assert [each.text for each in split_sentences(cut)] == [each.text for each in split_sentences(text[: len(cut)])]
    assert cut.endswith((".", "。"))


def test_what_fits_stays_as_it_is() -> None:
    assert beginning("Short.", 100, estimate_tokens) == middle_out("Short.", 100, estimate_tokens) == "Short."


def test_a_first_sentence_that_is_too_long_leaves_no_beginning() -> None:
    assert beginning(UNBROKEN, 100, estimate_tokens) == ""


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_middle_goes_with_a_mark_and_both_ends_are_whole_sentences(text: str) -> None:
    cut = middle_out(text, 150, estimate_tokens)
    head, mark, tail = cut.partition(f" {MARK} ")
    assert mark
    assert text.startswith(head)
    assert text.endswith(tail)
    whole = {each.text for each in split_sentences(text)}
    assert {each.text for each in (*split_sentences(head), *split_sentences(tail))} <= whole
    assert estimate_tokens(head) > estimate_tokens(tail) > 0
    assert 100 <= estimate_tokens(cut) <= 150


@pytest.mark.parametrize(
    "text", [UNBROKEN, "字" * 9_000, "x" * 9_000, "\n" * 9_000 + "end", " " * 9_000 + "end"], ids=lambda text: text[:1]
)
@pytest.mark.parametrize("limit", [10, 100, 600])
def test_text_without_sentences_is_cut_all_the_same(text: str, limit: int) -> None:
    cut = middle_out(text, limit, estimate_tokens)
    assert estimate_tokens(cut) <= limit
    assert MARK in cut or cut == text


def test_a_question_at_the_end_of_something_long_survives() -> None:
    cut = middle_out(f"{UNBROKEN}\n\nWhat does this mean?", 200, estimate_tokens)
    assert cut.startswith("harbour bridge")
    assert cut.endswith(f"{MARK} What does this mean?")


@pytest.mark.parametrize("limit", [-5, 0, 1, 3])
def test_where_hardly_the_mark_fits_nothing_is_left(limit: int) -> None:
    assert middle_out(ENGLISH, limit, estimate_tokens) == ""
    assert beginning(ENGLISH, limit, estimate_tokens) == ""
