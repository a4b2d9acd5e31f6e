"""A message that is sent again and has its answer: the stored answer is sent once more, and nothing is done twice."""

from collections.abc import Iterator

from clew.answering import events
from clew.answering.focus import Focus
from clew.answering.turn.state import TurnState
from clew.answering.usage import Usage
from clew.conversation.message import Message
from clew.routing.decision import RouteDecision


def replayed(answer: Message, state: TurnState) -> Iterator[events.Event]:
    """The events of a stored answer: its text in one token, and ``done`` as it was."""
    state.stored = True
    yield events.Token(content=answer.content)
    yield events.Done(
        content=events.DoneContent(
            message_id=answer.message_id,
            conversation_id=answer.conversation_id,
            route=RouteDecision.model_validate(answer.debug["route"]),
            citations=answer.citations,
            usage=Usage.model_validate(answer.debug.get("usage") or {}),
            model=answer.debug.get("model", ""),
            is_ask_user=answer.is_ask_user,
            pending_intent=answer.pending_intent,
            focus=Focus.model_validate(answer.debug.get("focus") or {}),
        )
    )
