"""A message that is sent again and has its answer: the stored answer is sent once more, and nothing is done twice."""

from clew.answering import events
from clew.answering.focus import Focus
from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.event_id import EventId
from clew.answering.running.stream_event import StreamEvent
from clew.answering.turn.storing import CANCELLED_EARLY
from clew.answering.usage import Usage
from clew.conversation.message import Message
from clew.routing.decision import RouteDecision


def replayed(answer: Message, run: AnswerRun, after: EventId | None) -> list[StreamEvent]:
    """The events of a stored answer that the client lacks: its text in one token, and ``done`` as it was.

    A client that has a part of this very answer, up to ``after``, gets the rest of the text. One that has a part of
    another attempt gets ``start``, and all of it.
    """
    attempt = str(answer.debug.get("attempt", ""))
    text, number, found = answer.content, 1, list[StreamEvent]()
    if after is not None and attempt == after.attempt and after.offset <= len(text):
        text, number = text[after.offset :], after.number + 1
    elif after is not None:
        found = list(run.events[:1])
    key, of = run.key, attempt or run.attempt
    if text:
        found.append(StreamEvent.of(EventId(key, of, number, len(answer.content)), events.Token(content=text)))
        number += 1
    found.append(StreamEvent.of(EventId(key, of, number, len(answer.content)), events.Done(content=_done(answer))))
    return found


def _done(answer: Message) -> events.DoneContent:
    debug = answer.debug
    return events.DoneContent(
        message_id=answer.message_id,
        conversation_id=answer.conversation_id,
        route=RouteDecision.model_validate(debug["route"]) if debug.get("route") else CANCELLED_EARLY,
        citations=answer.citations,
        usage=Usage.model_validate(debug.get("usage") or {}),
        model=debug.get("model", ""),
        stop_reason="cancelled" if debug.get("cancelled") else debug.get("stop_reason", "end"),
        is_ask_user=answer.is_ask_user,
        pending_intent=answer.pending_intent,
        focus=Focus.model_validate(debug.get("focus") or {}),
    )
