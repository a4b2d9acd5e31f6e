"""Counters that learn from what models report."""

import json
import random
import threading
from pathlib import Path

import pytest

from clew.answering.prompting.prompt import ChatMessage
from clew.answering.prompting.token_counter import MESSAGE_TOKENS, CalibratedCounter, EstimatedCounter, counter_of
from clew.answering.usage import Usage
from clew.text.tokens import estimate_by_script, estimate_tokens

ENGLISH = "The council voted on Tuesday evening to close the old swing bridge to lorries from November. " * 20
CHINESE = "市交通委员会昨日宣布，连接老城区与新港区的跨江轻轨将于下月十五日开始试运行。" * 20
COUNTED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "tokens.jsonl").read_text(encoding="utf-8").splitlines()
]


def prompt(*texts: str) -> list[ChatMessage]:
    return [ChatMessage("user", text) for text in texts]


def reported(messages: list[ChatMessage], *, han: float, other: float) -> Usage:
    """What a model reports whose vocabulary takes so many times the estimate."""
    parts = [estimate_by_script(message.content) for message in messages]
    tokens = sum(each[0] * han + each[1] * other for each in parts)
    return Usage(input_tokens=round(tokens) + MESSAGE_TOKENS * len(messages))


def test_the_estimate_alone_learns_nothing() -> None:
    counter = EstimatedCounter()
    assert counter.count(ENGLISH) == estimate_tokens(ENGLISH)
    assert not counter.measure(prompt(ENGLISH))


def test_a_counter_begins_with_the_estimate() -> None:
    counter = CalibratedCounter()
    assert counter.ratios == (1.0, 1.0)
    assert counter.count(ENGLISH) == estimate_tokens(ENGLISH)


@pytest.mark.parametrize(("han", "other"), [(1.5, 1.0), (1.4, 1.05), (0.75, 1.0), (1.9, 1.35)])
def test_both_languages_are_learned_apart_from_mixed_prompts(han: float, other: float) -> None:
    counter = CalibratedCounter()
    random_ = random.Random(7)  # noqa: S311
    for _ in range(40):
        texts = [random_.choice([ENGLISH, CHINESE]) for _ in range(random_.randint(1, 4))]
        messages = prompt(*texts)
        counter.learn(messages, reported(messages, han=han, other=other))
    assert counter.ratios == pytest.approx((han, other), rel=0.1)
    assert counter.count(CHINESE) == pytest.approx(estimate_by_script(CHINESE)[0] * han, rel=0.15)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base", "claude_2", "deepseek_v3"])
def test_a_few_reports_bring_any_vocabulary_within_15_per_cent(vocabulary: str, language: str) -> None:
    """Learned from one half of the texts, held against the other; the estimate alone is off by up to 30 % here."""
    texts = random.Random(3).sample(COUNTED, len(COUNTED))  # noqa: S311
    taught, asked = texts[::2], [text for text in texts[1::2] if text["language"] == language]
    counter = CalibratedCounter()
    for text in taught:
        counter.learn(prompt(text["text"]), Usage(input_tokens=text["tokens"][vocabulary] + MESSAGE_TOKENS))
    counted = sum(text["tokens"][vocabulary] for text in asked)
    assert sum(counter.count(text["text"]) for text in asked) == pytest.approx(counted, rel=0.15)


def test_english_prompts_leave_the_ratio_of_chinese_alone() -> None:
    counter = CalibratedCounter()
    for _ in range(10):
        counter.learn(prompt(ENGLISH), reported(prompt(ENGLISH), han=9.0, other=1.3))
    assert counter.ratios == (1.0, pytest.approx(1.3, rel=0.05))


def test_one_odd_report_moves_a_settled_ratio_little() -> None:
    counter = CalibratedCounter()
    for _ in range(20):
        counter.learn(prompt(ENGLISH), reported(prompt(ENGLISH), han=1.0, other=1.2))
    counter.learn(prompt(ENGLISH), reported(prompt(ENGLISH), han=1.0, other=3.0))
    assert counter.ratios[1] == pytest.approx(1.38, abs=0.02)


@pytest.mark.parametrize(
    ("messages", "usage"),
    [
        (prompt("Hi!"), Usage(input_tokens=60)),
        (prompt(ENGLISH), Usage(input_tokens=900, estimated=True)),
        (prompt(ENGLISH), Usage(input_tokens=30)),
        (prompt(ENGLISH), Usage()),
        ([], Usage(input_tokens=500)),
    ],
    ids=["tiny prompt", "estimated usage", "rest read from a cache", "no usage", "no prompt"],
)
def test_what_says_nothing_about_the_vocabulary_teaches_nothing(messages: list[ChatMessage], usage: Usage) -> None:
    counter = CalibratedCounter()
    counter.learn(messages, usage)
    assert counter.ratios == (1.0, 1.0)


def test_ratios_stay_between_half_and_double() -> None:
    high, low = CalibratedCounter(), CalibratedCounter()
    for _ in range(50):
        high.learn(prompt(ENGLISH, CHINESE), reported(prompt(ENGLISH, CHINESE), han=9.0, other=9.0))
        low.learn(prompt(ENGLISH), reported(prompt(ENGLISH), han=1.0, other=0.51))
    assert high.ratios == (2.0, 2.0)
    assert 0.5 <= low.ratios[1] <= 0.55


def test_the_models_own_counter_is_asked_until_something_is_known() -> None:
    asked: list[int] = []

    def count_prompt(messages: object) -> int:
        asked.append(1)
        return round(1.4 * estimate_tokens(ENGLISH))

    counter = CalibratedCounter(count_prompt)
    assert counter.measure(prompt(ENGLISH))
    assert counter.count(ENGLISH) > 1.1 * estimate_tokens(ENGLISH)
    assert not counter.measure(prompt(ENGLISH))
    assert len(asked) == 1


def test_a_model_that_does_not_tell_leaves_the_estimate() -> None:
    counter = CalibratedCounter(lambda _: None)
    assert not counter.measure(prompt(ENGLISH))
    assert counter.count(ENGLISH) == estimate_tokens(ENGLISH)


def test_a_process_has_one_counter_for_each_model() -> None:
    one = counter_of("test-model-a")
    assert counter_of("test-model-a") is one
    assert counter_of("test-model-b") is not one


def test_threads_learn_together() -> None:
    counter = CalibratedCounter()

    def teach() -> None:
        for _ in range(50):
            counter.learn(prompt(ENGLISH), reported(prompt(ENGLISH), han=1.0, other=1.25))
            counter.count(ENGLISH)

    threads = [threading.Thread(target=teach) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.ratios == (1.0, pytest.approx(1.25, rel=0.02))
