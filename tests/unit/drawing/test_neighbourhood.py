"""What is chosen for a picture: the strongest around an entity, and all relations among those."""

import pytest

from clew.drawing.neighbourhood import Hops, Neighbourhood, read_neighbourhood
from tests.unit.drawing.small_graph import SmallGraph, entity, films, related


def names(shown: Neighbourhood, hops: int) -> list[str]:
    return [node.entity.name for node in shown.nodes if node.hops == hops]


def read(graph: SmallGraph, name: str, hops: Hops = 1, limit: int = 30) -> Neighbourhood:
    return read_neighbourhood(graph, graph.entities[name], hops, limit)  # type: ignore[arg-type]


def test_the_entity_comes_first_then_its_neighbours_by_weight() -> None:
    shown = read(films(), "Christopher Nolan")
    assert shown.centre.name == "Christopher Nolan"
    assert names(shown, 1) == ["Inception", "Interstellar", "Jonathan Nolan"]
    assert (shown.neighbours, shown.reachable) == (3, 3)


def test_neighbours_come_with_their_other_spellings() -> None:
    shown = read(films(), "Christopher Nolan")
    assert [node.entity.aliases for node in shown.nodes[1:3]] == [("盗梦空间",), ("星际穿越",)]


def test_relations_among_neighbours_are_there_once_with_all_their_types() -> None:
    shown = read(films(), "Christopher Nolan")
    assert related(shown) == {
        frozenset({"Christopher Nolan", "Inception"}): 3,
        frozenset({"Christopher Nolan", "Interstellar"}): 2,
        frozenset({"Christopher Nolan", "Jonathan Nolan"}): 1,
        frozenset({"Jonathan Nolan", "Interstellar"}): 3,
    }
    (edge,) = [each for each in shown.edges if {each.source, each.target} == {"Jonathan Nolan", "Interstellar"}]
    assert edge.relations == ("CO_MENTION", "WROTE")


def test_strength_counts_what_is_in_the_picture_alone() -> None:
    strengths = read(films(), "Christopher Nolan", limit=2).strengths
    assert strengths == {"Christopher Nolan": 5, "Inception": 3, "Interstellar": 2}


def test_a_limit_keeps_the_strongest_and_tells_how_many_there_are() -> None:
    shown = read(films(), "Christopher Nolan", limit=1)
    assert names(shown, 1) == ["Inception"]
    assert (shown.neighbours, shown.reachable) == (1, 3)


def test_a_second_hop_shows_who_is_related_to_the_neighbours() -> None:
    shown = read(films(), "Christopher Nolan", hops=2)
    assert names(shown, 1) == ["Inception", "Interstellar", "Jonathan Nolan"]
    assert names(shown, 2) == ["Hans Zimmer"]
    assert shown.reachable == 4


def test_of_two_hops_either_gets_half_of_the_places() -> None:
    graph = SmallGraph()
    for number in range(10):
        graph.relate("c", f"near{number}", 10 - number)
        graph.relate("near0", f"far{number}", 10 - number)
    shown = read(graph, "c", hops=2, limit=6)
    assert names(shown, 1) == ["near0", "near1", "near2"]
    assert names(shown, 2) == ["far0", "far1", "far2"]


@pytest.mark.parametrize(("far", "near_shown"), [(0, 6), (1, 5)])
def test_what_the_second_hop_leaves_free_the_first_takes(far: int, near_shown: int) -> None:
    graph = SmallGraph()
    for number in range(10):
        graph.relate("c", f"near{number}", 10 - number)
    for number in range(far):
        graph.relate("near0", f"far{number}")
    shown = read(graph, "c", hops=2, limit=6)
    assert (len(names(shown, 1)), len(names(shown, 2))) == (near_shown, far)


def test_what_the_first_hop_leaves_free_the_second_takes() -> None:
    graph = SmallGraph()
    graph.relate("c", "near")
    for number in range(10):
        graph.relate("near", f"far{number}")
    shown = read(graph, "c", hops=2, limit=6)
    assert (len(names(shown, 1)), len(names(shown, 2))) == (1, 5)


def test_an_entity_on_its_own_is_a_picture_too() -> None:
    graph = SmallGraph()
    graph.add(entity("Hermit"))
    shown = read(graph, "Hermit", hops=2)
    assert (shown.neighbours, shown.reachable, shown.edges) == (0, 0, ())
