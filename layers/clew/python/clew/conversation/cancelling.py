"""Cancelling an answer that is being given, from wherever the request comes."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from clew.conversation.message import Message
from clew.conversation.replies import reply_to
from clew.conversation.running_answers import RunningAnswers
from clew.conversation.store import ConversationStore
from clew.errors import ConversationNotFoundError, MessageNotFoundError

WAIT: Final = 3.0  # seconds; whoever gives the answer looks more than twice as often
PAUSE: Final = 0.25
STORED_WITHIN: Final = 1.0  # seconds after ``start``, which is sent before


@dataclass(frozen=True, slots=True)
class Cancellation:
    """What became of an answer: it was cancelled, had been finished before, or nobody was giving it.

    ``message_id`` is the stored answer's, empty where there is none.
    """

    state: Literal["cancelled", "finished", "not_running"]
    message_id: str = ""


def cancel_answer(
    store: ConversationStore,
    running: RunningAnswers,
    user_id: str,
    session_id: str,
    message_id: str,
    *,
    wait: float = WAIT,
    sleep: Callable[[float], None] = time.sleep,
) -> Cancellation:
    """Stop the answer to a message of the session, which is stored as cancelled when this returns.

    ``message_id`` is the client's own id of the message or the stored one's. Where nobody gives the answer, since
    it broke off or the process died, nothing is stored. ConversationNotFoundError or MessageNotFoundError where
    there is no such message among the last ones, nor comes to be within ``STORED_WITHIN``.
    """
    asked = _find(store, user_id, session_id, message_id, sleep)
    found, seq = asked.conversation_id, asked.seq
    if asked.role != "user":
        return _outcome(asked)
    if answer := reply_to(store, found, seq):
        return _outcome(answer)
    if running.wanted(found, seq).is_abandoned:
        return Cancellation("not_running")
    running.cancel(found, seq)
    until = time.monotonic() + wait
    while time.monotonic() < until:
        sleep(PAUSE)
        if answer := reply_to(store, found, seq):
            return _outcome(answer)
        if running.wanted(found, seq).is_abandoned:
            break
    return Cancellation("not_running")


def _find(
    store: ConversationStore, user_id: str, session_id: str, message_id: str, sleep: Callable[[float], None]
) -> Message:
    """The message, which may have been sent so shortly before that it is not stored yet."""
    until = time.monotonic() + STORED_WITHIN
    while True:
        try:
            return _find_now(store, user_id, session_id, message_id)
        except (ConversationNotFoundError, MessageNotFoundError):
            if time.monotonic() >= until:
                raise
        sleep(PAUSE)


def _find_now(store: ConversationStore, user_id: str, session_id: str, message_id: str) -> Message:
    conversation = store.find_conversation(user_id, session_id)
    if conversation is None:
        raise ConversationNotFoundError(session_id)
    seq = store.number_of(conversation.conversation_id, message_id)
    message = store.find_message(conversation.conversation_id, seq)
    if message is None:
        raise MessageNotFoundError(message_id)
    return message


def _outcome(answer: Message) -> Cancellation:
    return Cancellation("cancelled" if answer.debug.get("cancelled") else "finished", answer.message_id)
