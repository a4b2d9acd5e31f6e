"""Turns of a long conversation are found with the laptop's embedder: a floor below what was measured."""

from pathlib import Path

from clew.evaluation.dialogues import Dialogues, read_dialogues
from clew.evaluation.memory import recall_turns, turn_recall
from clew.models.e5_embedder import E5Embedder

DIALOGUES = Path(__file__).resolve().parents[2] / "data/dialogues"
HELD_BACK = "odette-callum"  # nothing was chosen by it


def test_recall_beats_words_and_meaning_alone() -> None:
    found = read_dialogues(DIALOGUES)
    one = Dialogues(
        tuple(each for each in found.conversations if each.id == HELD_BACK),
        tuple(each for each in found.questions if each.conversation_id == HELD_BACK),
    )
    recall = turn_recall(one, recall_turns(one, E5Embedder(), lambda *_: None)).recall
    assert recall["fused"][5] > recall["meaning"][5] > recall["words"][5]
    assert recall["fused"][10] > 0.8
    assert recall["fused"][20] > 0.88
