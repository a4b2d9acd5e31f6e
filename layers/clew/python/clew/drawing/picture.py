"""The picture of a neighbourhood, as a file's bytes."""

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from clew.drawing import fonts, wording
from clew.drawing.neighbourhood import Neighbourhood
from clew.drawing.scene import (
    LEADING,
    LEGEND_HEIGHT,
    MARGIN,
    OTHER_SIZE,
    RELATION_SIZE,
    SUBTITLE_SIZE,
    TITLE_SIZE,
    Box,
    Scale,
    Scene,
    Spot,
    compose,
    label_all,
    relation_text,
    text_box,
)
from clew.text.language import detect_language

if TYPE_CHECKING:
    from matplotlib import RcParams
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["svg", "png"]

DOTS_PER_INCH: Final = 160  # of a PNG

# Okabe and Ito's palette, which people with any colour vision can tell apart, by hops; greys for the rest.
COLOURS: Final = ("#D55E00", "#0072B2", "#56B4E9")
INK, FAINT_INK, PAPER = "#1f2933", "#5f6c7b", "#ffffff"
TO_CENTRE, AMONG_OTHERS = "#8795a3", "#c3ccd5"
LEGEND_SIZE: Final = 8.0
VEIL: Final = 0.82  # how much of the lines behind a label is hidden


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture; ``undrawable`` are the characters for which this machine has no font."""

    content: bytes
    undrawable: str = ""


def draw(shown: Neighbourhood, asked: str, kb_prefix: str, form: Format, *, relations: bool = False) -> Picture:
    """The picture of a neighbourhood for somebody who ``asked`` for its centre by that name.

    Names are in the language of ``asked``, with the other language below. ``relations`` writes the types of
    relations on their lines, where they have one. On one machine the same input gives the same bytes. An SVG
    holds text as text, which its viewer draws; only a PNG needs fonts here.
    """
    language = detect_language(asked)
    labels = label_all(shown, asked, language)
    with _matplotlib_as_delivered() as settings:
        text = "".join(each.name + each.other for each in labels.values())
        text += "".join(map(relation_text, shown.edges)) if relations else ""
        families = fonts.families(text) if form == "png" else [fonts.LATIN]
        undrawable = fonts.undrawable(text, families) if form == "png" else ""
        if form == "png" and fonts.undrawable(wording.line_scale(language), families):
            language = "en"  # what the picture says itself can be read at least
        settings.update(
            {"font.family": families, "svg.fonttype": "none", "svg.hashsalt": "clew", "text.parse_math": False}
        )
        scene = compose(shown, labels, kb_prefix, language, relations=relations)
        return Picture(_written(_figure(scene), form, scene.title.name), undrawable)


@contextlib.contextmanager
def _matplotlib_as_delivered() -> "Iterator[RcParams]":
    """Matplotlib's settings without a style of the user's own, which is in force again afterwards."""
    with fonts.quiet():
        import matplotlib

        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            yield matplotlib.rcParams


def _written(figure: "Figure", form: Format, title: str) -> bytes:
    content = io.BytesIO()
    if form == "png":
        figure.savefig(content, format=form, dpi=DOTS_PER_INCH, metadata={"Software": None, "Title": title})
        return content.getvalue()
    figure.savefig(content, format=form, metadata={"Date": None, "Creator": None, "Title": title})
    # One list of fonts for all texts, in place of the one font that they were measured with.
    rule = f"text{{font-family: {fonts.VIEWER_FAMILIES}}}"
    svg = content.getvalue().replace(f"font-family: '{fonts.LATIN}'; ".encode(), b"")
    return svg.replace(b'<style type="text/css">', f'<style type="text/css">{rule}'.encode(), 1)


def _figure(scene: Scene) -> "Figure":
    from matplotlib.figure import Figure

    width, height = scene.size
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    _draw_lines(axes, scene)
    for spot in reversed(scene.spots):
        _dot(axes, spot.x, spot.y, spot.radius, COLOURS[spot.hops], edge=1.0 if spot.hops else 2.5)
    for spot in scene.spots:
        _draw_label(axes, spot)
    for line in scene.lines:
        if line.text:
            _veil(axes, text_box(line.text, line.text_at), zorder=5)
            x, y = line.text_at
            _write(axes, x, y - 0.35 * RELATION_SIZE, line.text, RELATION_SIZE, FAINT_INK, zorder=6, style="italic")
    _draw_heading(axes, scene)
    _draw_legend(axes, scene)
    return figure


def _draw_lines(axes: "Axes", scene: Scene) -> None:
    for line in sorted(scene.lines, key=lambda line: line.source == 0):
        one, other = scene.spots[line.source], scene.spots[line.target]
        colour = AMONG_OTHERS if line.source else TO_CENTRE
        axes.plot(
            [one.x, other.x], [one.y, other.y], color=colour, linewidth=line.thickness, solid_capstyle="round", zorder=1
        )


def _draw_label(axes: "Axes", spot: Spot) -> None:
    _veil(axes, spot.label, zorder=2)
    y = spot.label.top
    lines = [(line, spot.name_size, INK, spot.weight) for line in spot.name]
    lines += [(line, OTHER_SIZE, FAINT_INK, "normal") for line in spot.other]
    for text, size, colour, weight in lines:
        y -= LEADING * size
        _write(axes, spot.x, y + 0.3 * size, text, size, colour, weight=weight)


def _veil(axes: "Axes", box: Box, zorder: float) -> None:
    """Paper over the lines behind a text, so that it can be read."""
    from matplotlib.patches import Rectangle

    width, height = box.right - box.left, box.top - box.bottom
    axes.add_patch(
        Rectangle((box.left - 1, box.bottom), width + 2, height, color=PAPER, alpha=VEIL, linewidth=0, zorder=zorder)
    )


def _draw_heading(axes: "Axes", scene: Scene) -> None:
    top = scene.size[1] - MARGIN
    baseline = top - 0.8 * TITLE_SIZE
    _write(axes, MARGIN, baseline, scene.title.name, TITLE_SIZE, INK, weight="bold", align="left")
    x = MARGIN + fonts.width(f"{scene.title.name}  ", TITLE_SIZE, "bold")
    _write(axes, x, baseline, scene.title.other, 0.75 * TITLE_SIZE, FAINT_INK, align="left")
    _write(axes, MARGIN, baseline - 19, scene.subtitle, SUBTITLE_SIZE, FAINT_INK, align="left")


def _draw_legend(axes: "Axes", scene: Scene) -> None:
    upper, lower = MARGIN + LEGEND_HEIGHT - 30, MARGIN + LEGEND_HEIGHT - 57
    axes.plot([MARGIN, scene.size[0] - MARGIN], [upper + 16] * 2, color=AMONG_OTHERS, linewidth=0.6)
    x = MARGIN
    for meaning, colour in zip(scene.colours, COLOURS, strict=False):
        _dot(axes, x + 4, upper, 4, colour)
        x = _legend_text(axes, x + 12, upper, meaning) + 16
    if scene.lines:
        x = _draw_scale(axes, MARGIN, lower, scene.circles, _sample_circle) + 16
        _draw_scale(axes, x, lower, scene.strokes, _sample_line)


def _draw_scale(axes: "Axes", x: float, y: float, scale: Scale, sample: Callable[..., float]) -> float:
    """Draw what a size means from ``x`` to the right, and return where it ends."""
    x = _legend_text(axes, x, y, scale.meaning) + 8
    for weight, size in scale.samples:
        x = sample(axes, x, y, size) + 4
        x = _legend_text(axes, x, y, f"{weight:,}") + 8
    return x


def _sample_circle(axes: "Axes", x: float, y: float, radius: float) -> float:
    _dot(axes, x + radius, y, radius, COLOURS[1])
    return x + 2 * radius


def _sample_line(axes: "Axes", x: float, y: float, thickness: float) -> float:
    axes.plot([x + 3, x + 21], [y, y], color=TO_CENTRE, linewidth=thickness, solid_capstyle="round", zorder=1)
    return x + 24


def _legend_text(axes: "Axes", x: float, y: float, text: str) -> float:
    _write(axes, x, y - 0.35 * LEGEND_SIZE, text, LEGEND_SIZE, FAINT_INK, align="left")
    return x + fonts.width(text, LEGEND_SIZE)


def _dot(axes: "Axes", x: float, y: float, radius: float, colour: str, edge: float = 0.0) -> None:
    from matplotlib.patches import Circle

    axes.add_patch(Circle((x, y), radius, facecolor=colour, edgecolor=PAPER, linewidth=edge, zorder=3))


def _write(
    axes: "Axes",
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    *,
    align: Literal["left", "center"] = "center",
    weight: str = "normal",
    style: str = "normal",
    zorder: float = 4,
) -> None:
    axes.text(x, y, text, size=size, color=colour, ha=align, va="baseline", weight=weight, style=style, zorder=zorder)
