"""Where everything stands: related entities near each other, nothing on top of anything else."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

    Array = NDArray[float64]
    Places = NDArray[intp]

Point = tuple[float, float]

SEED: Final = 7  # of the spring layout; any will do, as long as it stays
ASPECT: Final = 1.4  # width over height
ROOM: Final = 2.6  # area of the picture over that of the boxes: lines need to be seen between them
SMALLEST: Final = 190_000.0  # of that area, in square points
LONELY: Final = 20_000.0  # of that area for each shape, where there are few
PADDING: Final = (10.0, 8.0)  # between boxes
CLEARANCE: Final = 4.0  # between a circle and a line that goes by
STEPS: Final = 2_000  # enough for 200 boxes; a step takes a millisecond then


class Shape(NamedTuple):
    """A box with a circle at the middle of its upper side, from which lines go out."""

    width: float
    height: float
    radius: float
    hops: int


class Link(NamedTuple):
    """Two shapes by their places, and how strongly they belong together."""

    source: int
    target: int
    weight: float


def placed(shapes: Sequence[Shape], links: Sequence[Link]) -> list[Point]:
    """A centre for each circle, that of the first shape at (0, 0); y grows upwards.

    Boxes do not overlap, and as far as it can be helped no line goes through a circle that it does not end
    at. The same input gives the same places.
    """
    import numpy as np

    if len(shapes) == 1:
        return [(0.0, 0.0)]
    size = np.array([(shape.width, shape.height) for shape in shapes])
    radius = np.array([shape.radius for shape in shapes])
    ends = np.array([(link.source, link.target) for link in links], dtype=int).reshape(-1, 2)
    below = np.stack([0 * radius, size[:, 1] / 2 - radius], axis=1)  # from a circle to the middle of its box
    at = _stretched(_springs(shapes, links), shapes)
    for _ in range(60):
        at = _apart(at - below, size + PADDING, steps=10) + below
        at += _off_lines(at, radius, ends)
    at = _apart(at - below, size + PADDING, steps=STEPS) + below
    return [(float(x), float(y)) for x, y in at]


def _springs(shapes: Sequence[Shape], links: Sequence[Link]) -> "Array":
    """Fruchterman and Reingold's layout, begun on a circle a hop; the first shape in its middle."""
    import networkx
    import numpy as np

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(shapes)))
    for link in links:
        # Pulled by the middle alone, all would be one ring; what is left shows who belongs together.
        pull = math.log2(1 + link.weight) * (0.3 if link.source == 0 else 1.0)
        graph.add_edge(link.source, link.target, weight=pull)
    turn = 2 * math.pi / len(shapes)
    begin = {
        number: (shape.hops * math.cos(number * turn), shape.hops * math.sin(number * turn))
        for number, shape in enumerate(shapes)
    }
    distance = 2.2 / math.sqrt(len(shapes))
    found = networkx.spring_layout(graph, k=distance, pos=begin, fixed=[0], iterations=300, seed=SEED)
    return np.array([found[number] for number in range(len(shapes))], dtype=float)


def _stretched(at: "Array", shapes: Sequence[Shape]) -> "Array":
    """``at`` spread over an area in which the boxes have room; what lies far out is taken nearer."""
    import numpy as np

    length = np.linalg.norm(at, axis=1, keepdims=True)
    at = at * np.where(length > 0, length, 1.0) ** -0.25
    boxes = sum(shape.width * shape.height for shape in shapes)
    area = max(ROOM * boxes, min(SMALLEST, LONELY * len(shapes)))
    height = math.sqrt(area / ASPECT)
    reach = np.abs(at).max(axis=0)
    reach = np.maximum(reach, reach.max() / 3)  # a few in a row stay one
    stretched: Array = at / reach * (height * ASPECT / 2, height / 2)
    return stretched


def _apart(at: "Array", size: "Array", steps: int) -> "Array":
    """Boxes around ``at`` moved as little as it takes until no two overlap; the first stays."""
    import numpy as np

    x, y = at[:, 0].copy(), at[:, 1].copy()
    wanted_x, wanted_y = (np.add.outer(size[:, side], size[:, side]) / 2 for side in (0, 1))
    number = np.arange(len(at))
    order = np.sign(np.subtract.outer(number, number))
    share = np.where(number[None, :] == 0, 1.0, 0.5)  # the first does not move, so the other goes all the way
    share = share * (number[:, None] > 0)
    for step in range(1, steps + 1):
        away_x, away_y = np.subtract.outer(x, x), np.subtract.outer(y, y)
        over_x, over_y = wanted_x - np.abs(away_x), wanted_y - np.abs(away_y)
        touching = (over_x > 0.01) & (over_y > 0.01) & (order != 0)
        if not touching.any():
            break
        across = over_x < over_y
        x += (_push(away_x, over_x, order) * share * (touching & across)).sum(axis=1)
        y += (_push(away_y, over_y, order) * share * (touching & ~across)).sum(axis=1)
        if step % 50 == 0:  # packed too tightly to come apart by pushing
            x, y = x[0] + (x - x[0]) * 1.03, y[0] + (y - y[0]) * 1.03
    return np.stack([x, y], axis=1)


def _push(away: "Array", overlap: "Array", order: "Array") -> "Array":
    import numpy as np

    return np.where(away == 0, order, np.sign(away)) * overlap


def _off_lines(at: "Array", radius: "Array", ends: "Places") -> "Array":
    """How to move each circle a step away from lines that go through it; the first stays."""
    import numpy as np

    begin, along = at[ends[:, 0]], at[ends[:, 1]] - at[ends[:, 0]]
    length = np.maximum((along**2).sum(axis=1), 1e-9)
    to_circle = at[None, :, :] - begin[:, None, :]  # a row a line, a column a circle
    share = (to_circle * along[:, None, :]).sum(axis=2) / length[:, None]
    off = to_circle - share[:, :, None] * along[:, None, :]
    distance = np.linalg.norm(off, axis=2)
    lacking = radius[None, :] + CLEARANCE - distance
    number = np.arange(len(at))
    foreign = (ends[:, :1] != number) & (ends[:, 1:] != number)
    hit = (lacking > 0) & (share > 0) & (share < 1) & foreign
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.sqrt(length)[:, None]
    outward = np.where(distance[:, :, None] > 1e-6, off / np.maximum(distance, 1e-6)[:, :, None], normal[:, None, :])
    move = np.where(hit[:, :, None], outward * lacking[:, :, None], 0.0)
    step: Array = move.sum(axis=0) / 2
    for end in (0, 1):
        np.add.at(step, ends[:, end], -move.sum(axis=1) / 4)
    step[0] = 0
    return step
