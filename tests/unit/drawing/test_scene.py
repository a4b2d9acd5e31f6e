"""Where everything stands: nothing on anything else, nothing beyond the margin, everything in its measure."""

from itertools import combinations

import pytest

from clew.drawing.neighbourhood import Edge, Neighbourhood
from clew.drawing.scene import HEADING_HEIGHT, LEGEND_HEIGHT, MARGIN, Box, Scene, Spot, compose, label_all, text_box
from clew.text.language import Language
from tests.unit.drawing.small_graph import star

SIZES = [0, 1, 2, 5, 30]


def scene(shown: Neighbourhood, language: Language = "en", *, relations: bool = False) -> Scene:
    return compose(shown, label_all(shown, "Centre", language), "movie", language, relations=relations)


def inside(box: Box, outer: Box) -> bool:
    return outer.left <= box.left and box.right <= outer.right and outer.bottom <= box.bottom and box.top <= outer.top


@pytest.mark.parametrize("long_names", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("size", SIZES)
def test_circles_and_labels_neither_overlap_nor_leave_the_picture(size: int, long_names: bool) -> None:
    drawn = scene(star(size, long_names=long_names))
    width, height = drawn.size
    room = Box(MARGIN, MARGIN + LEGEND_HEIGHT, width - MARGIN, height - MARGIN - HEADING_HEIGHT)
    slack = Box(room.left - 0.1, room.bottom - 0.1, room.right + 0.1, room.top + 0.1)
    assert [spot.name for spot in drawn.spots if not inside(spot.box, slack)] == []
    overlapping = [
        (one.name, other.name) for one, other in combinations(drawn.spots, 2) if one.box.overlap(other.box) > 0.1
    ]
    assert overlapping == []


def test_a_hundred_do_not_overlap_either() -> None:
    drawn = scene(star(100))
    assert not [1 for one, other in combinations(drawn.spots, 2) if one.box.overlap(other.box) > 0.1]


def distance(spot: Spot, begin: Spot, end: Spot) -> float:
    """From the middle of ``spot`` to the line between the other two."""
    along = end.x - begin.x, end.y - begin.y
    share = ((spot.x - begin.x) * along[0] + (spot.y - begin.y) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = min(max(share, 0.0), 1.0)
    off = spot.x - begin.x - share * along[0], spot.y - begin.y - share * along[1]
    return float((off[0] ** 2 + off[1] ** 2) ** 0.5)


def test_hardly_a_line_goes_through_a_circle_that_it_does_not_end_at() -> None:
    drawn = scene(star(30))
    through = [
        line
        for line in drawn.lines
        for number, spot in enumerate(drawn.spots)
        if number not in (line.source, line.target)
        and distance(spot, drawn.spots[line.source], drawn.spots[line.target]) < spot.radius
    ]
    assert len(through) <= 0.05 * len(drawn.lines)


def test_the_same_neighbourhood_makes_the_same_scene() -> None:
    assert scene(star(12)) == scene(star(12))


def test_the_centre_stands_out() -> None:
    centre, *others = scene(star(12)).spots
    assert centre.radius > max(spot.radius for spot in others)
    assert centre.name_size > others[0].name_size


def test_the_area_of_a_circle_grows_with_its_strength() -> None:
    shown = star(7)
    drawn = scene(shown)
    radii = {node.entity.id: spot.radius for node, spot in zip(shown.nodes, drawn.spots, strict=True)}
    strengths = shown.strengths
    assert strengths["e6"] == 7
    assert strengths["e4"] == 6
    assert (radii["e6"] / radii["e4"]) ** 2 == pytest.approx(7 / 6)


def test_a_line_is_as_thick_as_its_relation_is_strong() -> None:
    shown = star(7)
    thickness = {edge.weight: line.thickness for edge, line in zip(shown.edges, scene(shown).lines, strict=True)}
    assert thickness[6] / thickness[3] == pytest.approx(2)


def test_the_legend_shows_weights_as_they_are_drawn() -> None:
    shown = star(7)
    drawn = scene(shown)
    lines = dict(drawn.strokes.samples)
    assert set(lines) == {1, 2, 5}
    drawn_five = next(line.thickness for edge, line in zip(shown.edges, drawn.lines, strict=True) if edge.weight == 5)
    assert lines[5] == drawn_five
    assert [weight for weight, _ in drawn.circles.samples][-1] <= max(shown.strengths.values())


def test_it_tells_what_is_left_out() -> None:
    shown = star(5)
    cut = Neighbourhood(shown.nodes, shown.edges, reachable=40)
    assert scene(shown).subtitle == "Knowledge base movie: 5 related entities, 7 relations"
    assert scene(star(1)).subtitle == "Knowledge base movie: 1 related entity, 1 relation"
    assert scene(cut).subtitle == "Knowledge base movie: the 5 strongest of 40 related entities, 7 relations"
    assert scene(cut, "zh").subtitle == "知识库 movie：40 个相关实体中联系最紧密的 5 个，7 条关系"


def test_relations_are_named_on_request_where_they_have_a_type() -> None:
    shown = star(4)
    assert {line.text for line in scene(shown).lines} == {""}
    named = [line.text for line in scene(shown, relations=True).lines]
    assert named == ["works for"] * 4 + [""]


def test_names_of_relations_keep_off_circles_labels_and_each_other() -> None:
    shown = star(8)
    typed = tuple(Edge(edge.source, edge.target, edge.weight, ("STUDIED_UNDER",)) for edge in shown.edges)
    drawn = scene(Neighbourhood(shown.nodes, typed, 8), relations=True)
    boxes = [text_box(line.text, line.text_at) for line in drawn.lines]
    assert len(boxes) == len(shown.edges)
    taken = [*boxes, *(spot.box for spot in drawn.spots)]
    assert not [1 for one, other in combinations(taken, 2) if one.overlap(other) > 0.1]
