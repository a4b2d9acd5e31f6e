"""Detecting by name and by meaning: how each is told, and what is too weak to decide."""

import pytest

from clew.routing.detection import detect
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.worker_name import GENERAL
from clew.text.embedding import Embedder


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
