"""One question's searches: each made once, side by side, and over when the question is."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from clew.errors import ConfigurationError, GraphUnavailableError, ModelThrottledError
from clew.retrieval.agent import Agent
from clew.retrieval.pool import AgentPool
from clew.retrieval.search import Search, searching
from clew.routing.worker_name import AGENT_TYPES, WorkerName
from clew.text.embedding import Vector
from tests.unit.retrieval.small_reader import SmallReader, WordEmbedder, films

QUESTIONS = [
    "Where was the composer of Inception born?",
    "《卧虎藏龙》的作曲者出生在哪里？",
    "Which dreams are hidden?",
]
SOON = 20.0  # seconds that a thread is waited for; none takes that long unless it hangs

# What a ranking reads once for a question, whatever stands on it.
ONCE = ("nearest", "matching", "link", "similar_entities", "subjects", "passages")


def agent_of(agent_type: str, reader: SmallReader, embedder: Any = None) -> Agent:
    return AgentPool(lambda _: reader, embedder or WordEmbedder()).agent(WorkerName("movie", agent_type))


@pytest.fixture(autouse=True)
def nothing_goes_on() -> Iterator[None]:
    """No search outlives its question, whether it was answered or not."""
    yield
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("search")] == []


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize("agent_type", [each for each in AGENT_TYPES if each != "deep_research_agent"])
def test_a_question_is_embedded_once_and_each_search_made_once(agent_type: str, query: str) -> None:
    reader, embedder = films(), WordEmbedder()
    assert agent_of(agent_type, reader, embedder).retrieve_with_trace(query, "s1")["retrieval_results"]
    assert embedder.queries == [query]
    made = Counter(reader.calls)
    assert {name: made[name] for name in ONCE if made[name] > 1} == {}
    assert made["neighbours"] <= 2  # one for each hop
    assert made["mentioning"] <= 2  # of the walk's entities, and of the communities' members
    assert {name: count for name, count in made.items() if name.startswith("communities.") and count > 1} == {}


def test_fusion_reads_no_more_than_the_agent_that_reads_most() -> None:
    read: dict[str, Counter[str]] = {}
    for agent_type in ("hybrid_agent", "fusion_agent"):
        reader = films()
        agent_of(agent_type, reader).retrieve_with_trace(QUESTIONS[0], "s1")
        read[agent_type] = Counter(reader.calls)
    assert read["fusion_agent"] == read["hybrid_agent"]


def test_a_plain_search_walks_nowhere() -> None:
    reader = films()
    agent_of("naive_rag_agent", reader).retrieve_with_trace(QUESTIONS[0], "s1")
    assert Counter(reader.calls) == {"nearest": 1, "matching": 1, "passages": 1}


@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_words_and_meaning_are_searched_side_by_side_and_beside_the_walk(agent_type: str) -> None:
    """Each search waits until the others have begun: one after the other, none would ever end."""
    reader = films()
    searches = {"nearest", "matching"} if agent_type == "naive_rag_agent" else {"nearest", "matching", "neighbours"}
    together = threading.Barrier(len(searches))
    waited = set[str]()

    def wait(name: str) -> None:
        if name in searches - waited:
            waited.add(name)
            together.wait(SOON)

    reader.before = wait
    assert agent_of(agent_type, reader).retrieve_with_trace(QUESTIONS[0], "s1")["retrieval_results"]
    assert waited == searches


@pytest.mark.parametrize("failing", ["nearest", "matching", "link", "neighbours", "mentioning", "passages"])
@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_an_error_of_any_search_is_the_questions(agent_type: str, failing: str) -> None:
    reader = films()
    reader.failing[failing] = GraphUnavailableError("The knowledge graph does not answer. Try again later.")
    agent = agent_of(agent_type, reader)
    if failing in ("link", "neighbours", "mentioning") and agent_type == "naive_rag_agent":
        assert agent.retrieve_with_trace(QUESTIONS[0], "s1")["retrieval_results"]
        return
    with pytest.raises(GraphUnavailableError):
        agent.retrieve_with_trace(QUESTIONS[0], "s1")
    reader.failing.clear()
    assert agent.retrieve_with_trace(QUESTIONS[0], "s1")["retrieval_results"]  # and the next question has an answer


@pytest.mark.parametrize("failing", ["communities.nearest", "communities.matching", "communities.members"])
@pytest.mark.parametrize("agent_type", ["hybrid_agent", "fusion_agent"])
def test_so_is_an_error_of_the_communities(agent_type: str, failing: str) -> None:
    reader = films()
    reader.failing[failing] = GraphUnavailableError("The knowledge graph does not answer. Try again later.")
    with pytest.raises(GraphUnavailableError):
        agent_of(agent_type, reader).retrieve_with_trace(QUESTIONS[0], "s1")


@pytest.mark.parametrize("error", [ModelThrottledError("busy"), ConfigurationError("no such model")])
@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_so_is_an_error_of_the_embedder(agent_type: str, error: Exception) -> None:
    class Failing(WordEmbedder):
        def embed_query(self, text: str) -> Vector:
            raise error

    with pytest.raises(type(error)):
        agent_of(agent_type, films(), Failing()).retrieve_with_trace(QUESTIONS[0], "s1")


def test_a_failed_question_waits_for_what_it_has_begun() -> None:
    reader = films()
    ended: list[str] = []
    failed = threading.Event()

    def slow(name: str) -> None:
        if name == "link":
            failed.set()
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.")
        if name == "matching":
            failed.wait(SOON)
            ended.append(name)

    reader.before = slow
    with pytest.raises(GraphUnavailableError):
        agent_of("graph_agent", reader).retrieve_with_trace(QUESTIONS[0], "s1")
    assert ended == ["matching"]


def test_many_questions_at_once_are_answered_as_each_alone() -> None:
    reader, embedder = films(), WordEmbedder()
    agents = [agent_of(agent_type, reader, embedder) for agent_type in AGENT_TYPES]
    alone = [[agent.retrieve_with_trace(query, "s1") for query in QUESTIONS] for agent in agents]
    barrier = threading.Barrier(8)

    def ask(number: int) -> bool:
        barrier.wait(SOON)
        place = number % len(agents)
        return [agents[place].retrieve_with_trace(query, f"s{number}") for query in QUESTIONS] == alone[place]

    with ThreadPoolExecutor(8, thread_name_prefix="asking") as threads:
        assert all(threads.map(ask, range(8), timeout=SOON))


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize("agent_type", AGENT_TYPES)
def test_the_same_question_has_the_same_evidence(agent_type: str, query: str) -> None:
    reader = films()
    first = agent_of(agent_type, reader).retrieve_with_trace(query, "s1")
    assert all(agent_of(agent_type, reader).retrieve_with_trace(query, "s2") == first for _ in range(3))


def test_a_search_that_nobody_asks_for_is_not_made() -> None:
    reader, embedder = films(), WordEmbedder()
    with searching(reader, embedder, "Inception") as search:  # type: ignore[arg-type]
        assert search.walk.passages
    assert embedder.queries == []
    assert {"nearest", "matching", "similar_entities"}.isdisjoint(reader.calls)


def test_a_question_that_follows_is_searched_for_by_itself() -> None:
    reader, embedder = films(), WordEmbedder()
    with searching(reader, embedder, "Inception") as search:  # type: ignore[arg-type]
        following: Search = search.follow("谭盾出生在哪里？")
        assert following.direct != search.direct
        assert [link.entity.name for link in following.links] == ["谭盾"]
    assert embedder.queries == ["谭盾出生在哪里？", "Inception"]
