"""Detecting by name and by meaning: how each is told, and what is too weak to decide."""

from dataclasses import dataclass

import pytest

from clew.routing.detection import DOUBT, MARGIN, UNDECIDED, detect
from clew.routing.general import EXAMPLES
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.worker_name import GENERAL
from clew.text.embedding import Embedder, Vector


@pytest.mark.parametrize(
    ("message", "kb_prefix"),
    [
        ("Who directed Inception?", "films"),
        ("tell me about christopher nolan and inception", "films"),
        ("《盗梦空间》的导演是谁？", "films"),
        ("盗梦空间是谁导演的", "films"),
        ("《英雄》的摄影师是谁？", "films"),
        ("What is cs301 about?", "campus"),
        ("CS301的先修课是什么？", "campus"),
        ("海明助学金什么时候发？", "campus"),
        ("When does Guanlan Library open?", "campus"),
    ],
)
def test_a_telling_name_is_enough_without_an_embedder(
    profiles: list[KnowledgeBaseProfile], message: str, kb_prefix: str
) -> None:
    found = detect(message, profiles, None)
    assert (found.kb_prefix, found.method) == (kb_prefix, "heuristic")
    assert found.confidence > 0.5
    assert found.reason


def test_a_name_of_two_knowledge_bases_is_less_sure_than_one_of_one(profiles: list[KnowledgeBaseProfile]) -> None:
    both = detect("Where does Christopher Nolan teach CS301, and who is Lin Yating?", profiles, None)
    alone = detect("Who directed Inception?", profiles, None)
    assert both.kb_prefix == "campus"
    assert both.confidence < alone.confidence


def test_as_many_names_of_each_knowledge_base_lead_to_both(profiles: list[KnowledgeBaseProfile]) -> None:
    found = detect("Who directed Inception, and who teaches CS301?", profiles, None)
    assert (found.kb_prefix, found.also, found.method) == ("films", "campus", "heuristic")
    assert "Inception" in found.reason
    assert "CS301" in found.reason
    assert not found.is_doubtful  # both are meant
    other_way = detect("CS301 的老师和《盗梦空间》的导演是谁？", profiles, None)
    assert (other_way.kb_prefix, other_way.also) == ("campus", "films")


def test_a_name_that_two_knowledge_bases_know_leads_to_both_the_nearer_first(
    profiles: list[KnowledgeBaseProfile], e5: Embedder
) -> None:
    for message, prefix, also in (
        ("Which films did Christopher Nolan direct?", "films", "campus"),
        ("Which courses and credits does Christopher Nolan offer to students?", "campus", "films"),
    ):
        found = detect(message, profiles, e5)
        assert (found.kb_prefix, found.also, found.method) == (prefix, also, "heuristic")
        assert found.confidence == 0.5
        assert found.is_doubtful
        assert "films" in found.reason
        assert "campus" in found.reason


def test_more_names_in_one_knowledge_base_leave_the_other_out(profiles: list[KnowledgeBaseProfile]) -> None:
    found = detect("Where does Christopher Nolan teach CS301?", profiles, None)
    assert (found.kb_prefix, found.also, found.is_doubtful) == ("campus", "", False)


def test_a_name_inside_a_longer_one_of_another_knowledge_base_is_none(profiles: list[KnowledgeBaseProfile]) -> None:
    grant = KnowledgeBaseProfile(prefix="stars", title="Stars", entity_names=("Guanlan", "Grant"))
    found = detect("When does Guanlan Library open?", [*profiles, grant], None)
    assert (found.kb_prefix, found.also, found.confidence) == ("campus", "", 0.95)


def test_near_in_meaning_to_both_leads_to_both(profiles: list[KnowledgeBaseProfile], e5: Embedder) -> None:
    found = detect("Which scholarships are there for students who act in films?", profiles, e5)
    assert {found.kb_prefix, found.also} == {"films", "campus"}
    assert (found.method, found.confidence, found.is_doubtful) == ("embedding", 0.5, True)
    assert "films" in found.reason
    assert "campus" in found.reason


@pytest.mark.parametrize(
    "message", ["Which actor played the part?", "奖学金什么时候截止申请？", "Hello!", "今天天气怎么样？"]
)
def test_near_in_meaning_to_one_or_none_leads_to_no_other(
    profiles: list[KnowledgeBaseProfile], e5: Embedder, message: str
) -> None:
    assert detect(message, profiles, e5).also == ""


@dataclass(frozen=True)
class Compass:
    """An embedder that puts any message so near to films, to campus and to general talk."""

    films: float
    campus: float
    general: float = 0.8
    dimensions: int = 4

    def profiles(self) -> list[KnowledgeBaseProfile]:
        axes = {"films": (1.0, 0.0, 0.0, 0.0), "campus": (0.0, 1.0, 0.0, 0.0)}
        return [KnowledgeBaseProfile(prefix=name, title="-", topic_vectors=(axis,)) for name, axis in axes.items()]

    def embed_query(self, text: str) -> Vector:
        return [0.0, 0.0, 1.0, 0.0] if text in EXAMPLES else [self.films, self.campus, self.general, 0.0]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        raise AssertionError(texts)


NEEDED = MARGIN["en"]


@pytest.mark.parametrize(
    ("films", "campus", "kb_prefix", "also", "doubtful"),
    [
        (-0.30, -0.30, GENERAL, "", False),
        (NEEDED - DOUBT - 0.001, -1, GENERAL, "", False),
        (NEEDED - DOUBT + 0.001, -1, GENERAL, "", True),
        (NEEDED - 0.001, NEEDED - 0.002, GENERAL, "", True),
        (NEEDED + 0.001, NEEDED - 0.001, "films", "", True),
        (NEEDED + 0.002, NEEDED + 0.001, "films", "campus", True),
        (NEEDED + DOUBT - 0.001, -1, "films", "", True),
        (NEEDED + DOUBT + 0.001, -1, "films", "", False),
        (0.15, 0.15 - UNDECIDED + 0.001, "films", "campus", True),
        (0.15, 0.15 - UNDECIDED - 0.001, "films", "", False),
    ],
)
def test_the_margins_decide(films: float, campus: float, kb_prefix: str, also: str, doubtful: bool) -> None:
    compass = Compass(0.8 + films, 0.8 + campus)
    found = detect("x", compass.profiles(), compass)
    assert (found.kb_prefix, found.also, found.is_doubtful) == (kb_prefix, also, doubtful)


@pytest.mark.parametrize(
    "message",
    ["What's up?", "My mother is ill, what should I do?", "他是我的英雄。", "Cheer up!", "Mother, are you there?"],
)
def test_a_name_that_is_an_everyday_word_does_not_decide_alone(
    profiles: list[KnowledgeBaseProfile], e5: Embedder, message: str
) -> None:
    assert detect(message, profiles, e5).kb_prefix == GENERAL


def test_without_names_or_embedder_it_is_general_by_default(profiles: list[KnowledgeBaseProfile]) -> None:
    found = detect("Which composer wrote the score?", profiles, None)
    assert (found.kb_prefix, found.method) == (GENERAL, "default")


def test_the_order_of_knowledge_bases_does_not_matter(profiles: list[KnowledgeBaseProfile], e5: Embedder) -> None:
    for message in ("Who directed Inception?", "Christopher Nolan", "Which actor played it?", "学分怎么算？", "Hi"):
        one, other = detect(message, profiles, e5), detect(message, profiles[::-1], e5)
        assert (one.kb_prefix, one.method, one.confidence) == (other.kb_prefix, other.method, other.confidence)


def test_a_profile_without_vectors_or_names_is_never_chosen(profiles: list[KnowledgeBaseProfile], e5: Embedder) -> None:
    bare = KnowledgeBaseProfile(prefix="bare", title="Everything")
    assert detect("Who directed Inception?", [bare, *profiles], e5).kb_prefix == "films"
    assert detect("Which composer wrote the score of that film?", [bare], e5).kb_prefix == GENERAL


@pytest.mark.parametrize("message", ["", "?", "\x00", "😀", '`x`\n"y"'], ids=ascii)
def test_any_message_is_decided(profiles: list[KnowledgeBaseProfile], e5: Embedder, message: str) -> None:
    found = detect(message, profiles, e5)
    assert 0 <= found.confidence <= 1
    assert found.kb_prefix in ("films", "campus", GENERAL)


@pytest.mark.parametrize("filler", ["字", "word ", "a1"], ids=["characters", "words", "one run"])
def test_a_name_in_the_longest_message_is_still_seen(profiles: list[KnowledgeBaseProfile], filler: str) -> None:
    message = f"Who directed Inception? {filler * 32_000}"[:32_000]
    assert detect(message, profiles, None).kb_prefix == "films"
