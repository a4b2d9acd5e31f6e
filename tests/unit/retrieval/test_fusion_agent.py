"""fusion_agent: rankings fused by weight, then read by a reranker where there is one that answers."""

import logging

import pytest

from clew.errors import ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.retrieval.agents.fusion_agent import KEPT, RERANKED, FusionAgent
from clew.retrieval.agents.naive_rag_agent import NaiveRagAgent
from clew.retrieval.evidence import EntityRef, Passage, Reference
from tests.unit.retrieval.small_reader import INCEPTION, ZIMMER, Relation, SmallReader, Text, WordEmbedder, films

QUESTIONS = ["Where was the composer of Inception born?", "《卧虎藏龙》的作曲者出生在哪里？"]


class ScriptedReranker:
    """Gives the texts scores by their place, and notes what it was given."""

    def __init__(self, scores: list[float] | None = None, error: Exception | None = None) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self._scores = scores
        self._error = error

    def rerank(self, query: str, texts: list[str]) -> list[float]:
        self.asked.append((query, texts))
        if self._error:
            raise self._error
        return self._scores or [place / len(texts) for place in range(len(texts))]


def found(query: str, reranker: ScriptedReranker | None = None, reader: SmallReader | None = None) -> list[Passage]:
    agent = FusionAgent(reader or films(), WordEmbedder(), reranker)  # type: ignore[arg-type]
    return [Passage.model_validate(each) for each in agent.retrieve_with_trace(query, "s1")["retrieval_results"]]


def ids(passages: list[Passage]) -> list[str]:
    return [passage.id for passage in passages]


def many(number: int) -> SmallReader:
    """As many documents on one thing, each with words of its own."""
    texts = [Text(f"p{place:02}", "alpha", f"Alpha was seen{' again' * place} by {place}.") for place in range(number)]
    return SmallReader([EntityRef(id="alpha", name="Alpha")], texts)


@pytest.mark.parametrize("query", QUESTIONS)
def test_each_passage_tells_which_rankings_have_it(query: str) -> None:
    passages = found(query)
    assert all(passage.found_by[0] == "fusion_agent" for passage in passages)
    first = passages[0]
    assert set(first.found_by) == {"fusion_agent", "graph_agent", "hybrid_agent", "naive_rag_agent"}
    assert [passage.score for passage in passages] == sorted((each.score for each in passages), reverse=True)


@pytest.mark.parametrize(
    ("query", "said", "noise"),
    [
        (
            "Which prize did the composer of Inception win?",
            "Hans Zimmer composed Inception, which a prize was to win.",
            "To win a prize, each composer works.",
        ),
        ("《盗梦空间》的作曲者得过什么奖项？", "《盗梦空间》的作曲者汉斯·季默，奖项。", "作曲者与奖项。"),
    ],
)
def test_what_only_the_graph_finds_is_not_outvoted(query: str, said: str, noise: str) -> None:
    """A dozen passages have words of the question; the one that it asks for has none."""
    noisy = [EntityRef(id=f"n{number}", name=f"Number {number}") for number in range(12)]
    texts = [Text(f"noise{number}", f"n{number}", noise) for number in range(11)]
    texts += [Text("film", "inception", said), Text("hop", "zimmer", "…"), Text("far", "n11", "Sea and sky, 海与天。")]
    reader = SmallReader([INCEPTION, ZIMMER, *noisy], texts, [Relation("inception", "zimmer", said, "film")])
    assert set(ids(found(query, None, reader))[:2]) == {"film", "hop"}
    plain = NaiveRagAgent(reader, WordEmbedder()).retrieve_with_trace(query, "s1")  # type: ignore[arg-type]
    assert "hop" not in [each["id"] for each in plain["retrieval_results"]]


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_reranker_has_the_last_word(query: str) -> None:
    reranker = ScriptedReranker()
    fused, reranked = found(query), found(query, reranker)
    assert ids(reranked) == ids(fused)[::-1]
    assert [passage.score for passage in reranked] == sorted((each.score for each in reranked), reverse=True)
    ((asked, texts),) = reranker.asked
    assert asked == query
    assert texts == [f"{passage.title}\n{passage.text}" for passage in fused]


def test_a_reranker_reads_more_than_is_kept() -> None:
    reranker = ScriptedReranker()
    best = found("Alpha", reranker, many(2 * RERANKED))
    ((_, texts),) = reranker.asked
    assert len(texts) == RERANKED
    assert len(best) == KEPT
    assert [f"{passage.title}\n{passage.text}" for passage in best] == texts[::-1][:KEPT]
    assert len(found("Alpha", None, many(2 * RERANKED))) == KEPT


def test_passages_that_the_reranker_scores_alike_stay_in_their_order() -> None:
    fused = found(QUESTIONS[0])
    assert ids(found(QUESTIONS[0], ScriptedReranker([0.0] * len(fused)))) == ids(fused)
    one_up = [0.2] * (len(fused) - 1) + [0.9]
    assert ids(found(QUESTIONS[0], ScriptedReranker(one_up))) == [fused[-1].id, *ids(fused[:-1])]


@pytest.mark.parametrize(
    "error",
    [
        ModelThrottledError("busy"),
        ModelUnavailableError("gone"),
        ModelError("refused"),
        ConfigurationError("no such model"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_without_the_rerankers_answer_the_fused_order_holds_and_a_log_tells(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert ids(found(QUESTIONS[0], ScriptedReranker(error=error))) == ids(found(QUESTIONS[0]))
    assert [record.getMessage() for record in caplog.records] == [f"not reranked: {type(error).__name__}"]


def test_where_nothing_is_found_no_reranker_is_asked() -> None:
    reranker = ScriptedReranker()
    assert found("Alpha", reranker, SmallReader([])) == []
    assert reranker.asked == []


def test_what_the_passages_stand_on_is_told() -> None:
    result = FusionAgent(films(), WordEmbedder()).retrieve_with_trace(QUESTIONS[0], "s1")  # type: ignore[arg-type]
    reference = Reference.model_validate(result["reference"])
    assert [entity.name for entity in reference.linked] == ["Inception"]
    assert ("Inception", "Hans Zimmer") in {(fact.source, fact.target) for fact in reference.facts}
    assert "Inception, Hans Zimmer" in [community.title for community in reference.communities]
