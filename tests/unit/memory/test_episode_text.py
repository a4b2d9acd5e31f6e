"""What of a turn is compared in meaning and in words."""

import pytest

from clew.memory.episode import Episode
from clew.memory.episodes import EMBEDDED_TOKENS, embedded_text, episode_terms
from clew.text.tokens import estimate_tokens


def episode(question: str, answer: str, said: str = "", names: tuple[str, ...] = ()) -> Episode:
    return Episode("c1", 2, question, answer, "2026-03-01T12:00:00.000+00:00", said, names)


def test_question_and_answer_stand_for_a_turn_and_the_users_words_where_they_differ() -> None:
    assert embedded_text(episode("Who directed Inception?", "Nolan did.")) == "Who directed Inception?\nNolan did."
    told = episode("Who directed Inception?", "Nolan did.", said="Who directed it, for my sister?")
    assert "my sister" in embedded_text(told)
    same = episode("谁导演了《卧虎藏龙》？", "李安。", said="谁导演了《卧虎藏龙》？")
    assert embedded_text(same).count("卧虎藏龙") == 1
    assert embedded_text(episode("", "李安。")) == "李安。"


@pytest.mark.parametrize(
    "sentence", ["The harbour lies north of the old lighthouse. ", "港口位于旧灯塔以北，天气晴朗。"]
)
def test_a_long_turn_is_cut_to_what_an_embedder_sees_at_once(sentence: str) -> None:
    text = embedded_text(episode("?", sentence * 400))
    assert EMBEDDED_TOKENS - 5 <= estimate_tokens(text) <= EMBEDDED_TOKENS
    assert f"?\n{sentence * 400}".startswith(text)


def test_terms_are_those_of_question_answer_and_names() -> None:
    terms = episode_terms(episode("Who directed it?", "《卧虎藏龙》由李安执导。", names=("Ang Lee",)))
    assert {"direct", "ang", "lee", "卧虎", "李安"} <= set(terms)
    assert "who" not in terms
