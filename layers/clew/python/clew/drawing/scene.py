"""What a picture shows and where, in points: circles with labels, lines, and what their sizes mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from clew.drawing import fonts, wording
from clew.drawing.labels import MAX_NAME, Label, clean, label, wrapped
from clew.drawing.layout import Link, Point, Shape, placed
from clew.drawing.neighbourhood import Edge, Neighbourhood
from clew.text.language import Language

# Lengths are points, 1/72 of an inch; y grows upwards.
MARGIN: Final = 26.0
HEADING_HEIGHT: Final = 58.0
LEGEND_HEIGHT: Final = 64.0
SMALLEST: Final = (600.0, 260.0)  # of the part between heading and legend
LEADING: Final = 1.25  # height of a line of text over the size of its letters
TITLE_SIZE, SUBTITLE_SIZE, CENTRE_SIZE, NAME_SIZE, OTHER_SIZE, RELATION_SIZE = 17.0, 9.5, 11.0, 8.5, 7.0, 6.5
LABEL_WIDTH: Final = 92.0
TITLE_WIDTH: Final = 400.0
CENTRE_RADIUS: Final = 22.0
RADII: Final = (4.5, 17.0)
THICKNESSES: Final = (0.6, 5.0)
FEW: Final = 5.0  # sentences; where no more are found, none is drawn as the most there can be
GAP: Final = 3.0  # between a circle and its label
ALONG: Final = (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8)  # where on a line its text may stand
UNTYPED: Final = frozenset({"CO_MENTION"})  # named in one sentence, and nothing more is known

_ROUND: Final = tuple(step * 10**power for power in range(7) for step in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        if self.right <= other.left or other.right <= self.left:
            return 0.0
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)


@dataclass(frozen=True, slots=True)
class Spot:
    """An entity: a circle around (x, y) with its label below, the spelling in the other language last."""

    hops: int
    radius: float
    name: tuple[str, ...]
    other: tuple[str, ...]
    x: float = 0.0
    y: float = 0.0

    @property
    def name_size(self) -> float:
        return NAME_SIZE if self.hops else CENTRE_SIZE

    @property
    def weight(self) -> fonts.Weight:
        return "normal" if self.hops else "bold"

    @property
    def label(self) -> Box:
        widths = [fonts.width(line, self.name_size, self.weight) for line in self.name]
        widths += [fonts.width(line, OTHER_SIZE) for line in self.other]
        height = LEADING * (self.name_size * len(self.name) + OTHER_SIZE * len(self.other))
        top, half = self.y - self.radius - GAP, max(widths, default=0.0) / 2
        return Box(self.x - half, top - height, self.x + half, top)

    @property
    def box(self) -> Box:
        """Circle and label."""
        label = self.label
        return Box(
            min(label.left, self.x - self.radius),
            label.bottom,
            max(label.right, self.x + self.radius),
            self.y + self.radius,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A relation between two spots, by their places in the scene; ``text`` stands around ``text_at``."""

    source: int
    target: int
    weight: float
    thickness: float
    text: str = ""
    text_at: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """What sizes stand for: some round weights, with the radius or thickness of each."""

    meaning: str
    samples: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture before it is drawn; the first spot is its centre."""

    size: tuple[float, float]
    title: Label
    subtitle: str
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    colours: tuple[str, ...]
    circles: Scale
    strokes: Scale


def compose(shown: Neighbourhood, labels: dict[str, Label], kb: str, language: Language, *, relations: bool) -> Scene:
    """The scene of a neighbourhood whose entities have these ``labels``; ``relations`` puts types on lines."""
    strengths = shown.strengths
    strongest = max((strengths[node.entity.id] for node in shown.nodes[1:]), default=0.0)
    heaviest = max((edge.weight for edge in shown.edges), default=0.0)
    spots = [
        _spot(labels[node.entity.id], node.hops, _radius(strengths[node.entity.id], strongest)) for node in shown.nodes
    ]
    lines = _lines(shown, heaviest)
    title = _on_one_line(labels[shown.centre.id])
    subtitle = wording.subtitle(kb, shown.neighbours, shown.reachable, len(shown.edges), language)
    heading = max(_title_width(title), fonts.width(subtitle, SUBTITLE_SIZE))
    spots, size = _arranged(spots, lines, heading)
    return Scene(
        size=size,
        title=title,
        subtitle=subtitle,
        spots=tuple(spots),
        lines=tuple(_with_texts(lines, shown.edges, spots)) if relations else tuple(lines),
        colours=tuple(wording.distance(hops, language) for hops in range(max(node.hops for node in shown.nodes) + 1)),
        circles=Scale(
            wording.circle_scale(language),
            tuple((weight, _radius(weight, strongest)) for weight in _samples(strongest)),
        ),
        strokes=Scale(
            wording.line_scale(language),
            tuple((weight, _thickness(weight, heaviest)) for weight in _samples(heaviest)),
        ),
    )


def label_all(shown: Neighbourhood, asked: str, language: Language) -> dict[str, Label]:
    """A label for each entity, by id; the centre's is spelt as it was ``asked`` for."""
    return {node.entity.id: label(node.entity, language, "" if node.hops else asked) for node in shown.nodes}


def relation_text(edge: Edge) -> str:
    """The types of a relation that say something, in words."""
    typed = (clean(name.replace("_", " "))[:MAX_NAME].lower() for name in edge.relations if name not in UNTYPED)
    return ", ".join(typed)


def _spot(named: Label, hops: int, radius: float) -> Spot:
    spot = Spot(hops, radius if hops else CENTRE_RADIUS, (), ())
    width = LABEL_WIDTH if hops else 1.6 * LABEL_WIDTH
    return replace(
        spot,
        name=tuple(wrapped(named.name, width, lambda text: fonts.width(text, spot.name_size, spot.weight), 3)),
        other=tuple(wrapped(named.other, width, lambda text: fonts.width(text, OTHER_SIZE), 2)),
    )


def _radius(strength: float, strongest: float) -> float:
    """Areas grow with the strength, so that a circle looks as large as what it stands for."""
    return max(RADII[0], RADII[1] * math.sqrt(strength / max(strongest, FEW)))


def _thickness(weight: float, heaviest: float) -> float:
    return max(THICKNESSES[0], THICKNESSES[1] * weight / max(heaviest, FEW))


def _samples(largest: float) -> tuple[int, ...]:
    """Up to three round weights, from the smallest there can be to the largest there is."""
    fitting = [weight for weight in _ROUND if weight <= largest]
    return tuple(dict.fromkeys((fitting[0], fitting[len(fitting) // 2], fitting[-1]))) if fitting else ()


def _lines(shown: Neighbourhood, heaviest: float) -> list[Line]:
    place = {node.entity.id: number for number, node in enumerate(shown.nodes)}
    return [
        Line(place[edge.source], place[edge.target], edge.weight, _thickness(edge.weight, heaviest))
        for edge in shown.edges
    ]


def _on_one_line(title: Label) -> Label:
    name = wrapped(title.name, TITLE_WIDTH, lambda text: fonts.width(text, TITLE_SIZE, "bold"), 1)
    other = wrapped(title.other, TITLE_WIDTH / 2, lambda text: fonts.width(text, 0.75 * TITLE_SIZE), 1)
    return Label("".join(name), "".join(other))


def _title_width(title: Label) -> float:
    return fonts.width(title.name, TITLE_SIZE, "bold") + fonts.width(f"  {title.other}", 0.75 * TITLE_SIZE)


def _arranged(spots: list[Spot], lines: Sequence[Line], heading: float) -> tuple[list[Spot], tuple[float, float]]:
    """``spots`` in their places, and the size of a picture that holds them with heading and legend."""
    shapes = [
        Shape(spot.box.right - spot.box.left, spot.box.top - spot.box.bottom, spot.radius, spot.hops) for spot in spots
    ]
    centres = placed(shapes, [Link(line.source, line.target, line.weight) for line in lines])
    boxes = [replace(spot, x=x, y=y).box for spot, (x, y) in zip(spots, centres, strict=True)]
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    bottom, top = min(box.bottom for box in boxes), max(box.top for box in boxes)
    width, height = max(right - left, heading, SMALLEST[0]), max(top - bottom, SMALLEST[1])
    move_x = MARGIN + (width - right - left) / 2
    move_y = MARGIN + LEGEND_HEIGHT + (height - top - bottom) / 2
    moved = [replace(spot, x=x + move_x, y=y + move_y) for spot, (x, y) in zip(spots, centres, strict=True)]
    return moved, (width + 2 * MARGIN, height + 2 * MARGIN + LEGEND_HEIGHT + HEADING_HEIGHT)


def _with_texts(lines: Sequence[Line], edges: Sequence[Edge], spots: Sequence[Spot]) -> list[Line]:
    """``lines`` with the types of their relations, each where it covers least of what stands there already."""
    taken = [spot.box for spot in spots]
    found: list[Line] = []
    for line, edge in zip(lines, edges, strict=True):
        text = "".join(wrapped(relation_text(edge), LABEL_WIDTH, _relation_width, 1))
        places = [_between(spots[line.source], spots[line.target], share) for share in ALONG]
        boxes = [(text_box(text, place), place) for place in places]
        box, at = min(boxes, key=lambda each: sum(each[0].overlap(other) for other in taken))
        taken.append(box)
        found.append(replace(line, text=text, text_at=at))
    return found


def _relation_width(text: str) -> float:
    return fonts.width(text, RELATION_SIZE)


def text_box(text: str, at: Point) -> Box:
    """What a line's text covers."""
    half_width, half_height = _relation_width(text) / 2, LEADING * RELATION_SIZE / 2
    return Box(at[0] - half_width, at[1] - half_height, at[0] + half_width, at[1] + half_height)


def _between(one: Spot, other: Spot, share: float) -> Point:
    return one.x + share * (other.x - one.x), one.y + share * (other.y - one.y)
