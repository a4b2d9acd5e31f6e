"""How much of the prompt the past takes as a conversation grows: flat from round 15 on, in both languages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import mean

import pytest

from clew.answering.prompting.context import assemble
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.prompting.report import ContextReport
from clew.conversation.message import Message, StoredRole
from clew.conversation.summary import Summary
from clew.memory.due import is_due
from clew.memory.episode import Episode
from clew.memory.extractive_summary import ExtractiveSummariser
from clew.text.citation_marks import without_marks
from clew.text.language import Language
from clew.text.tokens import estimate_tokens

ROUNDS = 200
LIMIT = 2_000

TOLD = {
    "en": ("My name is Hanna Lindqvist and I study marine science.", "Nice to meet you, Hanna."),
    "zh": ("我叫林汉娜，我学的是海洋科学。", "很高兴认识您，汉娜。"),
}
ASKED = {
    "en": ("What is taught in course {0}, and who teaches it?", "Where is the exam of course {0} held in year {1}?"),
    "zh": ("课程{0}讲什么内容，由谁授课？", "第{1}年课程{0}的考试在哪里举行？"),
}
ANSWERED = {
    "en": (
        "Course {0} is about tides, currents and the animals of the shallow sea, and is taught by two lecturers of "
        "the institute in the spring term[1]. It has {1} credits, of which two are for field work on the boat[2]. "
    ),
    "zh": (
        "课程{0}讲授潮汐、海流以及浅海的动物，由海洋学院的两位老师在春季学期授课[1]。"
        "该课程有{1}个学分，其中两个是船上实习的学分[2]。"
    ),
}


@dataclass
class Conversation:
    """What store and memory hold of a conversation in which the memory function runs ``lag`` turns behind.

    Answers are ``length`` times as long as usual.
    """

    language: Language
    lag: int = 0
    length: int = 1
    messages: list[Message] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)

    def context(self, round_: int, episodes: Iterable[Episode] | None = None) -> tuple[Prompt, ContextReport]:
        """Of the next turn."""
        said, _ = _spoken(round_, self.language)
        return assemble(
            question=said,
            standalone_question=said,
            language=self.language,
            messages=self.messages[self.summary.covered_seq :],
            summary=self.summary.text,
            episodes=list(self._recalled() if episodes is None else episodes),
        )

    def go_on(self, round_: int) -> None:
        """Store the turn; extend the summary where it is due."""
        said, answer = _spoken(round_, self.language)
        if round_ > 1:
            answer = " ".join([answer] * self.length)
        self._append("user", said)
        self._append("assistant", answer)
        seen = len(self.messages) - 2 * self.lag
        if seen > 0 and is_due(seen, self.summary):
            covered = seen - 6
            text = ExtractiveSummariser().extend(self.summary.text, self.messages[self.summary.covered_seq : covered])
            self.summary = Summary(text=text, covered_seq=covered)

    def _append(self, role: StoredRole, content: str) -> None:
        seq = len(self.messages) + 1
        created_at = f"2025-03-{1 + seq // 40:02}T08:{seq % 60:02}:00Z"
        self.messages.append(
            Message(
                message_id=f"c.{seq}", conversation_id="c", seq=seq, role=role, content=content, created_at=created_at
            )
        )

    def _recalled(self) -> Iterator[Episode]:
        """Three turns before the window, the first of the conversation before all others."""
        answers = range(2, self.summary.covered_seq + 1, 2)
        for seq in (*answers[:1], *answers[1:][-7::-5][:2]):
            yield self.episode(seq)

    def episode(self, seq: int) -> Episode:
        """Of the turn whose answer has that number."""
        said, answer = self.messages[seq - 2].content, self.messages[seq - 1].content
        return Episode("c", seq, said, answer, self.messages[seq - 1].created_at, said=said)


def _spoken(round_: int, language: Language) -> tuple[str, str]:
    if round_ == 1:
        return TOLD[language]
    sentences = 1 + round_ % 3  # answers of one to three times the length
    course, year = f"OC{100 + round_}", 1 + round_ % 4
    answer = ANSWERED[language].format(course, year) * sentences
    return ASKED[language][round_ % 2].format(course, year), answer.strip()


@pytest.mark.parametrize("lag", [0, 2], ids=["prompt", "lagging"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_past_takes_no_more_at_round_200_than_at_round_15(language: Language, lag: int) -> None:
    conversation = Conversation(language, lag)
    history: dict[int, int] = {}
    for round_ in range(1, ROUNDS + 1):
        if round_ <= 50 or round_ > 150:
            prompt, report = conversation.context(round_)
            history[round_] = report.history_tokens
            if round_ in (15, 50, 200):
                said = "\n".join(each.content for each in render(prompt)[1:])
                assert TOLD[language][0] in said, "what was told in round 1 is in the prompt"
                assert prompt.history[0].role == "user"
        conversation.go_on(round_)

    everything = sum(estimate_tokens(each.content) for each in conversation.messages)
    assert everything > 10 * LIMIT, "sending all of it would cost much more"
    assert max(history.values()) <= LIMIT
    # The window swings between six messages and what the memory function lets it grow to.
    early = [tokens for round_, tokens in history.items() if 15 <= round_ <= 50]
    late = [tokens for round_, tokens in history.items() if round_ > 150]
    assert mean(late) == pytest.approx(mean(early), rel=0.1)
    assert max(late) <= 1.05 * max(early)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_falls_between_summary_and_window(language: Language) -> None:
    conversation = Conversation(language)
    for round_ in range(1, 51):
        covered = conversation.summary.covered_seq
        before = [each for each in conversation.messages if each.seq > covered]
        prompt, report = conversation.context(round_)
        conversation.go_on(round_)
        assert [each.content for each in prompt.history] == [without_marks(each.content) for each in before]
        assert len(before) >= min(6, 2 * (round_ - 1))
        assert not report.shortened


@pytest.mark.parametrize("lag", [0, 2], ids=["prompt", "lagging"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_with_long_answers_what_was_told_in_round_1_is_in_every_prompt_once(language: Language, lag: int) -> None:
    conversation = Conversation(language, lag, length=12)
    recalled_early = 0
    for round_ in range(1, 21):
        answers = range(2, len(conversation.messages) + 1, 2)
        # Best first: the turn that tells it, then the newest ones, which are in the window.
        episodes = [conversation.episode(seq) for seq in (*answers[:1], *answers[1:][:-8:-1])]
        prompt, report = conversation.context(round_, episodes)
        spoken = [each.content for each in prompt.history]
        recalled = [each.said for each in prompt.episodes]
        if round_ > 1:
            assert [*spoken, *recalled].count(TOLD[language][0]) == 1
        assert not set(recalled) & set(spoken), "a turn is told once"
        assert report.history_tokens <= LIMIT
        recalled_early += TOLD[language][0] in recalled and not conversation.summary.covered_seq
        conversation.go_on(round_)
    assert recalled_early, "no summary held it yet when the window lost it"
