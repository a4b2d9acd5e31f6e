"""The context of a turn within its budget: what stays, what goes first, and what is never cut."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from clew.answering.citations import cited
from clew.answering.prompting.budget import ContextBudget
from clew.answering.prompting.context import EPISODES, assemble
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.prompting.report import ContextReport
from clew.answering.prompting.shortening import MARK
from clew.answering.prompting.token_counter import MESSAGE_TOKENS, CalibratedCounter
from clew.conversation.message import Message, StoredRole
from clew.memory.episode import Episode
from clew.retrieval.evidence import CommunityRef, Passage
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import Language
from clew.text.sentences import split_sentences
from clew.text.tokens import estimate_tokens

SENTENCE = {
    "en": "The old swing bridge over the harbour was built long ago and is closed to lorries in winter. ",
    "zh": "港口上的那座旧桥是很久以前建造的，每年冬天都不许卡车通过。",
}


def text(tokens: int, language: Language = "en", name: str = "") -> str:
    """Sentences of some ``tokens`` altogether."""
    sentence = SENTENCE[language]
    return f"{name}{sentence * max(1, tokens // estimate_tokens(sentence))}".strip()


def message(seq: int, role: StoredRole, content: str, **values: Any) -> Message:
    return Message(
        message_id=f"c.{seq:010}",
        conversation_id="c",
        seq=seq,
        role=role,
        content=content,
        created_at="2025-03-02T14:05:00Z",
        **values,
    )


def dialogue(*contents: str, first_seq: int = 1) -> list[Message]:
    """Messages of user and assistant in turn."""
    roles: tuple[StoredRole, StoredRole] = ("user", "assistant")
    return [message(first_seq + at, roles[at % 2], content) for at, content in enumerate(contents)]


def episode(seq: int, question: str, answer: str) -> Episode:
    return Episode("c", seq, question, answer, "2025-03-01T09:30:00Z", said=question)


def passage(name: str, body: str) -> Passage:
    return Passage(id=name, document_id=name, title=name, text=body)


def made(question: str = "Who directed it?", language: Language = "en", **parts: Any) -> tuple[Prompt, ContextReport]:
    return assemble(question=question, standalone_question=question, language=language, **parts)


def roles(history: Sequence[ChatMessage]) -> list[str]:
    return [each.role for each in history]


def test_what_fits_stays_as_it_is() -> None:
    messages = dialogue("Who made Tenet?", "Christopher Nolan[1].", "And Dunkirk?", "Nolan as well[2][3].")
    older = [episode(8, "Best film?", "Inception."), episode(4, "My name is Li.", "Hello Li.")]
    evidence = [passage("a", "Directed by Nolan."), passage("b", "Scored by Zimmer.")]
    prompt, report = made(
        evidence=evidence,
        themes=[CommunityRef(id="t", title="Nolan", summary="His films.")],
        messages=[each.model_copy(update={"seq": each.seq + 20}) for each in messages],
        summary="They talk about films.",
        episodes=older,
        known_of_user=["Likes science fiction."],
    )
    assert [each.content for each in prompt.history] == [
        "Who made Tenet?",
        "Christopher Nolan.",
        "And Dunkirk?",
        "Nolan as well.",
    ]
    assert prompt.evidence == tuple(evidence)
    assert prompt.episodes == (older[1], older[0]), "in order of time, though given best first"
    assert (prompt.summary, prompt.known_of_user) == ("They talk about films.", ("Likes science fiction.",))
    assert not report.shortened
    assert report.fits


def test_the_report_counts_what_is_sent() -> None:
    prompt, report = made(
        evidence=[passage(str(number), text(200)) for number in range(5)],
        themes=[CommunityRef(id="t", title="Nolan", summary=text(80))],
        messages=dialogue("Who made Tenet?", text(150), "还有呢？", text(150, "zh"), first_seq=31),
        summary=text(300),
        episodes=[episode(4, "My name is Li.", text(60))],
        known_of_user=["Likes science fiction."],
    )
    sent = sum(estimate_tokens(each.content) + MESSAGE_TOKENS for each in render(prompt))
    assert report.tokens == pytest.approx(sent, rel=0.02)
    assert json.loads(json.dumps(report.as_dict()))["parts"]["window"] == {
        "given": 2,
        "kept": 2,
        "cut": 0,
        "given_tokens": report.parts["window"].tokens,
        "tokens": report.parts["window"].tokens,
    }


def test_the_log_tells_numbers_and_no_texts() -> None:
    _, report = made("Geheimnis", messages=dialogue("Geheimnis", "Geheimnis"), summary="Geheimnis")
    logged = report.as_dict()
    assert "Geheimnis" not in json.dumps(logged)
    assert set(logged["parts"]) == {"system", "question", "summary", "window"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_oldest_turns_go_first_and_whole(language: Language) -> None:
    contents = [body for number in range(12) for body in (f"Q{number}", text(250, language, f"A{number} "))]
    prompt, report = made(language=language, messages=dialogue(*contents))
    kept = len(prompt.history) // 2
    assert 3 <= kept < 12
    assert [each.content for each in prompt.history] == contents[-2 * kept :]
    assert report.parts["window"].dropped == 12 - kept
    assert report.parts["window"].cut == 0
    assert report.history_tokens <= ContextBudget().history


def test_what_summary_and_episodes_leave_is_the_windows() -> None:
    contents = [body for number in range(12) for body in (f"Q{number}", text(150))]
    alone, _ = made(messages=dialogue(*contents))
    beside, report = made(
        messages=dialogue(*contents, first_seq=51),
        summary=text(380),
        episodes=[episode(seq, "Q", text(120)) for seq in (2, 4, 6)],
    )
    assert 3 <= len(beside.history) // 2 < len(alone.history) // 2
    assert len(beside.episodes) == 3
    assert report.history_tokens <= ContextBudget().history


def test_a_window_never_begins_with_an_answer_and_speakers_alternate() -> None:
    messages = [
        message(1, "assistant", "Lost its question."),
        message(2, "user", "First"),
        message(3, "user", "Second, since the first was never answered"),
        message(4, "system", "not spoken"),
        message(5, "assistant", "  "),
        message(6, "assistant", "Partial"),
        message(7, "assistant", "Whole"),
        message(8, "user", "Third"),
    ]
    prompt, _ = made(messages=messages)
    assert prompt.history == (
        ChatMessage("user", "First\n\nSecond, since the first was never answered"),
        ChatMessage("assistant", "Partial\n\nWhole"),
        ChatMessage("user", "Third"),
    )


def test_what_was_asked_back_and_the_reply_stay_or_go_together() -> None:
    contents = [body for number in range(6) for body in (f"Q{number}", text(250))]
    asked = [
        message(1, "user", "When is the deadline?"),
        message(2, "assistant", "For which programme?", is_ask_user=True),
        message(3, "user", "Economics."),
        message(4, "assistant", text(250)),
    ]
    for later in range(4, 8):
        prompt, _ = made(messages=[*asked, *dialogue(*contents[: 2 * later], first_seq=5)])
        said = [each.content for each in prompt.history]
        assert ("When is the deadline?" in said) == ("Economics." in said)
        assert roles(prompt.history) == ["user", "assistant"] * (len(said) // 2)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_very_long_message_is_cut_at_sentence_ends_with_a_mark_and_not_dropped(language: Language) -> None:
    long = (SENTENCE[language] * 2_000)[:30_000] + {"en": " What does this mean?", "zh": "这是什么意思？"}[language]
    contents = [body for number in range(3) for body in (f"Q{number}", text(60, language))]
    prompt, report = made(language=language, messages=dialogue(*contents, long, "It is about a bridge."))
    assert len(prompt.history) == 8, "the short turns beside it stay"
    cut = prompt.history[-2].content
    head, mark, _ = cut.partition(MARK)
    assert mark
    assert cut.endswith(("What does this mean?", "这是什么意思？"))
    assert {each.text for each in split_sentences(head)} == {SENTENCE[language].strip()}
    assert estimate_tokens(cut) > 300
    assert report.parts["window"].cut == 1
    assert report.history_tokens <= ContextBudget().history


def test_the_question_is_never_cut_and_takes_from_all_others() -> None:
    question = SENTENCE["zh"] * 900
    prompt, report = made(
        question,
        "zh",
        evidence=[passage("a", text(900))],
        messages=dialogue("Q", text(900)),
        budget=ContextBudget(total=4_000),
    )
    assert prompt.question == question
    assert render(prompt)[-1].content.endswith(question)
    assert (prompt.evidence, prompt.history) == ((), ())
    assert not report.fits


def test_passages_go_from_the_end_and_keep_their_numbers() -> None:
    evidence = [passage(f"p{number}", text(700, name=f"N{number}. ")) for number in range(1, 11)]
    prompt, report = made(evidence=evidence)
    kept = len(prompt.evidence)
    assert 5 <= kept < 10
    assert prompt.evidence[: kept - 1] == tuple(evidence[: kept - 1])
    last, whole = prompt.evidence[-1], evidence[kept - 1]
    assert whole.text.startswith(last.text)
    assert last.text.endswith("."), "cut at the end of a sentence"
    assert report.parts["evidence"].tokens <= ContextBudget().evidence
    assert [citation.passage_id for citation in cited(f"So [1], so [{kept}].", prompt.evidence)] == ["p1", f"p{kept}"]
    assert f"[{kept}] p{kept}\n" in render(prompt)[-1].content


def test_the_best_passage_stays_whatever_its_length() -> None:
    prompt, report = made(evidence=[passage("a", text(9_000)), passage("b", text(50))])
    assert [each.id for each in prompt.evidence] == ["a"]
    assert report.parts["evidence"].cut == 1
    assert report.parts["evidence"].tokens > 4_500


def test_the_episodes_that_bear_least_on_the_question_go_first() -> None:
    best_first = [episode(seq, f"Q{seq}", text(140)) for seq in (30, 6, 18, 12, 24)]
    prompt, report = made(episodes=best_first)
    assert [each.seq for each in prompt.episodes] == [6, 18, 30]
    assert not report.shortened, "more than are told may be given"
    prompt, report = made(episodes=best_first, budget=ContextBudget(episodes=320))
    assert [each.seq for each in prompt.episodes] == [6, 30]
    assert report.parts["episodes"].dropped == 1


def test_long_answers_of_episodes_are_cut_before_one_goes() -> None:
    prompt, _ = made(episodes=[episode(seq, f"Q{seq}", text(900)) for seq in (30, 6, 18)])
    assert [each.seq for each in prompt.episodes] == [6, 18, 30]
    assert all(each.question == each.said == f"Q{each.seq}" and MARK in each.answer for each in prompt.episodes)


def test_an_episode_that_is_in_the_window_is_not_told_twice() -> None:
    messages = dialogue("Who made Tenet?", "Nolan.", first_seq=21)
    prompt, _ = made(messages=messages, episodes=[episode(22, "Who made Tenet?", "Nolan."), episode(4, "Q", "A")])
    assert [each.seq for each in prompt.episodes] == [4]


def told_times(prompt: Prompt, words: str) -> int:
    """How often window and episodes say these words."""
    return sum(words in each.content for each in prompt.history) + sum(words in each.said for each in prompt.episodes)


@pytest.mark.parametrize("before", [0, 1, 2, 3], ids="{}_better".format)
@pytest.mark.parametrize(
    ("language", "told"), [("en", "My supervisor is Professor Tang."), ("zh", "我的导师是汤教授。")]
)
def test_a_turn_that_the_window_has_no_room_for_is_told_as_an_episode(
    language: Language, told: str, before: int
) -> None:
    contents = [told, "Noted.", *(body for number in range(3) for body in (f"Q{number}", text(600, language)))]
    messages = dialogue(*contents, first_seq=21)
    pairs = zip(messages[::2], messages[1::2], strict=True)
    turns = [episode(answer.seq, asked.content, answer.content) for asked, answer in pairs]
    prompt, report = made(language=language, messages=messages, episodes=[*turns[4 - before :], *turns[: 4 - before]])
    said = [each.content for each in prompt.history]
    assert told not in said
    assert told_times(prompt, told) == 1
    for asked in ("Q0", "Q1", "Q2"):
        assert told_times(prompt, asked) <= 1
    assert report.parts["window"].dropped
    assert report.history_tokens <= ContextBudget().history


def test_a_turn_that_is_cut_but_stays_in_the_window_is_no_episode() -> None:
    messages = dialogue("Q0", text(400), "Q1", text(3_000), "Q2", text(300), first_seq=21)
    prompt, report = made(messages=messages, episodes=[episode(24, "Q1", "A"), episode(4, "Older", "A")])
    assert report.parts["window"].cut == 1
    assert "Q1" in [each.content for each in prompt.history]
    assert [each.seq for each in prompt.episodes] == [4]


def test_the_best_three_of_many_episodes_that_the_window_does_not_tell_are_taken() -> None:
    messages = dialogue("Q0", "A0", "Q1", "A1", first_seq=21)
    best_first = [episode(seq, f"Q{seq}", "A") for seq in (24, 8, 22, 2, 12, 4, 6, 10)]
    prompt, report = made(messages=messages, episodes=best_first)
    assert [each.seq for each in prompt.episodes] == [2, 8, 12]
    assert len(prompt.history) == 4
    assert not report.shortened


def test_an_answer_whose_question_is_not_in_the_window_can_be_recalled() -> None:
    """The window cannot begin with it, and the summary may end right before it."""
    messages = [
        message(10, "assistant", "Yours is Professor Tang."),
        *dialogue("And the deadline?", "May.", first_seq=11),
    ]
    lost = episode(10, "Who is my supervisor?", "Yours is Professor Tang.")
    prompt, _ = made(messages=messages, episodes=[episode(12, "And the deadline?", "May."), lost])
    assert [each.content for each in prompt.history] == ["And the deadline?", "May."]
    assert prompt.episodes == (lost,)


def test_every_answer_that_is_joined_to_a_turn_of_the_window_is_told_by_it() -> None:
    messages = [
        message(1, "user", "When is it due?"),
        message(2, "assistant", "Which programme?", is_ask_user=True),
        message(3, "user", "Economics."),
        message(4, "assistant", "In part:"),
        message(5, "assistant", "in May."),
    ]
    prompt, _ = made(messages=messages, episodes=[episode(seq, f"Q{seq}", "A") for seq in (2, 3, 4, 5)])
    assert [each.seq for each in prompt.episodes] == [3], "a number that is no answer's hides nothing"


def test_a_summary_that_is_too_long_keeps_its_first_sentences() -> None:
    summary = text(2_000)
    prompt, report = made(summary=summary)
    assert summary.startswith(prompt.summary)
    assert prompt.summary.endswith(".")
    assert 400 <= report.parts["summary"].tokens <= ContextBudget().summary


def test_a_general_prompt_has_no_evidence() -> None:
    bases = [KnowledgeBaseSummary(prefix="movie", title="Films")]
    prompt, report = made(
        general=True, evidence=[passage("a", "Text.")], themes=[], knowledge_bases=bases, summary="They greet."
    )
    assert prompt.evidence == ()
    assert prompt.knowledge_bases == tuple(bases)
    assert prompt.summary == "They greet."
    assert report.parts["evidence"].given == 0


@pytest.mark.parametrize("context_tokens", [2_048, 4_096, 8_192, 32_768])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_small_model_gets_some_of_everything(context_tokens: int, language: Language) -> None:
    budget = ContextBudget.within(context_tokens)
    prompt, report = made(
        language=language,
        evidence=[passage(str(number), text(400, language)) for number in range(10)],
        messages=dialogue(*(body for number in range(5) for body in ("Q", text(200, language))), first_seq=31),
        summary=text(390, language),
        episodes=[episode(seq, "Q", text(120, language)) for seq in (2, 4, 6)],
        budget=budget,
    )
    assert report.fits
    assert report.tokens <= budget.total <= context_tokens
    assert prompt.evidence
    if context_tokens > 2_048:
        assert prompt.history
        assert prompt.summary


def test_without_a_known_size_the_model_is_taken_to_hold_the_default() -> None:
    assert ContextBudget.within(0) == ContextBudget()
    assert ContextBudget.within(200_000) == ContextBudget()
    assert ContextBudget.within(4_096).total < 2_048


def test_where_something_had_to_go_the_models_own_counter_corrects_the_estimate_once() -> None:
    counted: list[int] = []

    def count_prompt(messages: Sequence[ChatMessage]) -> int:
        counted.append(len(messages))
        return 2 * sum(estimate_tokens(each.content) for each in messages)

    parts: dict[str, Any] = {"messages": dialogue(*(body for _ in range(12) for body in ("Q", text(200))))}
    counter = CalibratedCounter(count_prompt)
    estimated, _ = made(**parts)
    corrected, report = made(**parts, counter=counter)
    made(**parts, counter=counter)
    assert len(counted) == 1
    assert len(corrected.history) < len(estimated.history)
    assert report.history_tokens <= ContextBudget().history
    made(messages=dialogue("Hi", "Hello"), counter=CalibratedCounter(count_prompt))
    assert len(counted) == 1, "nothing had to go, so nobody is asked"


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_given_the_rules_hold(seed: int) -> None:
    random_ = random.Random(seed)  # noqa: S311
    language: Language = random_.choice(["en", "zh"])

    def body(most: int) -> str:
        return text(random_.choice([5, 20, 100, most]), random_.choice(["en", "zh"]), f"{random_.random()} ")

    messages = [
        message(seq, random_.choice(["user", "assistant", "assistant", "system"]), random_.choice(["", body(2_000)]))
        for seq in range(50, 50 + random_.randint(0, 14))
    ]
    evidence = [passage(f"p{number}", body(1_500)) for number in range(random_.randint(0, 10))]
    episodes = [episode(seq, body(30), body(800)) for seq in random_.sample(range(1, 64), random_.randint(0, 8))]
    budget = random_.choice([ContextBudget(), ContextBudget.within(4_096), ContextBudget(total=700)])
    prompt, report = made(
        body(300),
        language,
        evidence=evidence,
        messages=messages,
        summary=random_.choice(["", body(900)]),
        episodes=episodes,
        known_of_user=[body(40) for _ in range(random_.randint(0, 12))],
        budget=budget,
    )
    fixed = report.parts["system"].tokens + report.parts["question"].tokens
    assert report.tokens <= max(budget.total, fixed)
    assert report.history_tokens <= budget.history
    assert roles(prompt.history) == (["user", "assistant"] * len(prompt.history))[: len(prompt.history)]
    assert [each.id for each in prompt.evidence] == [each.id for each in evidence[: len(prompt.evidence)]]
    assert [each.seq for each in prompt.episodes] == sorted(each.seq for each in prompt.episodes)
    assert len(prompt.episodes) <= EPISODES
    answers = {each.seq: each.content for each in messages if each.role == "assistant" and each.content}
    in_window = {part for each in prompt.history for part in each.content.split("\n\n")}
    assert not any(answers.get(each.seq) in in_window for each in prompt.episodes), "nothing is told twice"
    for part in report.parts.values():
        assert 0 <= part.cut <= part.kept <= part.given
        assert part.tokens <= part.given_tokens
    sent = sum(estimate_tokens(each.content) + MESSAGE_TOKENS for each in render(prompt))
    # Headings are reckoned with whether they are needed or not.
    assert sent - 10 <= report.tokens * 1.02
