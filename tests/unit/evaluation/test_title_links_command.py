"""``clew eval retrieval --no-title-links``: another scratch knowledge base, loaded in another way."""

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import Result
from typer.testing import CliRunner

from clew import wiring
from clew.cli.app import app
from clew.errors import GraphUnavailableError


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"id": "a", "title": "A", "text": "Text."}))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"id": "q", "question": "What is A?", "gold": ["a"]}))
    return tmp_path


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, bool]]:
    """Tenant, knowledge base and links by title of each load that was begun; there is no graph to end it in."""
    begun: list[tuple[str, str, bool]] = []

    def ingest(settings: Any, tenant_id: str, kb_prefix: str, *, title_links: bool = True) -> NoReturn:
        begun.append((tenant_id, kb_prefix, title_links))
        raise GraphUnavailableError("The knowledge graph does not answer. Try again later.")

    monkeypatch.setattr(wiring.loading, "ingest", ingest)
    for name, value in {"CLEW_TABLE_NAME": "t", "CLEW_NEO4J_SECRET": "s", "CLEW_EMBEDDER": "e5", "CI": "true"}.items():
        monkeypatch.setenv(name, value)
    return begun


def run(*options: str) -> Result:
    return CliRunner().invoke(app, ("eval", "retrieval", *options))


def test_the_two_ways_of_loading_do_not_share_a_knowledge_base(
    dataset: Path, loads: list[tuple[str, str, bool]]
) -> None:
    for options in ((), ("--no-title-links",)):
        assert run("--dataset", str(dataset), *options).exit_code == 1
    (tenant, linked, _), (same_tenant, unlinked, _) = loads
    assert tenant == same_tenant
    assert linked != unlinked
    assert [title_links for *_, title_links in loads] == [True, False]


def test_a_knowledge_base_that_is_loaded_already_cannot_be_asked_so(
    dataset: Path, loads: list[tuple[str, str, bool]]
) -> None:
    result = run("--dataset", str(dataset), "--kb", "movie", "--no-title-links")
    assert result.exit_code == 1
    assert result.stderr == "clew: --no-title-links is about loading corpus.jsonl; leave out --kb.\n"
    assert loads == []
