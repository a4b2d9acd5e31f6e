"""Which model stands behind a setting, and that none does unless one is set."""

from typing import Any, get_args

import pytest

from clew import wiring
from clew.answering.rewriting.falling_back import FallingBackRewriter
from clew.answering.rewriting.rule import RuleRewriter
from clew.errors import ConfigurationError
from clew.knowledge.extraction import RuleExtraction
from clew.knowledge.model_extraction import ModelExtraction
from clew.memory.extractive_summary import ExtractiveSummariser
from clew.memory.mem0 import Mem0
from clew.models.bedrock_chooser import BedrockChooser
from clew.models.bedrock_converse import BedrockConverse
from clew.models.bedrock_graph_model import BedrockGraphModel
from clew.models.bedrock_reranker import BedrockReranker
from clew.models.model_summariser import ModelSummariser
from clew.models.openai_text import OpenAIText
from clew.retrieval.evidence import Passage
from clew.retrieval.research.falling_back import FallingBackPlanner
from clew.retrieval.research.planner import Findings
from clew.settings import ChatModelSettings, IngestSettings, MemorySettings, RetrievalSettings, RouterSettings


def router(**values: Any) -> RouterSettings:
    return RouterSettings.load(table_name="table", **values)


def retrieval(**values: Any) -> RetrievalSettings:
    return RetrievalSettings.load(table_name="table", neo4j_secret="graph", **values)


def memory(**values: Any) -> MemorySettings:
    return MemorySettings.load(table_name="table", neo4j_secret="graph", **values)


def ingest(**values: Any) -> IngestSettings:
    return IngestSettings.load(table_name="table", neo4j_secret="graph", **values)


def test_no_model_routes_ranks_or_plans_unless_it_is_set() -> None:
    assert wiring.retrieval.kb_chooser(router()) is None
    assert wiring.retrieval.reranker(retrieval()) is None
    assert wiring.retrieval.planner(retrieval()) is None


def test_a_model_that_is_set_is_made_once() -> None:
    assert isinstance(wiring.retrieval.kb_chooser(router(kb_chooser="bedrock")), BedrockChooser)
    assert wiring.retrieval.kb_chooser(router(kb_chooser="bedrock")) is wiring.retrieval.kb_chooser(
        router(kb_chooser="bedrock")
    )
    assert isinstance(wiring.retrieval.reranker(retrieval(reranker="bedrock")), BedrockReranker)
    assert wiring.retrieval.reranker(retrieval(reranker="bedrock")) is wiring.retrieval.reranker(
        retrieval(reranker="bedrock")
    )
    assert wiring.retrieval.planner(retrieval(research_planner="bedrock")) is wiring.retrieval.planner(
        retrieval(research_planner="bedrock")
    )


def test_a_model_plans_with_the_rule_to_fall_back_on(caplog: pytest.LogCaptureFixture) -> None:
    planner = wiring.retrieval.planner(retrieval(research_planner="bedrock", bedrock_profile="missing"))
    assert isinstance(planner, FallingBackPlanner)
    passage = Passage(id="p", document_id="d", title="Inception", text="Christopher Nolan directed it.")
    assert planner.assess(Findings("Who composed it?", (), (passage,), ())).missing == ("composed",)
    assert [record.getMessage() for record in caplog.records] == ["planned by the fallback: ConfigurationError"]


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_KB_CHOOSER", "bedrock")
    monkeypatch.setenv("CLEW_RESEARCH_PLANNER", "bedrock")
    assert wiring.retrieval.planner(retrieval()) is not None
    monkeypatch.setenv("CLEW_RERANKER", "always")
    assert isinstance(wiring.retrieval.kb_chooser(router()), BedrockChooser)
    with pytest.raises(ConfigurationError, match="CLEW_RERANKER"):
        retrieval()


@pytest.mark.parametrize(("kind", "expected"), [("rule", RuleExtraction), ("bedrock", ModelExtraction)])
def test_a_load_is_told_who_reads(kind: wiring.loading.ExtractionKind, expected: type) -> None:
    assert isinstance(wiring.loading._extraction(ingest(), kind), expected)


def test_the_model_that_reads_is_part_of_what_a_load_compares() -> None:
    versions = {wiring.loading._extraction(ingest(), "rule").version}
    versions |= {wiring.loading._extraction(ingest(ingest_model_id=name), "bedrock").version for name in ("one", "two")}
    assert len(versions) == 3


def test_the_same_model_reads_and_summarises() -> None:
    settings = ingest(ingest_model_id="one")
    summariser = wiring.loading._summariser(settings, "bedrock")
    assert isinstance(summariser, BedrockGraphModel)
    assert summariser.name == "one"
    assert wiring.loading._summariser(settings, "extract") is None
    assert set(get_args(wiring.loading.SummaryKind)) == {"extract", "bedrock"}


def test_nothing_is_kept_of_users_unless_it_is_set() -> None:
    assert wiring.memory.long_term_memory(memory()) is None


def test_long_term_memory_is_made_once_and_asks_for_its_key_when_it_needs_it() -> None:
    settings = memory(long_term_memory="mem0", mem0_url="http://mem0.example", mem0_api_key_secret="missing")
    assert isinstance(wiring.memory.long_term_memory(settings), Mem0)
    assert wiring.memory.long_term_memory(settings) is wiring.memory.long_term_memory(settings)
    with pytest.raises(ConfigurationError, match="CLEW_MEM0_URL"):
        wiring.memory.long_term_memory(memory(long_term_memory="mem0", mem0_url="mem0"))


@pytest.mark.parametrize(
    ("chat_model", "expected"),
    [("extractive", ExtractiveSummariser), ("bedrock", ModelSummariser), ("openai", ModelSummariser)],
)
def test_who_answers_also_summarises(chat_model: str, expected: type) -> None:
    assert isinstance(wiring.memory.summariser(memory(chat_model=chat_model)), expected)


@pytest.mark.parametrize(
    ("chat_model", "expected"),
    [("extractive", RuleRewriter), ("bedrock", FallingBackRewriter), ("openai", FallingBackRewriter)],
)
def test_who_answers_also_rewrites(chat_model: str, expected: type) -> None:
    settings = ChatModelSettings.load(chat_model=chat_model)
    assert type(wiring.models.rewriter(settings)) is expected
    assert wiring.models.rewriter(settings) is wiring.models.rewriter(settings)


def test_a_chat_model_that_is_none_writes_no_texts() -> None:
    assert wiring.models.text_model(ChatModelSettings.load(chat_model="extractive")) is None
    assert isinstance(wiring.models.text_model(ChatModelSettings.load(chat_model="bedrock")), BedrockConverse)
    assert isinstance(wiring.models.text_model(ChatModelSettings.load(chat_model="openai")), OpenAIText)
