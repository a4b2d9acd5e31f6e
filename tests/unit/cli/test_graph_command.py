"""``clew graph`` on a knowledge base in memory: the file, what is told of it, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from clew.drawing import fonts
from clew.errors import UnknownKnowledgeBaseError
from tests.unit.drawing.small_graph import films

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def found(prefix: str) -> SimpleNamespace:
        if prefix != "movie":
            raise UnknownKnowledgeBaseError(prefix, ["movie"])
        return SimpleNamespace(entity_names=("Inception", "Hans Zimmer"))

    settings = {"STAGE": "test", "TABLE_NAME": "table", "NEO4J_SECRET": "graph"}
    for name, value in settings.items():
        monkeypatch.setenv(f"CLEW_{name}", value)
    monkeypatch.setattr(wiring.stores, "knowledge_bases", lambda settings, tenant: SimpleNamespace(get=found))
    monkeypatch.setattr(wiring.graph, "graph_reader", lambda settings, tenant, prefix: films())
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, ["graph", *words, "--kb", "movie"])


def fails(result: Result, folder: Path) -> str:
    """The one line that a command fails with, which has written nothing."""
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert list(folder.iterdir()) == []
    (line,) = result.stderr.strip().splitlines()
    return line


def test_it_draws_into_a_file_called_as_the_entity_and_tells_what_is_in_it(run: Run, tmp_path: Path) -> None:
    result = run("Inception")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "inception.svg: 3 entities, 2 relations.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["inception.svg"]
    assert "盗梦空间" in (tmp_path / "inception.svg").read_text(encoding="utf-8")


def test_a_chinese_name_makes_a_chinese_picture(run: Run, tmp_path: Path) -> None:
    result = run("盗梦空间", "--hops", "2")
    assert result.stdout == "盗梦空间.svg: 6 entities, 7 relations.\n"
    assert "相隔两步" in (tmp_path / "盗梦空间.svg").read_text(encoding="utf-8")


def test_it_tells_how_many_a_limit_left_out(run: Run) -> None:
    assert run("Interstellar", "--limit", "1").stdout == (
        "interstellar.svg: 2 entities, 1 relation. These are the 1 strongest of 3 around it; --limit takes more.\n"
    )


def test_types_of_relations_are_written_on_request(run: Run, tmp_path: Path) -> None:
    assert run("Interstellar", "--relations", "--out", "a.svg").exit_code == 0
    assert ">wrote<" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_shared_name_draws_the_first_and_lists_all(run: Run, tmp_path: Path) -> None:
    result = run("Nolan", "--out", "a.svg")
    assert result.exit_code == 0
    told, first, second = result.stderr.strip().splitlines()
    assert "2 entities" in told
    assert "--which" in told
    assert first.split(maxsplit=1) == [
        "1",
        "Christopher Nolan (克里斯托弗·诺兰), in: Inception (盗梦空间); Interstellar (星际穿越)",
    ]
    assert second.split()[:3] == ["2", "Jonathan", "Nolan"]
    assert "盗梦空间" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_another_of_that_name_is_drawn_by_its_number(run: Run, tmp_path: Path) -> None:
    result = run("Nolan", "--which", "2", "--out", "a.svg")
    assert (result.exit_code, result.stderr) == (0, "")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "乔纳森·诺兰" in drawn
    assert "盗梦空间" not in drawn


def test_a_number_that_is_too_large_is_refused(run: Run, tmp_path: Path) -> None:
    assert fails(run("Nolan", "--which", "3"), tmp_path) == "clew: 'Nolan' names 2; --which is a number up to that."


def test_a_png_without_a_chinese_font_is_drawn_with_a_word_of_warning(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "CHINESE", ())
    result = run("盗梦空间", "--out", "a.png")
    assert result.exit_code == 0
    assert result.stdout == "a.png: 3 entities, 2 relations.\n"
    (line,) = result.stderr.strip().splitlines()
    assert "盗梦空间" in line
    assert "Noto Sans CJK" in line
    assert ".svg" in line
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Zimmer", "Did you mean: Hans Zimmer (汉斯·季默)?"),
        ("Incepton", "Did you mean: Inception (盗梦空间)?"),
        ("Quetzalcoatl", "title of a document"),
    ],
)
def test_an_unknown_name_is_answered_with_those_that_come_near(run: Run, tmp_path: Path, name: str, told: str) -> None:
    line = fails(run(name), tmp_path)
    assert line.startswith(f"clew: There is no entity {name!r} in 'movie'.")
    assert told in line


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("Inception", "--out", "a.jpg"), ".svg or .png"),
        (("Inception", "--out", "missing/a.svg"), "no such folder"),
        (("Inception", "--tenant", "a/b"), "tenant"),
        (("Inception", "--kb", "law"), None),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(
    run: Run, tmp_path: Path, words: tuple[str, ...], told: str | None
) -> None:
    if told:
        assert told in fails(run(*words), tmp_path)
    else:
        line = fails(CliRunner().invoke(app, ["graph", *words]), tmp_path)
        assert line == "clew: There is no knowledge base 'law'. Known: movie."


@pytest.mark.parametrize(
    "words", [("--hops", "3"), ("--hops", "0"), ("--limit", "0"), ("--limit", "201")], ids=" ".join
)
def test_numbers_out_of_range_are_wrong_usage(run: Run, words: tuple[str, ...]) -> None:
    assert run("Inception", *words).exit_code == 2
