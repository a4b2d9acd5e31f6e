"""A finished turn, read off the answer that ended it."""

from typing import Any

from clew.conversation.message import Message
from clew.memory.episode import Episode
from clew.text.citation_marks import without_marks


def episode_of(message: Message) -> Episode | None:
    """The episode that ``message`` ends; None where no turn ends with it.

    A turn ends with a whole answer: not with a user's message, nor with an answer that broke off or asks back.
    The question is the one that was looked up; ``said`` is noted where the user's words were others.
    """
    answer = without_marks(message.content).strip()
    if message.role != "assistant" or message.is_ask_user or message.debug.get("partial") or not answer:
        return None
    return Episode(
        conversation_id=message.conversation_id,
        seq=message.seq,
        question=_text(message.debug.get("question")),
        answer=answer,
        created_at=message.created_at,
        said=_text(message.debug.get("said")),
        names=_names(message.debug.get("focus")),
    )


def _names(focus: Any) -> tuple[str, ...]:
    """The names in question and answer, each once."""
    named = focus if isinstance(focus, dict) else {}
    names = [*(named.get("asked") or ()), *(named.get("answered") or ())]
    return tuple(dict.fromkeys(filter(None, map(_text, names))))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
