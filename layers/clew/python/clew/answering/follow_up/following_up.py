"""Asking back and going on: what becomes of a question that only the user can complete.

question ──verify: ask──> AskUser ──next message──> Continued ──verify──> answer, or AskUser for the next slot
                             ^                 ├──> AskUser    the reply answers nothing, for the first time
                             └─────────────────┘
                                               └──> Dropped    cancelled, or another subject
"""

from dataclasses import dataclass
from typing import Final, Literal

from clew.answering.follow_up import wording as text
from clew.answering.follow_up.replies import read_reply
from clew.conversation.pending import PendingIntent
from clew.routing.decision import RouteDecision
from clew.routing.intent import Slot
from clew.routing.intents import SEPARATOR
from clew.text.language import Language, detect_language

MAX_UNANSWERED: Final = 2  # asks without an answer, after which is never asked again


@dataclass(frozen=True, slots=True)
class AskUser:
    """End the turn by asking: ``text`` is the answer, with ``is_ask_user``; ``pending`` is to be stored."""

    pending: PendingIntent
    text: str


@dataclass(frozen=True, slots=True)
class Continued:
    """Go on with the original question, as far as it is complete now.

    ``question`` is what to look up (no rewriting): the original with all known values, in ``language``, that of
    the original. ``pending`` has kb_prefix, agent_type, intent and known for the look-up, and the original
    question. ``filled`` are the slots that this message filled; none, and ``may_ask`` false, after two asks
    without an answer: ``note`` then says what is not known and goes before the answer.
    """

    question: str
    language: Language
    pending: PendingIntent
    filled: tuple[str, ...] = ()
    may_ask: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The follow-up question is closed.

    ``changed subject``: the message is a new one and goes the usual way. ``cancelled``: ``text`` may be
    answered to it without looking anything up.
    """

    reason: Literal["changed subject", "cancelled"]
    text: str = ""


def ask_user(
    slot: Slot,
    decision: RouteDecision,
    original_query: str,
    *,
    agent_type: str = "",
    continued: Continued | None = None,
) -> AskUser:
    """The question for ``slot``, which verify found missing, in the language of ``original_query``.

    ``original_query`` stands alone: the question as looked up; ``continued`` where this turn continues an
    earlier one (its original question is kept then, and how often was asked). ``agent_type`` is what the
    request named, if it did.
    """
    assert decision.intent is not None  # noqa: S101  (no slot is missing without one)
    before = continued.pending if continued else None
    others = tuple(each for each in decision.intent.missing if each.name != slot.name)
    pending = PendingIntent(
        intent=decision.intent.name,
        kb_prefix=decision.kb_prefix,
        agent_type=before.agent_type if before else agent_type,
        original_query=before.original_query if before else original_query,
        known=decision.intent.known,
        missing=(slot, *others),
        ask_user_count=before.ask_user_count + 1 if before else 1,
        unanswered=before.unanswered if before else 0,
    )
    return AskUser(pending, text.asking(slot, detect_language(pending.original_query)))


def continue_with(
    pending: PendingIntent, message: str, *, requested_kb_prefix: str = ""
) -> Continued | AskUser | Dropped:
    """What ``message`` does to the open question.

    ``requested_kb_prefix`` is the request's; one that is not the pending question's is a change of subject.
    """
    language = detect_language(pending.original_query)
    if requested_kb_prefix not in ("", pending.kb_prefix):
        return Dropped("changed subject")
    reply = read_reply(pending, message)
    match reply.kind:
        case "cancels":
            return Dropped("cancelled", text.cancelled(detect_language(message)))
        case "changes subject":
            return Dropped("changed subject")
        case "fills":
            return _filled(pending, reply.values, language)
    unanswered = pending.model_copy(update={"unanswered": pending.unanswered + 1})
    if unanswered.unanswered < MAX_UNANSWERED:
        again = unanswered.model_copy(update={"ask_user_count": pending.ask_user_count + 1})
        return AskUser(again, text.asking_again(pending.missing[0], language, reply.between))
    question = completed(pending.original_query, pending.known, language)
    return Continued(question, language, unanswered, may_ask=False, note=text.not_known(pending.missing[0], language))


def completed(original_query: str, known: dict[str, str], language: Language) -> str:
    """The question with the values that it does not hold itself: «When is the thesis due (graduate)?»."""
    added = [each for value in known.values() for each in value.split(SEPARATOR) if each not in original_query]
    if not added:
        return original_query
    body = original_query.rstrip(" ?？.。!！")
    mark = original_query[len(body) :].strip() or ("？" if language == "zh" else "?")
    return f"{body}（{'、'.join(added)}）{mark}" if language == "zh" else f"{body} ({', '.join(added)}){mark}"


def _filled(pending: PendingIntent, values: dict[str, str], language: Language) -> Continued:
    known = pending.known | values
    missing = tuple(slot for slot in pending.missing if slot.name not in values)
    return Continued(
        question=completed(pending.original_query, known, language),
        language=language,
        pending=pending.model_copy(update={"known": known, "missing": missing}),
        filled=tuple(values),
        may_ask=pending.unanswered < MAX_UNANSWERED,
    )
