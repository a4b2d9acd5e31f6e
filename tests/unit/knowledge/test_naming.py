"""Names in titles and in running text, in both scripts."""

import pytest

from clew.knowledge.naming import Names, free_names, is_name, paired_names, short_names, title_names


@pytest.mark.parametrize(
    ("title", "main", "others"),
    [
        ("Inception", "Inception", ()),
        ("Inception (盗梦空间)", "Inception", ("盗梦空间",)),
        ("李安（Ang Lee）", "李安", ("Ang Lee",)),
        ("Inception (2010 film)", "Inception", ()),
        ("Nolan (born 1970)", "Nolan", ()),
        ("《活着》（To Live）", "活着", ("To Live",)),
        ("CS201 Data Structures (数据结构)", "CS201 Data Structures", ("CS201", "Data Structures", "数据结构")),
        ("Spirited Away (千と千尋の神隠し, 千与千寻)", "Spirited Away", ("千と千尋の神隠し", "千与千寻")),
        ("The Good, the Bad (好，坏)", "The Good, the Bad", ("好, 坏",)),
        ("  Spaced   out  ", "Spaced out", ()),
    ],
)
def test_a_title_gives_its_names(title: str, main: str, others: tuple[str, ...]) -> None:
    assert title_names(title) == Names(main, others)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Hans Zimmer (汉斯·季默) composed it.", {"Hans Zimmer", "汉斯·季默"}),
        ("由汉斯·季默（Hans Zimmer）作曲。", {"Hans Zimmer", "汉斯·季默"}),
        ("《盗梦空间》（Inception）上映于2010年。", {"盗梦空间", "Inception"}),
        ("李安（Ang Lee）执导。", {"李安", "Ang Lee"}),
        ("导演李安（Ang Lee）出生于屏东。", {"李安", "Ang Lee"}),
        ("《卧虎藏龙》由李安（Ang Lee）执导。", {"李安", "Ang Lee"}),
        ("In Memento (记忆碎片), time runs backwards.", {"Memento", "记忆碎片"}),
        ("The novel was written by Mo Yan (莫言).", {"Mo Yan", "莫言"}),
    ],
)
def test_two_spellings_side_by_side_are_one_thing(text: str, pair: set[str]) -> None:
    assert [set(names.all) for names in paired_names(text)] == [pair]


@pytest.mark.parametrize(
    "text", ["He left (in 2010).", "Oscar (award).", "他走了（很远）。", "Frankfurt (Germany) is big.", ""]
)
def test_a_parenthesis_in_one_script_pairs_nothing(text: str) -> None:
    assert paired_names(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He met Hans Zimmer in New York.", {"Hans Zimmer", "New York"}),
        ("In Blade Runner nothing ends.", {"Blade Runner"}),
        ("《花样年华》与《英雄》。", {"花样年华", "英雄"}),
        ("英国作家尼尔·盖曼写了它。", {"尼尔·盖曼"}),
        ("由汉斯·季默，和别人。", {"汉斯·季默"}),
        ("nothing here has a name", set()),
    ],
)
def test_names_stand_free_in_running_text(text: str, names: set[str]) -> None:
    found = set(free_names(text))
    assert {name for name in found if not any(name.startswith(wanted) for wanted in names)} == set()
    assert all(any(name.startswith(wanted) for name in found) for wanted in names)


def test_people_are_asked_for_by_family_name_too() -> None:
    assert set(short_names(["克里斯托弗·诺兰", "Christopher Nolan"])) == {"诺兰", "Nolan"}
    assert short_names(["Blade Runner", "银翼杀手"]) == []


@pytest.mark.parametrize("name", ["李安", "Ang Lee", "CS301", "1917年", "Yi Yi", "The Host"])
def test_a_name_tells_something_apart(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "?", "2010", "我", "x", "the", "The Who", "a" * 81])
def test_what_is_too_short_too_long_or_everywhere_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "字" * 30_000,
        "A" * 30_000,
        "Aa " * 10_000,
        "·字" * 10_000,
        "《" * 10_000,
        "x" + " " * 30_000 + "(",
        "(" * 10_000,
    ],
    ids=["characters", "capitals", "names", "dots", "brackets", "blanks", "parentheses"],
)
def test_text_without_an_end_is_read_in_reasonable_time(text: str) -> None:
    """Patterns whose time grew with the square of the length took minutes here."""
    assert isinstance(free_names(text), list)
    assert paired_names(text) == []
    assert len(title_names(text).all) == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was Frank Sinatra's last album.", ["Frank Sinatra"]),
        ("He joined Frank Sinatra's Capitol Records.", ["Frank Sinatra", "Capitol Records"]),
        ("She saw Schindler's List twice.", ["Schindler's List"]),
        ("They met Billy Wilder’s wife.", ["Billy Wilder"]),
    ],
)
def test_who_owns_something_is_named_without_the_ending(text: str, names: list[str]) -> None:
    assert free_names(text) == names
