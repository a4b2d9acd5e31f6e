"""Turn recall: figures from what was found, and a run over conversations with an embedder of word overlap."""

import json
from typing import Any

import pytest

from clew.evaluation.dialogues import Dialogue, DialogueQuestion, Dialogues
from clew.evaluation.memory import DEPTHS, WAYS, Outcome, recall_turns, turn_recall
from tests.integration.graph.term_embedder import TermEmbedder

FILLER = (
    "It rained again.",
    "Work was slow.",
    "My back hurts.",
    "Dinner was late.",
    "The bus broke down.",
    "So tired.",
)


def dialogue(id: str, *texts: str) -> Dialogue:
    turns = [
        {"id": f"{id}{place}", "speaker": ("Anna", "Boris")[place % 2], "text": text}
        for place, text in enumerate(texts)
    ]
    return Dialogue.model_validate({"id": id, "turns": turns})


def question(conversation: str, text: str, *gold: str) -> DialogueQuestion:
    return DialogueQuestion(conversation_id=conversation, question=text, gold=frozenset(gold))


def test_recall_is_the_share_of_a_questions_turns_that_were_found_so_far_down() -> None:
    turns = tuple(f"t{number}" for number in range(20))
    outcome = Outcome(question("c", "Who?", "t4", "t5", "gone"), dict.fromkeys(WAYS, turns), 1.0)
    assert [outcome.recall("fused", depth) for depth in (1, 5, 6)] == [0, 1 / 3, 2 / 3]


def test_figures_are_means_over_the_questions() -> None:
    data = Dialogues((dialogue("a", *FILLER),), (question("a", "Rain?", "a0"), question("a", "Bus?", "a4")))
    first, second = data.questions
    outcomes = [
        Outcome(first, {"words": ("a0",), "meaning": ("a1",), "fused": ("a0",)}, 2.0),
        Outcome(second, {"words": ("a4",), "meaning": ("a1",), "fused": ("a1",)}, 4.0),
    ]
    found = turn_recall(data, outcomes)
    assert (found.conversations, found.turns, found.questions, found.median_ms) == (1, 6, 2, 3.0)
    assert {way: shares[5] for way, shares in found.recall.items()} == {"words": 1.0, "meaning": 0.0, "fused": 0.5}
    assert json.loads(json.dumps(found.to_dict()))["recall"]["fused"] == {f"recall_at_{depth}": 0.5 for depth in DEPTHS}


def test_each_question_is_asked_of_its_own_conversation_and_progress_comes_to_its_end() -> None:
    data = Dialogues(
        (
            dialogue("a", *FILLER, "We brought a beagle home."),
            dialogue("b", *FILLER, "The beagle bit a guest."),
            dialogue("unasked", *FILLER),
        ),
        (question("a", "Which beagle?", "a6"), question("b", "Which beagle?", "b6")),
    )
    told: list[tuple[str, int, int]] = []
    embedder = TermEmbedder()
    outcomes = recall_turns(data, embedder, lambda *progress: told.append(progress))
    assert [outcome.question for outcome in outcomes] == list(data.questions)
    assert all(outcome.found[way][0] in outcome.question.gold for outcome in outcomes for way in WAYS)
    assert all(len(set(outcome.found[way])) == 7 for outcome in outcomes for way in WAYS)
    assert embedder.texts == 2 * 14  # each turn by itself and in its context; none of whom nothing is asked
    assert told[0] == ("embedding turns", 0, 28)
    assert ("embedding turns", 28, 28) in told
    assert told[-1] == ("questions", 2, 2)


def test_the_turn_that_answers_is_found_beside_the_one_that_asks() -> None:
    """Its own words are none of the question's; those of the turn before it are."""
    data = Dialogues(
        (dialogue("a", *FILLER, "Which instrument did the piano teacher pick?", "An oboe, so far.", *FILLER),),
        (question("a", "Which instrument did the teacher pick?", "a7"),),
    )
    (outcome,) = recall_turns(data, TermEmbedder(), lambda *_: None)
    assert outcome.recall("words", 1) == 0
    assert "a7" in outcome.found["fused"][:2]


@pytest.mark.parametrize("breaks_at", ["Boris: Work was slow.", "So tired."])
def test_an_error_of_the_embedder_is_not_swallowed(breaks_at: str) -> None:
    data = Dialogues((dialogue("a", *FILLER),), (question("a", "Rain?", "a0"),))
    error: Any = RuntimeError("the embedder broke")
    with pytest.raises(RuntimeError, match="the embedder broke"):
        recall_turns(data, TermEmbedder(breaks_at, error), lambda *_: None)
