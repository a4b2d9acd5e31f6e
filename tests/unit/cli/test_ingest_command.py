"""``clew ingest`` and ``clew kb`` without a graph: what is read, what is passed on, what is told."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from clew.errors import UnknownKnowledgeBaseError
from clew.knowledge.documents import DocumentSource
from clew.knowledge.ingest import LoadReport
from clew.routing.knowledge_base import KnowledgeBaseProfile, KnowledgeBaseSummary


@dataclass
class Loader:
    """Stands for what loads: keeps what it is told to do and reports it as done."""

    made: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    def load(self, documents: DocumentSource, summary: KnowledgeBaseSummary, show: Any, *, prune: bool) -> LoadReport:
        self.loaded = [each.id for each in documents]
        self.done.append("load and prune" if prune else "load")
        show("loading", len(documents), len(documents))
        profile = KnowledgeBaseProfile(**summary.model_dump(), documents=len(self.loaded))
        return LoadReport(len(self.loaded), 0, 0, profile, removed=4 if prune else 0)

    def remove(self, document_ids: list[str], _: Any) -> LoadReport:
        self.done.append(f"remove {' '.join(document_ids)}")
        return LoadReport(0, 0, 2, KnowledgeBaseProfile(prefix="hr", title="HR", documents=2), len(document_ids))

    def delete(self, _: Any) -> int:
        self.done.append("delete")
        return 12


@pytest.fixture
def loader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Loader:
    loader = Loader()

    class Registry:
        def find(self, _: str) -> None:
            return None

    def ingest(_: Any, tenant_id: str, kb_prefix: str, **options: str) -> Loader:
        loader.made.append((tenant_id, kb_prefix, options))
        return loader

    monkeypatch.setattr(wiring.loading, "ingest", ingest)
    monkeypatch.setattr(wiring.stores, "knowledge_bases", lambda *_: Registry())
    for name, value in {"CLEW_TABLE_NAME": "t", "CLEW_NEO4J_SECRET": "s", "CLEW_EMBEDDER": "e5"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return loader


def run(*words: str, says: str = "") -> Result:
    return CliRunner().invoke(app, words, input=says)


def line(name: str, **values: object) -> str:
    return json.dumps({"id": name, "title": "A title", "text": "Text."} | values, ensure_ascii=False)


def test_documents_that_cannot_be_loaded_are_skipped_on_request_and_counted(loader: Loader, tmp_path: Path) -> None:
    lines = [line("a"), "{oops", line("b"), *[line(str(number), text="") for number in range(30)]]
    (tmp_path / "some.jsonl").write_text("\n".join(lines))
    (tmp_path / "empty.md").write_text("")
    result = run("ingest", str(tmp_path), "--kb", "hr", "--on-error", "skip")
    assert result.exit_code == 0, result.stderr
    assert loader.loaded == ["a", "b"]
    assert result.stdout.startswith("hr: 2 added, 0 updated, 0 unchanged, 32 skipped; now 2 documents")
    told = [each for each in result.stderr.splitlines() if each.startswith("skipped ")]
    assert len(told) == 20
    assert "empty.md: the file is empty." in told[0]
    assert "some.jsonl:2: not a JSON object" in told[1]
    assert "… and 12 more" in result.stderr


def test_stopping_says_that_nothing_was_loaded(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(line("a") + "\n{oops")
    result = run("ingest", str(tmp_path), "--kb", "hr")
    assert result.exit_code == 1
    assert result.stderr.endswith("some.jsonl:2: not a JSON object on one line. Nothing was loaded.\n")
    assert loader.done == []


def test_with_nothing_left_to_load_skipping_is_an_error(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    result = run("ingest", str(tmp_path), "--kb", "hr", "--on-error", "skip")
    assert result.exit_code == 1
    assert "None of the files holds a document" in result.stderr
    assert loader.done == []


def test_another_encoding_is_read_by_its_name(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line("年假").encode("gb18030"))
    assert "--encoding gb18030" in run("ingest", "a.jsonl", "--kb", "hr").stderr
    assert run("ingest", "a.jsonl", "--kb", "hr", "--encoding", "gb18030").exit_code == 0
    assert loader.loaded == ["年假"]


def test_pruning_is_told_with_its_count(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    assert "0 unchanged, 4 removed; now" in run("ingest", "a.md", "--kb", "hr", "--prune").stdout
    assert loader.done == ["load and prune"]
    assert "removed" not in run("ingest", "a.md", "--kb", "hr").stdout


def test_pruning_while_skipping_is_refused(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    (tmp_path / "b.md").write_text("")
    result = run("ingest", str(tmp_path), "--kb", "hr", "--prune", "--on-error", "skip")
    assert result.exit_code == 1
    assert "--prune would remove the 1 documents that could not be read" in result.stderr
    assert loader.done == []


def test_who_reads_and_who_summarises_is_passed_on(loader: Loader, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    run("ingest", "a.md", "--kb", "hr", "--tenant", "acme")
    run("ingest", "a.md", "--kb", "hr", "--extraction", "bedrock", "--summaries", "bedrock")
    assert loader.made == [
        ("acme", "hr", {"extraction": "rule", "summaries": "extract"}),
        ("default", "hr", {"extraction": "bedrock", "summaries": "bedrock"}),
    ]


@pytest.mark.parametrize(
    ("option", "value"), [("--on-error", "ignore"), ("--extraction", "magic"), ("--summaries", "none")]
)
def test_an_unknown_way_is_wrong_usage(loader: Loader, option: str, value: str) -> None:
    assert run("ingest", "a.md", "--kb", "hr", option, value).exit_code == 2
    assert loader.done == []


def test_documents_are_removed_by_their_ids(loader: Loader) -> None:
    result = run("kb", "remove", "hr", "leave/sabbatical", "`x`", "--tenant", "acme")
    assert result.exit_code == 0
    assert result.stdout.startswith("hr: 2 removed; now 2 documents")
    assert loader.done == ["remove leave/sabbatical `x`"]
    assert loader.made == [("acme", "hr", {})]


def test_a_knowledge_base_is_deleted_when_the_question_is_answered(loader: Loader) -> None:
    assert run("kb", "delete", "hr", says="n\n").exit_code == 1
    assert loader.done == []
    result = run("kb", "delete", "hr", says="y\n")
    assert result.exit_code == 0
    assert "Delete the knowledge base 'hr' of tenant 'default'" in result.output
    assert "hr: deleted, 12 nodes of the graph." in result.output
    assert loader.done == ["delete"]


def test_yes_needs_no_question(loader: Loader) -> None:
    assert "deleted" in run("kb", "delete", "hr", "--yes").stdout
    assert loader.done == ["delete"]


def test_a_knowledge_base_that_is_not_there_is_told(loader: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    def delete(_: Any) -> int:
        raise UnknownKnowledgeBaseError("hr", ["edu"])

    monkeypatch.setattr(loader, "delete", delete)
    result = run("kb", "delete", "hr", "-y")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.strip() == "clew: There is no knowledge base 'hr'. Known: edu."


@pytest.mark.parametrize("words", [("remove", "Hr", "a"), ("delete", "`x`", "-y")], ids=" ".join)
def test_a_prefix_that_can_name_none_is_refused(loader: Loader, words: tuple[str, ...]) -> None:
    result = run("kb", *words)
    assert result.exit_code == 1
    assert "cannot name a knowledge base" in result.stderr
    assert loader.made == []
