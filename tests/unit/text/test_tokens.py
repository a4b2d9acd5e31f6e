"""Reckoning how many tokens a text takes: against what vocabularies in use make of the same texts."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from clew.text.tokens import estimate_by_script, estimate_tokens

COUNTED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "tokens.jsonl").read_text(encoding="utf-8").splitlines()
]
ENGLISH = [text for text in COUNTED if text["language"] == "en"]
CHINESE = [text for text in COUNTED if text["language"] == "zh"]

# Foreign names on end and tables of numbers: there the vocabularies differ by up to 18 % among themselves.
HARD = {"en-names": 0.27, "en-numbers": 0.16}


def error(text: dict[str, Any], vocabulary: str) -> float:
    counted: int = text["tokens"][vocabulary]
    return estimate_tokens(text["text"]) / counted - 1


def test_the_texts_are_long_enough_to_tell_and_in_both_languages() -> None:
    assert len(ENGLISH) >= 12
    assert len(CHINESE) >= 12
    assert all(text["tokens"]["o200k_base"] >= 200 for text in COUNTED)


@pytest.mark.parametrize("text", COUNTED, ids=lambda text: text["id"])
def test_the_estimate_is_right_to_15_per_cent(text: dict[str, Any]) -> None:
    assert abs(error(text, "o200k_base")) <= 0.15


@pytest.mark.parametrize("vocabulary", ["cl100k_base", "claude_2", "deepseek_v3"])
@pytest.mark.parametrize("text", ENGLISH, ids=lambda text: text["id"])
def test_in_english_other_vocabularies_are_met_as_well(text: dict[str, Any], vocabulary: str) -> None:
    assert abs(error(text, vocabulary)) <= HARD.get(text["id"], 0.15)


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE, COUNTED], ids=["english", "chinese", "all"])
def test_over_many_texts_errors_cancel_out(texts: list[dict[str, Any]]) -> None:
    estimated = sum(estimate_tokens(text["text"]) for text in texts)
    assert estimated == pytest.approx(sum(text["tokens"]["o200k_base"] for text in texts), rel=0.06)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        (" ", 1, 1),
        ("a", 1, 2),
        ("😀", 1, 3),
        ("Who directed it?", 4, 6),
        ("盗梦空间", 2, 5),
        ("导演是谁？", 3, 6),
        ("こんにちは世界", 2, 9),
        ("1,234,567", 3, 6),
        ("\n\n\n", 1, 2),
    ],
)
def test_short_texts_are_met_roughly_and_never_by_nothing(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_two_texts_together_take_about_what_they_take_apart() -> None:
    one, other = COUNTED[0]["text"], COUNTED[13]["text"]
    together = estimate_tokens(f"{one}\n{other}")
    assert together == pytest.approx(estimate_tokens(one) + estimate_tokens(other), abs=3)


def test_chinese_is_told_from_all_else() -> None:
    assert estimate_by_script("Who directed Inception in 2010?")[0] == 0
    assert estimate_by_script("谁导演了盗梦空间")[1] == 0
    han, other = estimate_by_script("谁导演了 Inception?")
    assert han > 0 < other


@pytest.mark.parametrize(
    "text",
    ["word " * 20_000, "好" * 34_000, "\n" * 100_000, " " * 100_000, "({[" * 34_000, "1" * 100_000, "aB" * 50_000],
    ids=["words", "chinese", "lines", "blanks", "signs", "digits", "case"],
)
def test_a_kilobyte_of_anything_takes_less_than_a_millisecond(text: str) -> None:
    begun = time.process_time()
    assert estimate_tokens(text) > 0
    assert time.process_time() - begun < 0.1
