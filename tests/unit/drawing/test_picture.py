"""The picture's bytes: text as text in an SVG, the same each time, a warning where a font is missing."""

import os
import struct
import warnings
from xml.etree import ElementTree

import pytest

from clew.drawing import fonts
from clew.drawing.neighbourhood import Edge, Neighbourhood, Node, read_neighbourhood
from clew.drawing.picture import COLOURS, draw
from tests.unit.drawing.small_graph import entity, films, star

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def nolan() -> Neighbourhood:
    graph = films()
    return read_neighbourhood(graph, graph.entities["Christopher Nolan"], 1, 30)  # type: ignore[arg-type]


@pytest.fixture
def no_chinese_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "CHINESE", ())


def texts(svg: bytes) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314  (made here)


def test_an_svg_holds_names_in_both_languages_as_text(nolan: Neighbourhood) -> None:
    found = texts(draw(nolan, "Christopher Nolan", "movie", "svg").content)
    assert {"Christopher Nolan", "克里斯托弗·诺兰", "Inception", "盗梦空间", "directly related"} <= set(found)
    assert "Knowledge base movie: 3 related entities, 4 relations" in found


def test_asked_in_chinese_it_speaks_chinese(nolan: Neighbourhood) -> None:
    found = texts(draw(nolan, "诺兰", "movie", "svg").content)
    assert found.index("盗梦空间") < found.index("Inception")
    assert {"诺兰", "知识库 movie：3 个相关实体，4 条关系", "直接相关"} <= set(found)


def test_an_svg_names_fonts_with_chinese_for_its_viewer(nolan: Neighbourhood, no_chinese_font: None) -> None:
    picture = draw(nolan, "诺兰", "movie", "svg")
    assert picture.undrawable == ""
    (style,) = ElementTree.fromstring(picture.content).iter(f"{SVG}style")  # noqa: S314
    assert "text{font-family: " in (style.text or "")
    for family in ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "sans-serif"):
        assert family in (style.text or "")
    assert picture.content.count(b"font-family") == 1


@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_same_neighbourhood_gives_the_same_bytes(nolan: Neighbourhood, form: str) -> None:
    one, other = (draw(nolan, "Nolan", "movie", form).content for _ in range(2))  # type: ignore[arg-type]
    assert one == other
    assert b"Matplotlib" not in one


def test_a_png_is_one_and_its_size_grows_with_what_it_shows() -> None:
    sizes = []
    for number in (3, 30):
        content = draw(star(number), "Centre", "movie", "png").content
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        sizes.append(struct.unpack(">II", content[16:24]))
    assert sizes[0] < sizes[1]


def test_a_png_without_a_chinese_font_is_drawn_and_tells_so(
    nolan: Neighbourhood, no_chinese_font: None, capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = draw(nolan, "诺兰", "movie", "png")
    assert set("诺兰盗梦空间") <= set(picture.undrawable)
    assert picture.content.startswith(b"\x89PNG")
    assert capfd.readouterr() == ("", "")


def test_what_the_picture_says_itself_needs_no_font(nolan: Neighbourhood, no_chinese_font: None) -> None:
    """Its own words are in English then, so they add nothing to what is missing."""
    assert not set("知识库圆线") & set(draw(nolan, "诺兰", "movie", "png").undrawable)


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize(
    "name", ['$x^2$ & <b>"quoted"</b>', "a\\b %s {0}", "\x00control\x1b", "half \ud83c", "🎬 film", "x" * 2_000, ""]
)
def test_any_name_can_be_drawn(form: str, name: str) -> None:
    nodes = (Node(entity(name, id="c"), 0), Node(entity(name, id="n"), 1))
    shown = Neighbourhood(nodes, (Edge("c", "n", 1.0, (name,)),), 1)
    content = draw(shown, name, "movie", form, relations=True).content  # type: ignore[arg-type]
    if form == "svg" and name.startswith("$"):
        assert name in texts(content)
    assert len(content) > 1_000


def test_colours_tell_how_far_an_entity_is() -> None:
    graph = films()
    shown = read_neighbourhood(graph, graph.entities["Dune"], 2, 30)  # type: ignore[arg-type]
    svg = draw(shown, "Dune", "movie", "svg").content.decode()
    found = texts(svg.encode())
    assert {"asked for", "directly related", "two steps away"} <= set(found)
    assert [colour.lower() in svg for colour in COLOURS] == [True, True, True]


def test_a_style_of_the_users_own_changes_nothing(nolan: Neighbourhood, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    plain = draw(nolan, "Nolan", "movie", "svg").content
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "path"}):
        styled = draw(nolan, "Nolan", "movie", "svg").content
        assert matplotlib.rcParams["font.size"] == 30  # and is still there afterwards
    assert styled == plain
    assert "MPLBACKEND" not in os.environ
