"""From a name to the entity that it means, or to those that it may have meant."""

import pytest

from clew.drawing.lookup import Candidate, find_entities
from clew.errors import EntityNotFoundError
from tests.unit.drawing.small_graph import SmallGraph, entity, films

KNOWN = ["Christopher Nolan", "克里斯托弗·诺兰", "Inception", "Hans Zimmer", "Interstellar"]


def find(name: str, graph: SmallGraph | None = None) -> list[Candidate]:
    return find_entities(graph or films(), "movie", name, KNOWN)  # type: ignore[arg-type]


def suggestions(name: str) -> list[str]:
    with pytest.raises(EntityNotFoundError) as raised:
        find(name)
    assert repr(name) in str(raised.value)
    assert "'movie'" in str(raised.value)
    return raised.value.suggestions


@pytest.mark.parametrize(
    ("name", "found", "spelling"),
    [
        ("Inception", "Inception", "Inception"),
        ("inception", "Inception", "inception"),
        ("盗梦空间", "Inception", "盗梦空间"),
        ("《盗梦空间》", "Inception", "盗梦空间"),
        ("Inception (盗梦空间)", "Inception", "Inception"),
        ("盗梦空间 (Inception)", "Inception", "盗梦空间"),
        ("克里斯托弗·诺兰", "Christopher Nolan", "克里斯托弗·诺兰"),
        ("Crouching Tiger, Hidden Dragon", "卧虎藏龙", "Crouching Tiger, Hidden Dragon"),
    ],
)
def test_any_spelling_finds_the_entity(name: str, found: str, spelling: str) -> None:
    (candidate,) = find(name)
    assert (candidate.entity.name, candidate.spelling) == (found, spelling)


@pytest.mark.parametrize("name", ["Nolan", "诺兰"])
def test_a_shared_name_gives_all_who_have_it_the_most_mentioned_first(name: str) -> None:
    candidates = find(name)
    assert [(each.display_name, each.titles) for each in candidates] == [
        ("Christopher Nolan (克里斯托弗·诺兰)", ("Inception (盗梦空间)", "Interstellar (星际穿越)")),
        ("Jonathan Nolan (乔纳森·诺兰)", ("Interstellar (星际穿越)",)),
    ]


def test_two_spellings_together_mean_the_one_that_has_both() -> None:
    graph = films()
    graph.add(entity("Inception", "奠基", id="another film"))
    (candidate,) = find("Inception (奠基)", graph)
    assert candidate.entity.id == "another film"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Who is Hans Zimmer?", "Hans Zimmer (汉斯·季默)"),
        ("Inception Interstellar", "Inception (盗梦空间)"),
        ("Zimmer", "Hans Zimmer (汉斯·季默)"),
        ("Christofer Nollan", "Christopher Nolan (克里斯托弗·诺兰)"),
        ("Intersteller", "Interstellar (星际穿越)"),
        ("克里斯多弗·诺兰", "Christopher Nolan (克里斯托弗·诺兰)"),
        ("Hidden Dragon", "卧虎藏龙 (Crouching Tiger, Hidden Dragon)"),
    ],
)
def test_a_name_that_nothing_has_is_answered_with_what_may_be_meant(name: str, meant: str) -> None:
    assert meant in suggestions(name)


@pytest.mark.parametrize("name", ["Quetzalcoatl", "", "?!", "的"])
def test_where_nothing_comes_near_it_says_what_to_try(name: str) -> None:
    with pytest.raises(EntityNotFoundError, match="title of a document"):
        find(name)


def test_no_more_than_five_are_suggested() -> None:
    graph = SmallGraph()
    graph.add(*(entity(f"Film Number {number}") for number in range(9)))
    with pytest.raises(EntityNotFoundError) as raised:
        find("Number", graph)
    assert len(raised.value.suggestions) == 5
