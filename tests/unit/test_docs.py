"""The documents say what the code says: settings, commands, routes, events, problems, rooms and links."""

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from pydantic import TypeAdapter

from clew import problem, settings
from clew.answering import events
from clew.cli.app import app as command_line

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # bare "pytest" does not put the repository on the path
    sys.path.insert(0, str(ROOT))

from infra.environment import variable_of  # noqa: E402

PACKAGE = ROOT / "layers/clew/python/clew"
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "demo/README.md"]
READERS = {
    "answer": settings.AnswerSettings,
    "api": settings.ApiSettings,
    "ingest": settings.IngestSettings,
    "memory": settings.MemorySettings,
    "retrieval": settings.RetrievalSettings,
    "router": settings.RouterSettings,
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def table(document: str, first_column: str, number: int = 0) -> list[dict[str, str]]:
    """The rows of the document's ``number``-th table whose first column has that heading, code marks taken off."""
    found = re.findall(rf"^\| {first_column} \|.*\n\|[-|]+\n((?:\|.*\n?)+)", read(document), re.MULTILINE)
    head = re.findall(rf"^\| {first_column} \|.*", read(document), re.MULTILINE)[number]
    return [dict(zip(_cells(head), _cells(row), strict=True)) for row in found[number].splitlines()]


def _cells(row: str) -> list[str]:
    return [cell.strip().strip("`") for cell in row.strip("| \n").split(" | ")]


def code(document: Path) -> Iterator[str]:
    """The lines of code blocks and the code spans of a document."""
    text = document.read_text(encoding="utf-8")
    blocks = re.compile(r"^( *)```.*?\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
    for block in blocks.finditer(text):
        yield from block[2].splitlines()
    yield from re.findall(r"`([^`\n]+)`", blocks.sub("", text))


def blocks(document: str, kind: str) -> list[Any]:
    return [json.loads(text) for text in re.findall(rf"^```json {kind}\n(.*?)^```", read(document), re.M | re.S)]


def named(source: str, name: str) -> ast.expr:
    """What a module assigns to ``name``, without importing it: infra's modules start Node.js."""
    for node in ast.parse(read(source)).body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                return value
    raise AssertionError(f"{source} assigns nothing to {name}")


def declared() -> dict[str, dict[str, str]]:
    """Every variable with its default and its readers, as the settings table writes them."""
    found: dict[str, dict[str, str]] = {}
    for reader, settings_class in READERS.items():
        for field, info in settings_class.model_fields.items():
            row = found.setdefault(variable_of(settings_class, field), {"default": "", "readers": ""})
            default = "–" if info.is_required() else str(info.default) or "*empty*"
            row["default"] = default.lower() if isinstance(info.default, bool) else default
            row["readers"] = ", ".join(filter(None, (row["readers"], reader)))
    return found


def test_settings_table_lists_what_is_declared_with_defaults_and_readers() -> None:
    rows = table("docs/settings.md", "variable")
    listed = {row["variable"]: {"default": row["default"], "readers": row["read by"]} for row in rows}
    assert len(listed) == len(rows)
    assert listed == declared()


def test_stage_table_shows_what_the_stages_set() -> None:
    rows = table("docs/settings.md", "stage")
    for row in rows:
        value = named("infra/stages.py", f"_{row['stage'].upper()}")
        assert isinstance(value, ast.Call)
        given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in value.keywords if keyword.arg in row}
        assert given == {name: text for name, text in row.items() if name != "stage"}
    assert [row["stage"] for row in rows] == ["local", "dev", "prod"]


def test_command_line_table_lists_the_variables_that_options_read() -> None:
    listed = {row["variable"]: (row["option"], row["default"]) for row in table("docs/settings.md", "variable", 1)}
    read_by_options = {
        parameter.envvar: (parameter.opts[0], str(parameter.default) or "*empty*")
        for command in commands().values()
        for parameter in command.params
        if getattr(parameter, "envvar", None)
    }
    assert listed == read_by_options


def commands() -> dict[str, Any]:
    """Every command of the command line by its words, such as ``kb list``."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        found[" ".join(words)] = command
        for name, child in getattr(command, "commands", {}).items():
            walk(child, (*words, name))

    walk(typer.main.get_command(command_line), ())
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_make_targets_and_commands_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):.*## ", read("Makefile"), re.MULTILINE))
    known = commands()
    for line in code(document):
        assert set(re.findall(r"\bmake ([a-z0-9-]+)\b", line)) <= targets, line
        for first, second, rest in re.findall(r"(?:^|[ \"'])clew ([a-z]+)(?: ([a-z]+))?([^#|]*)", line):
            words = f"{first} {second}" if f"{first} {second}" in known else first
            assert words in known, line
            assert not getattr(known[words], "commands", None), line
            options = {option for parameter in known[words].params for option in parameter.opts}
            assert set(re.findall(r"(--[a-z-]+)", rest)) <= options, line


def test_readme_names_the_two_commands_and_every_command_of_the_command_line() -> None:
    lines = "\n".join(code(ROOT / "README.md"))
    assert "make run" in lines
    assert "make test" in lines
    leaves = {words for words, command in commands().items() if not getattr(command, "commands", None)} - {"up"}
    assert {words for words in leaves if f"clew {words}" not in lines} == set()


def test_problem_table_is_the_one_in_the_code() -> None:
    kinds = {(kind.slug, str(kind.status), kind.title) for kind in problem._KINDS.values()}
    for document in (problem.not_found("/x"), problem.method_not_allowed("GET", "/x", "POST")):
        kinds.add((document.type.removeprefix(problem.TYPE_PREFIX), str(document.status), document.title))
    assert {tuple(row.values()) for row in table("docs/http.md", "type")} == kinds


def test_gateway_problem_table_lists_what_the_gateways_answer() -> None:
    refusals = named("infra/refusals.py", "_REFUSALS")
    answered = {ast.literal_eval(each.args[2]) for each in ast.walk(refusals) if isinstance(each, ast.Call)}
    on_the_laptop = set(re.findall(r'gateway_problem\(HTTPStatus\.\w+, "([a-z-]+)"', read(f"{LOCAL}/gateway.py")))
    assert on_the_laptop <= answered
    assert {row["type"] for row in table("docs/http.md", "type", 1)} == answered


LOCAL = "layers/clew/python/clew/local"


def test_problem_example_is_a_problem_document() -> None:
    (example,) = blocks("docs/http.md", "problem")
    assert json.loads(problem.Problem.model_validate(example).to_json()) == example


def test_every_event_has_an_example_that_is_one() -> None:
    adapter: TypeAdapter[events.Event] = TypeAdapter(events.Event)
    shown = set()
    for example in blocks("docs/http.md", "event"):
        event = adapter.validate_python(example)
        assert event.model_dump(mode="json") == example
        shown.add(type(event))
    assert shown == set(get_args(events.Event))


def routes() -> set[tuple[str, str, str]]:
    """Method, path and function of every route of the REST API."""
    functions = {"STREAMED": "answer, streamed", "TO_ROUTER": "router", "TO_API": "api", "OPEN": "api"}
    return {
        (method, f"/api/v1/{path}", function)
        for name, function in functions.items()
        for method, path in ast.literal_eval(named("infra/api.py", name))
    }


def test_route_table_is_the_rest_api() -> None:
    listed = {(row["method"], row["path"], row["function"]) for row in table("docs/http.md", "method")}
    assert listed == routes()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_in_an_example_is_a_route(document: Path) -> None:
    known = {path for _, path, _ in routes()}
    mentioned = re.findall(r"/api/v1/[A-Za-z0-9/{}_-]+(?:\.json)?", document.read_text(encoding="utf-8"))
    assert {path.rstrip("/") for path in mentioned} <= known


def heading_anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_documents_resolve(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (document.parent / path).resolve() if path else document
        assert linked.exists(), target
        assert linked.is_relative_to(ROOT), target
        assert not anchor or anchor in heading_anchors(linked), target


def imports_by_room() -> dict[str, set[str]]:
    """What the files of each room import of the package: other rooms, and files at its top."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in PACKAGE.glob("*/**/*.py"):
        room = file.relative_to(PACKAGE).parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.ImportFrom(module="clew", names=names):
                    found[room] |= {alias.name for alias in names}
                case ast.ImportFrom(module=str(module)) if module.startswith("clew."):
                    found[room].add(module.split(".")[1])
                case _:
                    found[room] |= set()
    return found


def test_rooms_import_what_the_architecture_says_and_in_no_circle() -> None:
    rows = table("docs/architecture.md", "room")
    allowed = {row["room"]: set(re.findall(r"[a-z_]+", row["may import"])) - {"nothing"} for row in rows}
    for_all = {"errors", "identifiers", "__version__"}
    imported = {room: names - for_all - {room} for room, names in imports_by_room().items()}
    assert imported == allowed

    settled: set[str] = set()
    while waiting := {room: names & set(allowed) - settled for room, names in allowed.items() if room not in settled}:
        free = {room for room, names in waiting.items() if not names}
        assert free, f"a circle of imports among {sorted(waiting)}"
        settled |= free
