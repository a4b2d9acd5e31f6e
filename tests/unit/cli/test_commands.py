"""The command line without a service: help, versions, exit codes, and failing in one line."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from clew import __version__
from clew.cli.app import app

ROOT = typer.main.get_command(app)
LINE = json.dumps({"id": "a", "title": "A", "text": "Text."})


def commands(command: click.Command = ROOT, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command that does something."""
    inside = getattr(command, "commands", None)
    if inside is None:
        yield path
        return
    for name, each in inside.items():
        yield from commands(each, (*path, name))


COMMANDS = list(commands())


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Run":
    for name in ("CLEW_URL", "CLEW_TOKEN", "CLEW_USER", "CLEW_TABLE_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)  # where no stack runs
    return Run()


class Run:
    def __call__(self, *words: str) -> Result:
        return CliRunner().invoke(app, words, terminal_width=100)

    def fails(self, *words: str, code: int = 1) -> str:
        """The one line on standard error that the command fails with."""
        result = self(*words)
        assert result.exit_code == code, result.output
        assert result.stdout == ""
        (line,) = result.stderr.strip().splitlines()
        assert "Traceback" not in line
        return line


def test_the_commands_are_those_that_are_promised() -> None:
    assert {
        ("up",),
        ("ask",),
        ("chat",),
        ("ingest",),
        ("kb", "list"),
        ("kb", "show"),
        ("kb", "remove"),
        ("kb", "delete"),
    } <= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_explains_itself_with_an_example_of_its_own(
    run: Run, words: tuple[str, ...], option: str
) -> None:
    result = run(*words, option)
    assert result.exit_code == 0
    assert f"Usage: clew {' '.join(words)}" in result.stdout.replace("root", "clew", 1)
    examples = [line for line in result.stdout.splitlines() if "Example: " in line]
    assert examples
    assert examples[0].split("Example: ", 1)[1].startswith(f"clew {' '.join(words)}")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_example_names_options_that_exist(words: tuple[str, ...]) -> None:
    command: click.Command = ROOT
    for word in words:
        command = command.commands[word]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    text = " ".join((command.help or "").split())
    example = text.split("Example: ", 1)[1].split(" Exit code", 1)[0]
    assert {word for word in shlex.split(example) if word.startswith("--")} <= known


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_option_and_argument_says_what_it_is(words: tuple[str, ...]) -> None:
    command: click.Command = ROOT
    for word in words:
        command = command.commands[word]  # type: ignore[attr-defined]
    silent = [parameter.name for parameter in command.params if not getattr(parameter, "help", "")]
    assert silent == []


def test_it_tells_its_version(run: Run) -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout.strip()) == (0, f"clew {__version__}")


@pytest.mark.parametrize("words", [(), ("kb",)], ids=["clew", "clew kb"])
def test_alone_it_shows_what_there_is(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code in (0, 2)  # click: a missing command is a matter of usage
    assert "--help" in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("nothing",),
        ("ask",),
        ("ask", "a", "b"),
        ("ask", "a", "--nothing"),
        ("ingest", "x.md"),
        ("ingest", "--kb", "x"),
        ("kb", "show"),
        ("kb", "remove", "x"),
        ("kb", "delete"),
        ("up", "--port", "0"),
        ("up", "--port", "many"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2_on_standard_error(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "words", [("ask", "Who?"), ("kb", "list"), ("kb", "show", "x"), ("kb", "delete", "x"), ("chat",)], ids=" ".join
)
def test_without_a_stack_it_says_how_to_start_one(run: Run, words: tuple[str, ...]) -> None:
    line = run.fails(*words)
    assert line.startswith("clew: No stack runs in '.clew'.")
    assert "clew up" in line


BAD_FILES = [
    ("missing.md", None, "no such file"),
    ("empty.md", b"", "empty"),
    ("image.png", b"\x89PNG", "unknown kind of file"),
    ("latin.txt", b"caf\xe9", "not UTF-8"),
    ("broken.jsonl", f"{LINE}\n{{oops".encode(), "broken.jsonl:2"),
    ("twice.jsonl", f"{LINE}\n{LINE}".encode(), "twice.jsonl:2"),
    ("untitled.jsonl", b'{"id": "a", "text": "x"}', "'title'"),
]


@pytest.mark.parametrize(("name", "content", "told"), BAD_FILES, ids=[each[0] for each in BAD_FILES])
def test_a_file_that_cannot_be_loaded_is_named_before_a_stack_is_looked_for(
    run: Run, tmp_path: Path, name: str, content: bytes | None, told: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "good.md").write_text("# Good\nText.")
    line = run.fails("ingest", "good.md", name, "--kb", "mine")
    assert line.startswith("clew: ")
    assert name in line
    assert told in line
    assert line.endswith(" Nothing was loaded.")


@pytest.mark.parametrize("prefix", ["general", "Movie", "a b", "", "1st", "x" * 33, "`x`", "../x"], ids=repr)
def test_a_prefix_that_can_name_no_knowledge_base_is_refused(run: Run, tmp_path: Path, prefix: str) -> None:
    (tmp_path / "good.md").write_text("# Good\nText.")
    assert "cannot name a knowledge base" in run.fails("ingest", "good.md", "--kb", prefix)


def test_a_tenant_that_is_no_id_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\nText.")
    assert "tenant" in run.fails("ingest", "good.md", "--kb", "mine", "--tenant", "a#b")


def test_files_in_order_and_no_stack_is_told_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\nText.")
    assert "No stack runs" in run.fails("ingest", "good.md", "--kb", "mine")


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "unknown": 2}', "\x00"],
    ids=["empty", "torn", "list", "old", "other", "nul"],
)
def test_a_damaged_note_of_a_stack_counts_as_none(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / ".clew").mkdir()
    (tmp_path / ".clew" / "stack.json").write_text(content)
    assert "No stack runs" in run.fails("kb", "list")
