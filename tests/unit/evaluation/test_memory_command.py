"""``clew eval memory``: needs nothing that runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from tests.integration.graph.term_embedder import TermEmbedder

TEXTS = ["We brought a beagle home.", "It rained.", "I sold the canoe.", "Lunch was late.", "So tired.", "Good night."]
QUESTIONS = [
    {"conversation_id": "c", "question": "What became of the canoe?", "gold": ["2"]},
    {"conversation_id": "c", "question": "Which dog did they get?", "gold": ["0", "9"]},
]


@pytest.fixture
def evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    for name in ("CLEW_TABLE_NAME", "CLEW_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(wiring.models, "embedder", lambda settings: {"e5": TermEmbedder()}[settings.embedder])
    turns = [
        {"id": str(place), "speaker": ("Anna", "Boris")[place % 2], "text": text}
        for place, text in enumerate([*TEXTS, *TEXTS])
    ]
    (tmp_path / "conversations.jsonl").write_text(json.dumps({"id": "c", "turns": turns}), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")

    def run(*options: str) -> Result:
        return CliRunner().invoke(app, ("eval", "memory", "--dataset", str(tmp_path), *options))

    return run


def test_json_has_recall_for_each_way_and_the_tokens_of_the_context(evaluate: Callable[..., Result]) -> None:
    result = evaluate("--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert (found["conversations"], found["turns"], found["questions"]) == (1, 12, 2)
    assert list(found["recall"]) == ["words", "meaning", "fused"]
    for shares in found["recall"].values():
        assert 0.5 <= shares["recall_at_5"] <= shares["recall_at_10"] <= shares["recall_at_20"] == 1
    assert [each["rounds"] for each in found["context"]] == [5]
    assert found["context"][0]["everything"] > 0


def test_tables_have_a_row_for_each_way_and_each_number_of_rounds(evaluate: Callable[..., Result]) -> None:
    result = evaluate()
    assert result.exit_code == 0, result.output
    assert "2 questions, 12 turns, 1 conversations" in result.stdout
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["turns", "by", "R@5", "R@10", "R@20"] in lines
    assert {"words", "meaning", "fused"} <= {line[0] for line in lines if len(line) == 4}
    assert ["rounds", "conversations", "everything", "history", "summary", "episodes", "window"] in lines
    assert [line[:2] for line in lines if len(line) == 7][1] == ["5", "1"]
    assert "embedding turns: 24 of 24" in result.stderr


def test_what_is_malformed_ends_it_before_anything_is_embedded(evaluate: Callable[..., Result], tmp_path: Path) -> None:
    with (tmp_path / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"conversation_id": "c", "question": "Who?", "gold": ["77"]}')
    result = evaluate()
    assert result.exit_code == 1
    assert result.stderr == f"clew: {tmp_path}/queries.jsonl:3: conversation 'c' has no turn '77'.\n"
    assert result.stdout == ""
