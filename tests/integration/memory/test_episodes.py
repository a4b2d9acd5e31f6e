"""Episodes in the graph: stored once, found within their conversation alone, forgotten for good."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import boto3
import pytest
from moto import mock_aws

from clew.conversation.change import Cleared
from clew.conversation.store import ConversationStore
from clew.errors import GraphError, GraphUnavailableError
from clew.memory import episodes as storing
from clew.memory.episode import Episode
from clew.memory.episodes import Episodes
from clew.memory.extractive_summary import ExtractiveSummariser
from clew.memory.keeper import MemoryKeeper
from clew.text.embedding import Vector
from tests.integration.graph.engines import Engine
from tests.integration.graph.term_embedder import TermEmbedder
from tests.integration.table import profiles_table

EVERYTHING = {"after_seq": 0, "before_seq": 1_000_000}
COUNT = "MATCH (e:Episode {conversation_id: $id, tenant_id: $tenant}) RETURN count(e) AS count"
SIMILARITY = "RETURN vector.similarity.cosine($a, $b) AS similarity"


def episode(seq: int, question: str, answer: str = "", conversation: str = "c1", **values: object) -> Episode:
    return Episode(conversation, seq, question, answer or question, f"2026-03-{seq:02d}T12:00:00.000+00:00", **values)


TRIP = [
    episode(2, "What may I bring to the lighthouse?", "A lantern and warm clothes."),
    episode(4, "奖学金什么时候截止？", "蓝海奖学金五月十五日截止。"),
    episode(6, "Who teaches marine biology?", "Professor Santos teaches it."),
    episode(8, "Is the library open on Sundays?", "From ten to six."),
    episode(10, "How far is the lighthouse from the harbour?", "Two miles."),
]


def numbers(found: Sequence[Episode]) -> list[int]:
    return [each.seq for each in found]


def test_a_turn_comes_back_as_it_was(episodes: Episodes) -> None:
    turn = Episode(
        conversation_id="c1",
        seq=2,
        question="谁导演了《卧虎藏龙》？",
        answer='It\'s "Ang Lee" `李安` {x} $id\nsince 2000.',
        created_at="2026-03-01T12:00:00.000+00:00",
        said="谁导演了它？",
        names=("卧虎藏龙", "李安"),
    )
    plain = episode(4, "?", "Yes.")
    assert episodes.add([turn, plain]) == [turn, plain]
    assert episodes.recall("c1", "谁导演了它", **EVERYTHING) == [turn, plain]


@pytest.mark.parametrize(
    ("question", "best"), [("lantern for the lighthouse", 2), ("蓝海奖学金截止", 4), ("Santos", 6)]
)
def test_turns_are_found_by_what_they_are_about(episodes: Episodes, question: str, best: int) -> None:
    episodes.add(TRIP)
    assert episodes.best("c1", question, **EVERYTHING)[0].seq == best


def test_the_best_turns_come_in_the_order_of_time(episodes: Episodes) -> None:
    episodes.add(TRIP)
    found = episodes.recall("c1", "How far is the lighthouse?", **EVERYTHING, top=2)
    assert numbers(found) == [2, 10]
    assert numbers(episodes.best("c1", "How far is the lighthouse?", **EVERYTHING, top=2)) == [10, 2]


def test_neither_cleared_turns_nor_those_of_the_window_are_found(episodes: Episodes) -> None:
    episodes.add(TRIP)
    found = episodes.recall("c1", "the lighthouse", after_seq=2, before_seq=10, top=5)
    assert numbers(found) == [4, 6, 8]


def test_where_there_is_nothing_between_nothing_is_asked(engine: Engine, tenant: str) -> None:
    class Untouched(TermEmbedder):
        def embed_query(self, text: str) -> Vector:
            raise AssertionError("embedded")

    assert Episodes(engine.graph, engine.schema, Untouched(), tenant).recall("c1", "?", after_seq=6, before_seq=7) == []


def test_a_conversation_without_episodes_recalls_none(episodes: Episodes) -> None:
    assert episodes.recall("never", "the lighthouse", **EVERYTHING) == []


def test_conversations_and_tenants_are_apart(engine: Engine, episodes: Episodes, tenant: str) -> None:
    other = Episodes(engine.graph, engine.schema, TermEmbedder(), f"{tenant}-other")
    episodes.add([episode(2, "green tea"), episode(2, "green tea too", conversation="c2")])
    assert [each.question for each in episodes.recall("c1", "green tea", **EVERYTHING)] == ["green tea"]
    assert other.recall("c1", "green tea", **EVERYTHING) == []
    assert other.add([episode(2, "black tea")]) == [episode(2, "black tea")], "the same id is another's turn"
    assert other.forget("c1", 10) == 1
    assert numbers(episodes.recall("c1", "green tea", **EVERYTHING)) == [2]
    episodes.add([episode(4, "black tea")])
    assert numbers(episodes.recall("c1", "tea", **EVERYTHING)) == [2, 4], "the other tenant's clear is not this one's"


def test_adding_again_stores_and_embeds_nothing(episodes: Episodes, embedder: TermEmbedder) -> None:
    episodes.add(TRIP[:3])
    assert embedder.texts == 3
    changed = episode(2, "Something else?")
    assert numbers(episodes.add([changed, *TRIP])) == [8, 10]
    assert embedder.texts == 5
    assert episodes.recall("c1", "lantern", **EVERYTHING, top=1) == TRIP[:1]


def test_several_that_add_the_same_at_once_store_each_once(engine: Engine, episodes: Episodes, tenant: str) -> None:
    turns = [episode(seq, f"question {seq}", conversation="at-once") for seq in range(2, 30, 2)]

    def deliver(_: int) -> None:
        for _ in range(20):
            try:
                return episodes.add(turns)
            except (GraphError, GraphUnavailableError):
                continue  # as the stream does: it comes again
        raise AssertionError("never taken in")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(deliver, range(4)))
    assert engine.graph.read(COUNT, id="at-once", tenant=tenant) == [{"count": len(turns)}]


def test_forgetting_is_complete_and_leaves_what_came_later(
    engine: Engine, episodes: Episodes, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "DELETIONS", 40)
    episodes.add([episode(seq, "green tea", conversation="long") for seq in range(2, 242, 2)])
    episodes.add([episode(2, "green tea")])
    assert episodes.forget("long", 200) == 100
    assert engine.graph.read(COUNT, id="long", tenant=tenant) == [{"count": 20}]
    assert episodes.forget("long", 200) == 0
    assert numbers(episodes.recall("c1", "tea", **EVERYTHING)) == [2]


def test_what_was_forgotten_does_not_come_back(episodes: Episodes, embedder: TermEmbedder) -> None:
    episodes.add(TRIP[:2])
    episodes.forget("c1", 6)
    episodes.forget("c1", 4)
    embedded = embedder.texts
    assert numbers(episodes.add(TRIP)) == [8, 10]
    assert embedder.texts == embedded + 2
    assert numbers(episodes.recall("c1", "the lighthouse", **EVERYTHING, top=9)) == [8, 10]


def test_a_clear_that_overtakes_an_episode_wins(engine: Engine, tenant: str) -> None:
    """The clear comes after the look at what is stored and before the writing: it finds nothing to delete."""

    class Slow(TermEmbedder):
        meanwhile: Callable[[], object]

        def embed_passages(self, texts: list[str]) -> list[Vector]:
            self.meanwhile()
            return super().embed_passages(texts)

    embedder = Slow()
    episodes = Episodes(engine.graph, engine.schema, embedder, tenant)
    embedder.meanwhile = lambda: episodes.forget("c1", 8)
    episodes.add(TRIP)
    assert numbers(episodes.recall("c1", "the lighthouse", **EVERYTHING, top=9)) == [10]


def test_vectors_of_another_embedder_break_nothing(engine: Engine, episodes: Episodes, tenant: str) -> None:
    class Short(TermEmbedder):
        def embed_passages(self, texts: list[str]) -> list[Vector]:
            return [[1.0, 0.0, 0.0] for _ in texts]

    Episodes(engine.graph, engine.schema, Short(), tenant).add(TRIP[:2])
    episodes.add(TRIP[2:])
    assert numbers(episodes.recall("c1", "Professor Santos", **EVERYTHING, top=9)) == [2, 4, 6, 8, 10]


@pytest.mark.parametrize(
    ("other", "cosine"), [([1.0, 0.0], 1.0), ([0.6, 0.8], 0.6), ([0.0, 1.0], 0.0), ([-1.0, 0.0], -1.0)]
)
def test_the_engines_similarity_stands_for_the_cosine(engine: Engine, other: list[float], cosine: float) -> None:
    (row,) = engine.graph.read(SIMILARITY, a=[1.0, 0.0], b=other)
    assert engine.schema.cosine(row["similarity"]) == pytest.approx(cosine, abs=1e-6)


def test_memory_is_kept_from_the_first_turn_to_the_clear(episodes: Episodes, tenant: str) -> None:
    """The table, the rule that summarises and the graph together, with every message delivered twice."""
    with mock_aws():
        store = ConversationStore(profiles_table(boto3.Session()), tenant)
        summariser = ExtractiveSummariser()
        keeper = MemoryKeeper(store=store, episodes=episodes, summariser=summariser, tenant_id=tenant)
        said = "My budget is 300 euros. Which lantern do you recommend?"
        for number in range(8):
            question = f"Is item {number} in stock?" if number else said
            conversation = store.begin("ann", "s1", question).conversation_id
            covered = store.summaries.find(conversation).covered_seq
            about = {"question": question}
            answer = store.append_message(conversation, "assistant", "It is.", (), about, summary_seq=covered)
            for _ in range(2):
                keeper.take_in(answer)
        summary = store.summaries.find(conversation)
        assert summary.covered_seq == 10
        assert "300" in summary.text
        found = episodes.recall(conversation, "Which budget for a lantern?", after_seq=0, before_seq=11, top=1)
        assert [(each.seq, each.question) for each in found] == [(2, said)]
        store.clear_messages(conversation)
        assert keeper.take_in(Cleared(conversation, 16)).forgotten == 8
        assert episodes.recall(conversation, "budget", **EVERYTHING) == []
