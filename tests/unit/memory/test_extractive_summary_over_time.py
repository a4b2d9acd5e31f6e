"""Summaries over a hundred messages: what was told in the first round outlasts whatever is asked after it."""

import pytest

from clew.memory.extractive_summary import ExtractiveSummariser
from clew.memory.noting.budget import SUMMARY_TOKENS
from clew.text.language import Language
from clew.text.tokens import estimate_tokens
from tests.unit.memory.long_conversations import NOTED, conversation, summaries, talk

ENGLISH = "Hi, my name is Anna Weber, I live in Beijing and study marine science. I'm allergic to peanuts."
CHINESE = "你好，我叫王芳，住在北京，在读海洋科学专业，今年大二。我对花生过敏。"

FIRST_ROUNDS = {
    "en": ([ENGLISH], ["My name is Anna Weber", "I live in Beijing", "I study marine science", "allergic to peanuts"]),
    "zh": ([CHINESE], ["我叫王芳", "我住在北京", "海洋科学", "大二", "对花生过敏"]),
    "en-others": (
        [
            "I prefer films without violence. We decided to meet Professor Lin on 12 March.",
            "From now on keep your answers short. The budget is 5,000 euros.",
        ],
        ["I prefer films without violence", "Professor Lin on 12 March", "keep your answers short", "5,000 euros"],
    ),
    "zh-others": (
        ["我更喜欢没有暴力的电影。我们决定三月十二号去见林教授。", "以后请回答得简短一点。预算是五千元。"],
        ["我更喜欢没有暴力的电影", "三月十二号去见林教授", "简短一点", "预算是五千元"],
    ),
}


@pytest.mark.parametrize("name", FIRST_ROUNDS)
def test_the_first_round_is_still_told_after_fifty_rounds_of_ordinary_questions(name: str) -> None:
    told, facts = FIRST_ROUNDS[name]
    language: Language = "zh" if name.startswith("zh") else "en"
    made = list(summaries(conversation(told, language, rounds=50 + len(told))))
    assert made[0][0] == 4
    assert made[-1][0] >= 94
    for covered, summary in made:
        assert [fact for fact in facts if fact not in summary] == [], f"after {covered} messages:\n{summary}"
        assert estimate_tokens(summary) <= SUMMARY_TOKENS


@pytest.mark.parametrize("language", ["en", "zh"])
def test_ordinary_questions_are_no_statements(language: Language) -> None:
    *_, (_, summary) = summaries(conversation([], language, rounds=50))
    headings = {line for line in summary.splitlines() if not line.startswith("- ")}
    assert headings == ({"未答的问题：", "问过："} if language == "zh" else {"Open questions:", "Asked about:"})


def test_the_latest_topics_are_those_kept() -> None:
    messages = conversation([], "en", rounds=40)
    *_, (covered, summary) = summaries(messages)
    assert messages[covered - 2].content in summary
    assert messages[0].content not in summary


def test_a_change_in_the_middle_holds_to_the_end() -> None:
    messages = conversation(["I live in Beijing. We decided to meet on Thursday."], "en", rounds=20)
    later = conversation(["I moved to Hangzhou. Actually, make it Friday."], "en", rounds=30)
    moved = [each.model_copy(update={"seq": each.seq + len(messages)}) for each in later]
    *_, (_, summary) = summaries([*messages, *moved])
    assert "I moved to Hangzhou" in summary
    assert "meet on Friday" in summary
    assert "Beijing" not in summary
    assert "Thursday" not in summary


def test_who_the_user_is_outlasts_all_that_they_tell_in_passing() -> None:
    summariser = ExtractiveSummariser()
    summary = summariser.extend("", talk(f"{ENGLISH} We decided to meet on Thursday.", NOTED["en"]))
    for number in range(80):
        passing = f"I have {number + 2} books about subject{number}. I think that film{number} is too long."
        summary = summariser.extend(summary, talk(passing, NOTED["en"]))
        assert estimate_tokens(summary) <= SUMMARY_TOKENS
    for fact in ("Anna Weber", "I live in Beijing", "marine science", "allergic to peanuts", "meet on Thursday"):
        assert fact in summary
    assert "subject79" in summary
    assert "subject0 " not in summary


def test_one_long_statement_does_not_push_out_the_others() -> None:
    summariser = ExtractiveSummariser()
    told = talk(ENGLISH, NOTED["en"], "My plan is " + "to walk and " * 400 + "to sleep.", NOTED["en"])
    summary = summariser.extend("", told)
    assert "Anna Weber" in summary
    assert "My plan is to walk" in summary
    assert estimate_tokens(summary) < 150
