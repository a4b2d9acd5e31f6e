"""Rewriting by a model: when it is asked, what it is shown, which of its answers are taken, and who rewrites else."""

import logging

import pytest

from clew.answering.focus import Focus
from clew.answering.rewriting.falling_back import FallingBackRewriter
from clew.answering.rewriting.rewriter import Past, PreviousTurn
from clew.answering.rewriting.rule import RuleRewriter
from clew.errors import ClewError, ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.memory.episode import Episode
from clew.models.model_rewriter import ModelRewriter
from tests.unit.models.written import ScriptedText

PAST = Past(
    turns=(
        PreviousTurn("Who directed Inception?", Focus(asked=("Inception",)), "Christopher Nolan directed Inception."),
        PreviousTurn("Who teaches CS301?", Focus(), "Zhou Mingyuan."),
    )
)


def rewrite(answer: str | Exception, message: str, past: Past = PAST) -> tuple[str, ScriptedText]:
    model = ScriptedText([answer])
    return ModelRewriter(model).rewrite(message, past), model


def test_the_model_is_shown_the_turns_in_order_and_what_is_recalled() -> None:
    episode = Episode("c", 2, "Which film won in 2010?", "Inception.", "2025-01-01T00:00:00Z")
    recalled: list[str] = []

    def recall(text: str) -> list[Episode]:
        recalled.append(text)
        return [episode] * 5

    question = "Who composed the score of Inception?"
    rewritten, model = rewrite(question, "And who composed it?", Past(PAST.turns, recall))
    assert rewritten == question
    assert recalled == ["And who composed it?"]
    assert model.asked[0].data == {
        "message": "And who composed it?",
        "turns": [
            {"question": "Who teaches CS301?", "answer": "Zhou Mingyuan."},
            {"question": "Who directed Inception?", "answer": "Christopher Nolan directed Inception."},
        ],
        "earlier": [{"question": "Which film won in 2010?", "answer": "Inception."}] * 3,
    }


def test_a_chinese_message_has_chinese_instructions() -> None:
    rewritten, model = rewrite("《盗梦空间》的作曲者是谁？", "那它的作曲者呢？")
    assert rewritten == "《盗梦空间》的作曲者是谁？"
    assert "改写" in model.asked[0].system


@pytest.mark.parametrize(
    ("message", "past"),
    [
        ("And who composed it?", Past()),
        ("Who wrote the short story behind Brokeback Mountain?", PAST),
        ("《红高粱》原著小说的作者在哪一年获得诺贝尔文学奖？", PAST),
        ("it " * 1_000, PAST),
    ],
    ids=["no past", "stands alone", "stands alone in Chinese", "long"],
)
def test_a_message_that_cannot_lean_on_the_past_is_not_asked_about(message: str, past: Past) -> None:
    rewritten, model = rewrite("Another question?", message, past)
    assert rewritten == message
    assert model.asked == []


def test_what_is_shown_is_bounded() -> None:
    turns = tuple(PreviousTurn("q" * 9_000, Focus(), "a" * 9_000) for _ in range(50))
    _, model = rewrite("Who composed Inception?", "And who composed it?", Past(turns))
    assert len(model.asked[0].message) < 5_000


@pytest.mark.parametrize(("given", "taken"), [("“Who composed Dune?”", "Who composed Dune?"), ('"Who?"', "Who?")])
def test_quotation_marks_around_all_of_it_are_taken_off(given: str, taken: str) -> None:
    assert rewrite(f" {given}\n", "And who composed it?")[0] == taken


UNUSABLE = {
    "empty": " \n",
    "several lines": "Who composed Inception?\nHans Zimmer did?",
    "too long": "Who composed Inception " + "and all the other films " * 20 + "?",
    "another language": "《盗梦空间》的作曲者是谁？",
    "an answer": "Hans Zimmer composed Inception.",
}


@pytest.mark.parametrize("answer", UNUSABLE.values(), ids=UNUSABLE)
def test_an_answer_that_is_no_such_question_is_refused(answer: str) -> None:
    with pytest.raises(ModelError, match="cannot be used"):
        rewrite(answer, "And who composed it?")


@pytest.mark.parametrize(
    "error",
    [ModelThrottledError("later"), ModelUnavailableError("later"), ModelError("no"), ConfigurationError("no region")],
    ids=lambda error: type(error).__name__,
)
def test_where_the_model_fails_the_rule_rewrites(error: ClewError, caplog: pytest.LogCaptureFixture) -> None:
    rewriter = FallingBackRewriter(ModelRewriter(ScriptedText([error])), RuleRewriter())
    with caplog.at_level(logging.WARNING):
        assert rewriter.rewrite("Who composed it?", PAST) == RuleRewriter().rewrite("Who composed it?", PAST)
    assert [record.getMessage() for record in caplog.records] == [f"rewritten by the fallback: {type(error).__name__}"]


def test_where_the_model_rewrites_the_rule_does_not() -> None:
    rewriter = FallingBackRewriter(ModelRewriter(ScriptedText(["Who scored Inception?"])), RuleRewriter())
    assert rewriter.rewrite("Who composed it?", PAST) == "Who scored Inception?"
