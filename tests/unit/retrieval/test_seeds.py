"""Where a walk starts: at the question's names, and only where it has none at what it comes near to."""

from collections.abc import Mapping

import pytest

from clew.retrieval.evidence import EntityRef
from clew.retrieval.seeds import BY_MEANING, BY_WORDS, EXACT, GUESSED, Seeds, seeds
from tests.unit.retrieval.small_reader import SmallReader, Text, films


def started(reader: SmallReader, query: str, near: Mapping[str, float] | None = None) -> Seeds:
    """The seeds of ``query``; without ``near`` nobody may ask what is near."""

    def given() -> Mapping[str, float]:
        assert near is not None
        return near

    return seeds(reader, query, reader.link(query), given)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Who directed Inception?", {"inception": EXACT}),
        ("《盗梦空间》是谁导演的？", {"inception": EXACT}),
        ("Did Hans Zimmer compose for 李安?", {"zimmer": EXACT, "anglee": EXACT}),
        ("Inception, or 盗梦空间", {"inception": EXACT}),
    ],
)
def test_names_start_fully_active_in_any_spelling(query: str, named: dict[str, float]) -> None:
    found = started(films(), query)
    assert found.activation == named
    assert [entity.id for entity in found.entities] == list(named)


@pytest.mark.parametrize(("name", "chinese"), [("Dune", "沙丘")])
def test_a_name_that_several_share_is_divided_among_them(name: str, chinese: str) -> None:
    novel, film = (
        EntityRef(id="novel", name=name, aliases=(chinese,)),
        EntityRef(id="film", name=chinese, aliases=(name,)),
    )
    author = EntityRef(id="herbert", name="Frank Herbert")
    reader = SmallReader([novel, film, author])
    for query in (f"Is {name} by Frank Herbert?", f"{chinese}的作者是 Frank Herbert 吗？"):
        activation = started(reader, query).activation
        assert 0 < activation["novel"] == activation["film"] < EXACT
        assert activation["herbert"] == EXACT


def test_a_thing_named_by_a_shared_name_and_by_its_own_is_fully_active() -> None:
    reader = SmallReader(
        [EntityRef(id="film", name="Dune: Part One", aliases=("Dune",)), EntityRef(id="novel", name="Dune")]
    )
    for query in ("Dune, I mean Dune: Part One", "Dune: Part One, or just Dune"):
        activation = started(reader, query).activation
        assert activation["novel"] < activation["film"] == EXACT


def test_where_something_is_named_nothing_is_guessed() -> None:
    reader = films()
    started(reader, "Who directed Inception, the music of dreams?")
    assert reader.calls == ["link"]


def test_where_nothing_is_named_words_of_names_and_subjects_of_near_passages_are_taken() -> None:
    near = {"director": 0.9, "city": 0.8, "film": 0.7}
    found = started(films(), "Which tiger was hidden?", near)
    assert found.activation == pytest.approx({"tiger": BY_WORDS, "nolan": BY_MEANING, "frankfurt": BY_MEANING / 2})
    assert [entity.id for entity in found.entities] == ["tiger", "nolan", "frankfurt"]


def test_in_chinese_too() -> None:
    found = started(films(), "谁讲了盗梦的故事？", {"composer-zh": 0.9, "city": 0.7})
    assert found.activation == pytest.approx({"inception": BY_WORDS, "tandun": BY_MEANING})


def test_the_subject_of_several_near_passages_counts_by_the_nearest() -> None:
    texts = [Text("a", "x", "…"), Text("b", "x", "…"), Text("c", "y", "…"), Text("d", "z", "…")]
    reader = SmallReader([EntityRef(id=each, name=each.upper()) for each in "xyz"], texts)
    found = started(reader, "?", {"a": 0.6, "b": 0.9, "c": 0.8, "d": 0.5})
    assert found.activation == pytest.approx({"x": BY_MEANING, "y": 0.75 * BY_MEANING})


def test_guesses_are_few_and_the_same_whatever_comes_first() -> None:
    names = [EntityRef(id=f"n{number}", name=f"Story {number}") for number in range(6)]
    subjects = [EntityRef(id=f"s{number}", name=f"Thing {number}") for number in range(9)]
    texts = [Text(f"p{number}", f"s{number}", "…") for number in range(9)]
    near = {f"p{number}": 0.9 if number else 0.1 for number in range(9)}
    wanted = started(SmallReader([*names, *subjects], texts), "a story", near)
    assert len(wanted.entities) == 2 * GUESSED
    assert [each.id for each in wanted.entities] == ["n0", "n1", "n2", "s1", "s2", "s3"]
    turned = started(SmallReader([*subjects, *names][::-1], texts[::-1]), "a story", dict(reversed(near.items())))
    assert turned == wanted


def test_nothing_near_and_nothing_alike_start_nothing() -> None:
    assert started(films(), "zzz", {}) == Seeds([], {})
    assert started(SmallReader([]), "", {}) == Seeds([], {})
