"""Reading a reply to a question that was put to the user: what it answers, or that it is about something else."""

import functools
from dataclasses import dataclass, field
from typing import Final, Literal

from clew.answering.follow_up import reply_phrases as say
from clew.conversation.pending import PendingIntent
from clew.retrieval.asked import Need, asked_of
from clew.routing.intent import Slot, spellings_of
from clew.routing.intents import SEPARATOR, fill, label, labels
from clew.routing.spelling import SEARCHED, find_values, without_values
from clew.text.language import Language, detect_language
from clew.text.terms import content_terms

MAX_FREE_TEXT: Final = 200  # characters of a value that is a whole reply
HALF: Final = 0.5  # of a reply's words that must be a value's, to mean it

ReplyKind = Literal["fills", "open", "cancels", "changes subject"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply does; ``values`` are those that it gives, by slot, in the language of the original question.

    One that is ``open`` answers nothing; ``between`` are the values that it may mean, if it may mean several.
    """

    kind: ReplyKind
    values: dict[str, str] = field(default_factory=dict)
    between: tuple[str, ...] = ()


def read_reply(pending: PendingIntent, message: str) -> Reply:
    """What ``message`` says to the question that was put for the first missing slot of ``pending``."""
    message = message[:SEARCHED]
    if cancelled := say.CANCELS.fullmatch(message):
        return Reply("cancels" if say.POLITE.fullmatch(cancelled["rest"]) else "changes subject")
    if not pending.missing or say.GREETS.fullmatch(message):
        return Reply("changes subject")
    if say.ASKS_BACK.fullmatch(message):
        return Reply("open")
    language = detect_language(pending.original_query)
    values = fill(pending.missing, message, language)
    if _is_new(pending, message, states=bool(values)):
        return Reply("changes subject")
    return Reply("fills", values) if values else _first_slot(pending.missing[0], message.strip(say.MARKS), language)


def _is_new(pending: PendingIntent, message: str, *, states: bool) -> bool:
    """Whether the message asks or names something that is not about the open question.

    ``states`` tells that it names a value: what else it says then makes it no new subject unless it asks.
    """
    rest = say.NOT_KNOWN.sub(" ", message)
    for slot in pending.missing:
        rest = without_values(slot, rest)
    if any(title not in pending.original_query for title in say.TITLE.findall(rest)):
        return True
    old = _terms_of(pending)
    new = [need for need in asked_of(rest, ()) if old.isdisjoint(content_terms(need.word))]
    if say.ASKS.search(rest) or say.ASKS_IN_A_LATER_SENTENCE.search(rest):
        return bool(new)
    if message.rstrip().endswith(("?", "？")) and len(new) > 1:
        return True
    slot = pending.missing[0]
    if states or not (slot.values or slot.pattern) or say.OF_ONESELF.match(message):
        return False
    return sum(1 for need in new if _is_everyday(need)) > 1


def _terms_of(pending: PendingIntent) -> frozenset[str]:
    """Terms of what was asked, by the user and of the user, with those that mean the same, in both languages."""
    asked = [text for slot in pending.missing for text in (slot.question, slot.question_zh)]
    needs = [need for text in (pending.original_query, *asked) for need in asked_of(text, ())]
    return _fillers().union(content_terms(pending.original_query), *(need.forms for need in needs))


@functools.cache
def _fillers() -> frozenset[str]:
    return frozenset(content_terms(say.FILLERS))


def _is_everyday(need: Need) -> bool:
    """Whether the glossary has the word, and so a word of the other language for it: questions turn on such."""
    return len({form.isascii() for form in need.forms}) > 1


def _first_slot(slot: Slot, text: str, language: Language) -> Reply:
    """What a reply means that names no value outright."""
    if not text or say.NOT_KNOWN.search(text):
        return Reply("open")
    if slot.values:
        return _chosen(slot, text, language)
    if slot.pattern or not set(content_terms(text)) - _fillers():
        return Reply("open")
    return Reply("fills", {slot.name: text[:MAX_FREE_TEXT]})


def _chosen(slot: Slot, text: str, language: Language) -> Reply:
    """Which of the slot's values: all, one by its place in the list, the one not denied, or by part of its name."""
    every = labels(slot, language)
    chosen: list[str] = []
    if say.ALL.fullmatch(text):
        chosen = every
    elif place := say.ORDINAL.fullmatch(text):
        index = say.PLACES[next(filter(None, place.groups())).lower()]
        chosen = every[index:][:1]
    elif denied := {label(slot, found.value, language) for found in find_values(slot, text) if found.denied}:
        chosen = left if len(left := [value for value in every if value not in denied]) == 1 else []
    else:
        meant = _meant(slot, text, language)
        if 1 < len(meant) < len(every):
            return Reply("open", between=tuple(meant))
        chosen = meant if len(meant) == 1 else []
    return Reply("fills", {slot.name: SEPARATOR.join(chosen)}) if chosen else Reply("open")


def _meant(slot: Slot, text: str, language: Language) -> list[str]:
    """The values that share most words with the reply, words of the question for them aside."""
    words = set(content_terms(text)) - set(content_terms(f"{slot.question} {slot.question_zh}")) - _fillers()
    if not words:
        return []
    shares = {
        label(slot, spellings_of(value)[0], language): len(words & set(content_terms(value))) / len(words)
        for value in slot.values
    }
    best = max(shares.values())
    return [value for value, share in shares.items() if share == best] if best >= HALF else []
