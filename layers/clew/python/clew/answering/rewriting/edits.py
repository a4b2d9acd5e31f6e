"""Putting names into a message."""

from collections.abc import Sequence
from dataclasses import dataclass

from clew.answering.rewriting.mentions import Mention
from clew.text.language import Language


@dataclass(frozen=True, slots=True)
class Edit:
    """What takes the place of ``message[start:end]``."""

    start: int
    end: int
    text: str


def apply(message: str, edits: Sequence[Edit]) -> str:
    """``message`` with ``edits`` made, the first of any two that overlap; its first letter stays a capital."""
    result, position = "", 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < position:
            continue
        result += message[position : edit.start] + edit.text
        position = edit.end
    result += message[position:]
    return result[:1].upper() + result[1:] if message[:1].isupper() else result


def joined(mentions: Sequence[Mention], language: Language) -> str:
    """«A, B and C», A、B和C."""
    names = [mention.put(language) for mention in mentions]
    if len(names) < 2:
        return "".join(names)
    comma, last = ("、", "和") if language == "zh" else (", ", " and ")
    return comma.join(names[:-1]) + last + names[-1]
