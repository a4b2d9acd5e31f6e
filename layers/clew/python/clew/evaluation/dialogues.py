"""A data set of conversations and of questions whose turns are known."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from clew.errors import DocumentError

_Record = TypeVar("_Record", bound=BaseModel)


class _Line(BaseModel):
    # What else a line holds is somebody's own; ids may be numbers.
    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class DialogueTurn(_Line):
    """What one person said; a picture without words is an empty text. ``time`` is ISO 8601 if possible."""

    id: str = Field(min_length=1)
    speaker: str = Field(min_length=1)
    text: str
    time: str | None = None


class Dialogue(_Line):
    """A conversation, its turns in order."""

    id: str = Field(min_length=1)
    turns: tuple[DialogueTurn, ...] = Field(min_length=1)

    @field_validator("turns")
    @classmethod
    def _told_apart(cls, turns: tuple[DialogueTurn, ...]) -> tuple[DialogueTurn, ...]:
        seen: set[str] = set()
        for turn in turns:
            if turn.id in seen:
                raise ValueError(f"two turns have the id {turn.id!r}")
            seen.add(turn.id)
        return turns


class DialogueQuestion(_Line):
    """A question about one conversation and the ids of the turns that together answer it."""

    conversation_id: str
    question: str
    gold: frozenset[str] = Field(min_length=1)

    @field_validator("question")
    @classmethod
    def _not_blank(cls, question: str) -> str:
        if not question.strip():
            raise ValueError("must not be empty")
        return question


@dataclass(frozen=True, slots=True)
class Dialogues:
    """A data set: every question is about one of the conversations, and its turns are there."""

    conversations: tuple[Dialogue, ...]
    questions: tuple[DialogueQuestion, ...]


def read_dialogues(folder: Path) -> Dialogues:
    """``conversations.jsonl`` and ``queries.jsonl`` of ``folder``.

    A line ``{id, turns: [{id, speaker, text, time?}]}`` and ``{conversation_id, question, gold: [turn id, …]}``.
    Raises DocumentError with file and line for what is not that, before anything else is done.
    """
    turns_of: dict[str, frozenset[str]] = {}
    conversations: list[Dialogue] = []
    for where, dialogue in _records(folder / "conversations.jsonl", Dialogue):
        if dialogue.id in turns_of:
            raise DocumentError(where, f"there is a conversation {dialogue.id!r} already.")
        turns_of[dialogue.id] = frozenset(turn.id for turn in dialogue.turns)
        conversations.append(dialogue)
    questions: list[DialogueQuestion] = []
    for where, question in _records(folder / "queries.jsonl", DialogueQuestion):
        if question.conversation_id not in turns_of:
            raise DocumentError(where, f"there is no conversation {question.conversation_id!r}.")
        unknown = question.gold - turns_of[question.conversation_id]
        if unknown:
            raise DocumentError(where, f"conversation {question.conversation_id!r} has no turn {min(unknown)!r}.")
        questions.append(question)
    return Dialogues(tuple(conversations), tuple(questions))


def _records(path: Path, kind: type[_Record]) -> Iterator[tuple[str, _Record]]:
    """The lines of ``path`` with where they stand; there is at least one."""
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        told = "no such file." if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}."
        raise DocumentError(str(path), told) from error
    empty = True
    for number, line in enumerate(lines, start=1):
        if line.strip():
            empty = False
            yield f"{path}:{number}", _record(line, f"{path}:{number}", kind)
    if empty:
        raise DocumentError(str(path), "it is empty.")


def _record(line: bytes, where: str, kind: type[_Record]) -> _Record:
    try:
        return kind.model_validate_json(line.decode())
    except UnicodeDecodeError as error:
        raise DocumentError(where, f"not UTF-8 (byte {error.start + 1} of the line).") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        problem = f"{problem[:1].lower()}{problem[1:]}".rstrip(".")
        raise DocumentError(where, f"{place}: {problem}." if place else f"not a JSON object: {problem}.") from error
