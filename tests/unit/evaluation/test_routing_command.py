"""``clew eval routing``: the router as it is, on the registry that the environment names."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from mypy_boto3_dynamodb.service_resource import Table
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing.knowledge_base import KnowledgeBaseProfile

LABELS = [
    {"message": "Who directed Inception?", "expected_kb": "films", "expected_agent": "graph_agent"},
    {
        "message": "谁更年长，《盗梦空间》的导演还是编剧？",
        "expected_kb": "films",
        "expected_agent": "deep_research_agent",
    },
    {"message": "Who scored Inception [x]?", "expected_kb": "films", "expected_agent": "hybrid_agent"},
    {"message": "Is Inception on tonight?", "expected_kb": "general"},
    {"message": "Hello!", "requested_kb": "films", "expected_kb": "films"},
]


@pytest.fixture
def evaluate(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    profile = KnowledgeBaseProfile(prefix="films", title="Films", entity_names=("Inception", "盗梦空间"))
    KnowledgeBaseRegistry(table, "acme").put(profile)
    for name, value in {"CLEW_TABLE_NAME": table.name, "CLEW_EMBEDDER": "e5", "CI": "true"}.items():
        monkeypatch.setenv(name, value)
    wiring.stores.dynamodb_table.cache_clear()

    def run(labels: list[dict[str, str]], *options: str) -> Result:
        path = tmp_path / "messages.jsonl"
        path.write_text("".join(f"{json.dumps(label)}\n" for label in labels), encoding="utf-8")
        return CliRunner().invoke(app, ("eval", "routing", "--dataset", str(path), *options))

    yield run
    wiring.stores.dynamodb_table.cache_clear()


def test_json_has_every_figure_and_what_went_wrong(evaluate: Callable[..., Result]) -> None:
    result = evaluate(LABELS, "--tenant", "acme", "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert (found["messages"], found["accuracy"]) == (5, 0.8)
    assert (found["with_agent"], found["agent_accuracy"]) == (3, 0.6667)
    assert (found["general"], found["general_to_kb"]) == (1, 1.0)
    assert found["confusion"] == {"films": {"films": 4}, "general": {"films": 1}}
    assert [wrong["message"] for wrong in found["wrong"]] == [LABELS[2]["message"], LABELS[3]["message"]]


def test_the_table_shows_expected_against_found_and_lists_what_went_wrong(evaluate: Callable[..., Result]) -> None:
    result = evaluate(LABELS, "--tenant", "acme")
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["accuracy", "0.800", "of", "5"] in lines
    assert ["expected", "films", "general"] in lines
    assert ["films", "4", "0"] in lines
    assert ["general", "1", "0"] in lines
    assert "'Who scored Inception [x]?': graph_agent, not hybrid_agent." in result.stdout
    assert "'Is Inception on tonight?': films, not general." in result.stdout


def test_another_tenant_has_its_own_knowledge_bases(evaluate: Callable[..., Result]) -> None:
    found = json.loads(evaluate(LABELS[:2], "--json").stdout)
    assert found["confusion"] == {"films": {"general": 2}}


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([LABELS[0], {"message": "Who?"}], "messages.jsonl:2: expected_kb: "),
        ([{**LABELS[0], "requested_kb": "recipes"}], "There is no knowledge base 'recipes'"),
    ],
    ids=["line", "knowledge base"],
)
def test_what_does_not_fit_is_told_in_one_line(
    evaluate: Callable[..., Result], labels: list[dict[str, str]], told: str
) -> None:
    result = evaluate(labels, "--tenant", "acme")
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("clew: ")
    assert told in line
