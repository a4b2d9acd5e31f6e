"""What a turn keeps: the message when it opens, the answer when it ends, and the question that it leaves open."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from anyio.to_thread import run_sync

from clew.answering import events
from clew.answering.citations import cited, without_marks
from clew.answering.focus import Focus, focus_of
from clew.answering.turn.request import TurnRequest
from clew.answering.turn.state import TurnState
from clew.answering.usage import Usage
from clew.conversation.message import Message
from clew.conversation.replies import answer_token, reply_to, without_superseded
from clew.conversation.store import ConversationStore
from clew.errors import AnsweredElsewhereError
from clew.retrieval.evidence import Citation
from clew.routing.decision import RouteDecision
from clew.routing.intent import IntentMatch
from clew.routing.worker_name import GENERAL

CANCELLED_EARLY: Final = RouteDecision(
    kb_prefix=GENERAL,
    confidence=0.0,
    method="default",
    reason="The answer was cancelled before the message was routed.",
    worker_name="",
)

logger = logging.getLogger(__name__)


class Storing:
    """Reads and writes a turn's conversation."""

    def __init__(self, store: Callable[[str], ConversationStore]) -> None:
        self._store = store

    def open(self, request: TurnRequest, state: TurnState) -> None:
        """Store the user's message, and read what was said before it."""
        store = self._store(request.tenant_id)
        begun = store.begin(
            request.user_id, request.session_id, request.message, client_message_id=request.client_message_id
        )
        state.conversation_id, state.seq, state.cleared_seq = (
            begun.conversation_id,
            begun.message.seq,
            begun.cleared_seq,
        )
        past = store.recollect(state.conversation_id, state.seq, state.cleared_seq)
        state.said = begun.message.content
        state.past = replace(past, messages=without_superseded(past.messages))
        state.message_id, state.repeated = begun.message.message_id, begun.repeated

    def take_follow_up(self, request: TurnRequest, state: TurnState) -> None:
        """Claim the question that is open to the user, for this message to reply to; done by who gives the answer."""
        pending = state.past.pending
        taking = self._store(request.tenant_id).pending.take
        if pending and not taking(state.conversation_id, pending, state.seq):
            state.past = replace(state.past, pending=None)  # another message is the reply

    def answered(self, request: TurnRequest, state: TurnState) -> Message | None:
        """The final answer that a repeated message has already; None for a new one, or where it broke off."""
        if not state.repeated:
            return None
        return reply_to(self._store(request.tenant_id), state.conversation_id, state.seq)

    def finish(self, request: TurnRequest, state: TurnState) -> events.DoneContent:
        """Store the answer; then open, keep or close the question to the user.

        Where it has been cancelled meanwhile, that is what is stored, and told.
        """
        assert state.decision is not None  # noqa: S101  (set by the look-up or the follow-up, without which no answer is)
        citations = cited(state.answer, state.cited_from)
        entities = [entity for passage in state.evidence.passages for entity in passage.entities]
        focus = focus_of(state.question, without_marks(state.answer), entities)
        usage = state.finished.usage if state.finished else Usage()
        pending = state.asking.pending if state.asking else None
        model = state.finished.model if state.finished else ""
        stop_reason = state.finished.stop_reason if state.finished else "end"
        kept = {"usage": usage.model_dump(exclude_defaults=True), "model": model}
        if stop_reason != "end":
            kept["stop_reason"] = stop_reason
        message = self._append(request, state, citations, focus, kept)
        state.stored, state.citations = True, citations
        if message.debug.get("attempt") != state.attempt and not message.debug.get("cancelled"):
            raise AnsweredElsewhereError
        if message.debug.get("cancelled"):
            return self._told_cancelled(request, state, message)
        self._settle(request, state)
        return events.DoneContent(
            message_id=message.message_id,
            conversation_id=state.conversation_id,
            route=_shown(state.decision),
            citations=citations,
            usage=usage,
            model=model,
            stop_reason=stop_reason,
            is_ask_user=pending is not None,
            pending_intent=pending.intent if pending else "",
            focus=focus,
        )

    async def cancelled(self, request: TurnRequest, state: TurnState) -> events.DoneContent:
        """Store what was sent until the user cancelled, also where that is nothing.

        Where the whole answer had been stored a moment before, that holds, and is told.
        """
        return await run_sync(self._cancel, request, state)

    def _cancel(self, request: TurnRequest, state: TurnState) -> events.DoneContent:
        citations = cited(state.answer, state.cited_from)
        message = self._append(request, state, citations, Focus(), {"partial": True, "cancelled": True})
        state.stored = True
        return self._told_cancelled(request, state, message)

    def _told_cancelled(self, request: TurnRequest, state: TurnState, message: Message) -> events.DoneContent:
        self._give_up_follow_up(request, state)
        return events.DoneContent(
            message_id=message.message_id,
            conversation_id=state.conversation_id,
            route=_shown(state.decision) if state.decision else CANCELLED_EARLY,
            citations=message.citations,
            model=message.debug.get("model", ""),
            stop_reason="cancelled" if message.debug.get("cancelled") else "end",
        )

    async def broken(self, request: TurnRequest, state: TurnState, why: str) -> None:
        """Store what was sent of a turn that broke off; nothing is made up where nothing was sent.

        A question to the user is whole as soon as it is sent, and so is an answer that broke off when it was to be
        stored. A question that was open before is open again for another reply, unless this message had closed it.
        """
        if state.stored or not state.conversation_id:
            return
        state.stored = True
        try:
            await run_sync(self._keep, request, state, why)
        except Exception:  # the answer's own trouble is what the client must hear of
            logger.exception("partial answer not stored", extra={"session_id": request.session_id})

    def _keep(self, request: TurnRequest, state: TurnState, why: str) -> None:
        if state.whole or (state.asking and state.answer):
            self.finish(request, state)
            return
        self._give_up_follow_up(request, state)
        if state.answer.strip():
            citations = cited(state.answer, state.cited_from)
            self._append(request, state, citations, Focus(), {"partial": True, "why": why})

    def _give_up_follow_up(self, request: TurnRequest, state: TurnState) -> None:
        """The question that was open before is open again for another reply, unless this message had closed it."""
        if not state.past.pending:
            return
        pending = self._store(request.tenant_id).pending
        if state.dropped:
            pending.drop(state.conversation_id, state.past.pending)
        else:
            pending.release(state.conversation_id, state.past.pending, state.seq)

    def _settle(self, request: TurnRequest, state: TurnState) -> None:
        """The question to the user is stored after the message that asks it: a reply never fills one unseen."""
        pending = self._store(request.tenant_id).pending
        if state.asking:
            pending.put(state.conversation_id, state.asking.pending, asked_seq=state.seq)
        elif state.past.pending:
            pending.drop(state.conversation_id, state.past.pending)

    def _append(
        self,
        request: TurnRequest,
        state: TurnState,
        citations: tuple[Citation, ...],
        focus: Focus,
        debug: dict[str, Any],
    ) -> Message:
        route = _shown(state.decision).model_dump(mode="json") if state.decision else {}
        about = {
            "question": state.question,
            "in_reply_to": state.seq,
            "attempt": state.attempt,
            "focus": focus.model_dump(exclude_defaults=True),
            "route": route,
            "timings_ms": state.timings,
            **({"said": request.message} if request.message != state.question else {}),
            **debug,
        }
        # A repeated message whose answer broke off is answered anew, and that answer is another message.
        broke_off = debug.get("partial") and not debug.get("cancelled")
        answer_id = f"{state.seq}#partial#{state.attempt}" if broke_off else answer_token(state.seq)
        asked = state.asking if not debug.get("partial") else None
        return self._store(request.tenant_id).append_message(
            state.conversation_id,
            "assistant",
            state.answer,
            citations,
            about,
            client_message_id=answer_id,
            is_ask_user=asked is not None,
            pending_intent=asked.pending.intent if asked else "",
            # What a clear covers is no summary: the next one is due as the first is.
            in_reply_to=state.seq,
            summary_seq=state.past.summary.covered_seq if state.past.summary.text else 0,
        )


def _shown(decision: RouteDecision) -> RouteDecision:
    """The decision as it is told and kept: of the intent its name and what is known, not how to ask for the rest."""
    if decision.intent is None:
        return decision
    return decision.model_copy(update={"intent": IntentMatch(name=decision.intent.name, known=decision.intent.known)})
