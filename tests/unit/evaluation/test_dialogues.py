"""Reading conversations and questions about them, and the data set of dialogues that is kept here."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clew.errors import DocumentError
from clew.evaluation.dialogues import read_dialogues
from clew.memory.turn_time import moment, sittings

OWN = Path(__file__).resolve().parents[2] / "data/dialogues"
CONVERSATION: dict[str, Any] = {
    "id": "c",
    "turns": [
        {"id": "1", "speaker": "Anna", "text": "Any pets?", "time": "2024-05-01T10:00"},
        {"id": "2", "speaker": "Boris", "text": "A beagle!", "picture": "dog.png"},
    ],
}
QUESTION: dict[str, Any] = {"conversation_id": "c", "question": "What does Boris have?", "gold": ["2"], "kind": "x"}


def written(folder: Path, conversations: list[Any], questions: list[Any]) -> Path:
    for name, records in (("conversations.jsonl", conversations), ("queries.jsonl", questions)):
        lines = [record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def with_turn(**changes: Any) -> dict[str, Any]:
    return {**CONVERSATION, "turns": [CONVERSATION["turns"][0], {**CONVERSATION["turns"][1], **changes}]}


def test_a_data_set_is_read_as_it_is_and_what_it_holds_besides_is_left_out(tmp_path: Path) -> None:
    found = read_dialogues(written(tmp_path, [CONVERSATION, ""], [QUESTION]))
    (conversation,), (question,) = found.conversations, found.questions
    assert [(turn.id, turn.speaker, turn.text, turn.time) for turn in conversation.turns] == [
        ("1", "Anna", "Any pets?", "2024-05-01T10:00"),
        ("2", "Boris", "A beagle!", None),
    ]
    assert (question.conversation_id, question.question, question.gold) == ("c", "What does Boris have?", {"2"})


def test_a_byte_order_mark_ids_that_are_numbers_and_a_turn_without_words_are_taken(tmp_path: Path) -> None:
    written(tmp_path, [with_turn(id=2, text="")], [{**QUESTION, "gold": [2]}])
    path = tmp_path / "conversations.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    found = read_dialogues(tmp_path)
    assert found.questions[0].gold == {"2"}
    assert found.conversations[0].turns[1].text == ""


@pytest.mark.parametrize(
    ("conversations", "questions", "told"),
    [
        ([], [QUESTION], "conversations.jsonl: it is empty."),
        ([CONVERSATION], ["", " "], "queries.jsonl: it is empty."),
        (["{"], [QUESTION], "conversations.jsonl:1: not a JSON object: "),
        ([CONVERSATION, "[]"], [QUESTION], "conversations.jsonl:2: not a JSON object: "),
        ([{"id": "c", "turns": []}], [QUESTION], "conversations.jsonl:1: turns: "),
        ([{"turns": CONVERSATION["turns"]}], [QUESTION], "conversations.jsonl:1: id: field required."),
        ([{**CONVERSATION, "id": ""}], [QUESTION], "conversations.jsonl:1: id: "),
        ([CONVERSATION, CONVERSATION], [QUESTION], "conversations.jsonl:2: there is a conversation 'c' already."),
        ([with_turn(id="1")], [QUESTION], "conversations.jsonl:1: turns: two turns have the id '1'."),
        ([with_turn(speaker="")], [QUESTION], "conversations.jsonl:1: turns.1.speaker: "),
        ([with_turn(text=None)], [QUESTION], "conversations.jsonl:1: turns.1.text: "),
        ([CONVERSATION], [{**QUESTION, "question": " "}], "queries.jsonl:1: question: must not be empty."),
        ([CONVERSATION], [QUESTION, {**QUESTION, "gold": []}], "queries.jsonl:2: gold: "),
        ([CONVERSATION], [{**QUESTION, "gold": "2"}], "queries.jsonl:1: gold: "),
        ([CONVERSATION], [{**QUESTION, "gold": ["2", "7"]}], "queries.jsonl:1: conversation 'c' has no turn '7'."),
        ([CONVERSATION], [{**QUESTION, "conversation_id": "d"}], "queries.jsonl:1: there is no conversation 'd'."),
    ],
)
def test_what_is_malformed_is_told_with_file_and_line(
    tmp_path: Path, conversations: list[Any], questions: list[Any], told: str
) -> None:
    with pytest.raises(DocumentError) as error:
        read_dialogues(written(tmp_path, conversations, questions))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_that_are_not_utf_8_are_told_with_their_place(tmp_path: Path) -> None:
    written(tmp_path, [CONVERSATION], [QUESTION])
    with (tmp_path / "queries.jsonl").open("ab") as file:
        file.write("\n{é".encode("latin-1"))
    with pytest.raises(DocumentError, match=r"queries\.jsonl:3: not UTF-8 \(byte 2 of the line\)\."):
        read_dialogues(tmp_path)


def test_a_missing_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"conversations\.jsonl: no such file\."):
        read_dialogues(tmp_path)


def test_the_dialogues_kept_here_are_long_of_many_sittings_and_in_both_languages() -> None:
    found = read_dialogues(OWN)
    asked = Counter(question.conversation_id for question in found.questions)
    assert len(found.conversations) == 8
    assert sum(not conversation.turns[0].speaker.isascii() for conversation in found.conversations) == 2
    for conversation in found.conversations:
        times = [turn.time or "" for turn in conversation.turns]
        assert len(conversation.turns) > 150
        assert sittings(times)[-1] + 1 >= 8
        assert all(map(moment, times))
        assert len({turn.speaker for turn in conversation.turns}) == 2
        assert asked[conversation.id] > 80
