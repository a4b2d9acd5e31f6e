"""Breaking up a question that sets several named things side by side."""

import pytest

from clew.retrieval.evidence import EntityRef
from clew.retrieval.research.sub_questions import MOST, sub_questions
from tests.unit.retrieval.small_reader import SmallReader, films


def parts(query: str, reader: SmallReader | None = None) -> list[str]:
    return sub_questions(query, (reader or films()).link(query))


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (
            "Which came out first, Inception or Crouching Tiger, Hidden Dragon?",
            ["Which came out first, Inception or ?", "Which came out first, or Crouching Tiger, Hidden Dragon?"],
        ),
        (
            "《盗梦空间》和《卧虎藏龙》哪部先上映？",
            ["《盗梦空间》和《》哪部先上映？", "《》和《卧虎藏龙》哪部先上映？"],
        ),
        ("季默与谭盾谁更年长？", ["季默与谁更年长？", "与谭盾谁更年长？"]),
        ("Did Hans Zimmer and 谭盾 ever meet?", ["Did Hans Zimmer and ever meet?", "Did and 谭盾 ever meet?"]),
    ],
)
def test_each_named_thing_is_asked_for_alone(query: str, asked: list[str]) -> None:
    assert parts(query) == asked


@pytest.mark.parametrize("query", ["Who directed Inception?", "《盗梦空间》是谁导演的？", "Who was it?", ""])
def test_a_question_of_one_thing_stays_whole(query: str) -> None:
    assert parts(query) == []


def test_a_name_that_two_things_share_is_one_thing_asked() -> None:
    reader = SmallReader([EntityRef(id="novel", name="Dune"), EntityRef(id="film", name="dune")])
    assert len(reader.link("Dune")) == 2
    assert parts("Who wrote Dune?", reader) == []


def test_a_long_list_is_not_asked_one_by_one() -> None:
    reader = SmallReader([EntityRef(id=f"n{number}", name=f"Person{number}") for number in range(9)])
    query = " and ".join(f"Person{number}" for number in range(9))
    assert len(parts(query, reader)) == MOST
    assert parts(query, reader)[0].split(" and ")[0] == "Person0"


def test_the_same_part_is_asked_once() -> None:
    assert parts("Inception Inception") == ["Inception"]
