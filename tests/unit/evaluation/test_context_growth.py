"""What the history takes of a prompt as a conversation grows."""

from collections.abc import Sequence
from itertools import islice

import pytest

from clew.conversation.message import Message
from clew.evaluation.context_growth import context_growth, rounds_told
from clew.evaluation.dialogues import Dialogue
from clew.memory.extractive_summary import ExtractiveSummariser

ASKED = "What does the weather service say about the harbour of town number {}?"
ANSWER = "In town number {} the harbour is closed today, because of a gale from the north and waves of four metres."


def dialogue(rounds: int, asked: str = ASKED, answer: str = ANSWER, id: str = "c") -> Dialogue:
    turns = [
        {"id": f"{place}", "speaker": ("Anna", "Boris")[place % 2], "text": (asked, answer)[place % 2].format(place)}
        for place in range(2 * rounds + 1)
    ]
    return Dialogue.model_validate({"id": id, "turns": turns})


class Recorder:
    """A summariser that says which messages it was given."""

    def __init__(self) -> None:
        self.given: list[list[int]] = []

    def extend(self, summary: str, messages: Sequence[Message]) -> str:
        self.given.append([message.seq for message in messages])
        return "So far so good."


def test_it_is_told_every_five_rounds_then_every_ten_then_every_fifty() -> None:
    assert list(islice(rounds_told(), 10)) == [5, 10, 15, 20, 30, 40, 50, 100, 150, 200]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [(ASKED, ANSWER), ("第{}号城市的港口今天情况怎么样？", "第{}号城市的港口今天因为北风和四米高的浪而关闭。")],
)
def test_history_stays_flat_while_sending_everything_grows(asked: str, answer: str) -> None:
    growth = {each.rounds: each for each in context_growth([dialogue(100, asked, answer)], ExtractiveSummariser())}
    assert list(growth) == [5, 10, 15, 20, 30, 40, 50, 100]
    assert growth[100].everything == pytest.approx(10 * growth[10].everything, rel=0.05)
    assert max(each.history for each in growth.values()) < 2_000
    assert growth[100].history < 1.3 * growth[20].history
    for each in growth.values():
        assert each.history == each.summary + each.episodes + each.window
        assert each.window > 0


def test_the_summary_takes_in_each_message_once_and_never_the_last_six() -> None:
    recorder = Recorder()
    context_growth([dialogue(50)], recorder)
    taken = [seq for part in recorder.given for seq in part]
    assert taken == list(range(1, len(taken) + 1))
    assert 100 - 10 <= len(taken) <= 100 - 6


def test_means_are_over_the_conversations_that_are_so_long() -> None:
    growth = context_growth([dialogue(12, id="short"), dialogue(20, id="long")], Recorder())
    assert [(each.rounds, each.conversations) for each in growth] == [(5, 2), (10, 2), (15, 1), (20, 1)]


def test_what_one_says_in_a_row_is_one_message() -> None:
    turns = [
        {"id": f"{place}", "speaker": "Anna" if place % 4 < 2 else "Boris", "text": f"Line {place} about the harbour."}
        for place in range(24)
    ]
    (growth,) = context_growth([Dialogue.model_validate({"id": "c", "turns": turns})], Recorder())
    assert growth.rounds == 5


def test_a_conversation_of_few_turns_has_nothing_to_tell() -> None:
    assert context_growth([dialogue(1)], Recorder()) == []
