"""The turns before a message, as rewriting looks at them."""

from collections.abc import Iterable, Sequence

from clew.answering.citations import without_marks
from clew.answering.focus import Focus
from clew.answering.rewriting.rewriter import PreviousTurn
from clew.conversation.message import Message


def previous_turns(messages: Sequence[Message]) -> tuple[PreviousTurn, ...]:
    """The finished turns among ``messages`` (in order), the newest first; what was asked back is none."""
    return tuple(_turns(reversed(messages)))


def _turns(newest_first: Iterable[Message]) -> Iterable[PreviousTurn]:
    for message in newest_first:
        if message.role == "assistant" and not message.is_ask_user and message.debug.get("question"):
            focus = Focus.model_validate(message.debug.get("focus") or {})
            yield PreviousTurn(message.debug["question"], focus, without_marks(message.content))
