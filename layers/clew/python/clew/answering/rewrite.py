"""Making a message stand alone: what it leaves to the turn before is put in its place."""

import re
from dataclasses import dataclass
from typing import Final

from clew.answering.focus import Focus
from clew.text.language import detect_language
from clew.text.names import name_key

_PERSON = re.compile(r"\b(?:he|she|him|her|his|hers|they|them|their)\b|他们|她们|他|她|这位|那位|此人", re.I)
_THING = re.compile(
    r"\b(?:it|its|(?:this|that|the same) (?:film|movie|one|course|book|scholarship|office|programme|person))\b"
    r"|它|该片|该书|(?:这|那|该)(?:部|门|个|本|项|所|座|家|栋)(?:电影|影片|课程|课|书|奖学金|办公室|专业)?",
    re.I,
)
_POSSESSIVE = frozenset(("his", "hers", "its", "their"))
# «And the deadline?», «What about Interstellar?», «那《星际穿越》呢？»
_CONTINUES = re.compile(
    r"^\s*(?:and|what about|how about|or)\b\s*(?P<en>.+?)\s*\??\s*$|^\s*那么?(?P<zh>.+?)呢?\s*[？?]?\s*$", re.I
)
# A question that asks for a person by what he or she did: the answer brings the person in.
_ASKS_PERSON = re.compile(
    r"\b(?:who|whom|whose|director|composer|writer|screenwriter|author|actor|actress|star|cinematographer|producer"
    r"|teacher|instructor|lecturer|professor|dean|head|president)\b"
    r"|谁|哪位|导演|作曲|编剧|作者|演员|主演|主角|摄影师|老师|教师|教授|院长|主任|校长|处长",
    re.I,
)
_NAME_LIKE = re.compile(r"《[^《》]+》|\b[A-Z0-9][\w'’-]*(?:\s+(?:of\s+|the\s+)*[A-Z0-9][\w'’-]*)*")
_LEADING = re.compile(r"^(?:(?:of|for|about|in|from|with|by)\s+)+", re.I)
MAX_CONTINUATION: Final = 40  # characters; a longer message says itself what it wants


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """The turn before: the question as retrieval had it, and what it was about."""

    question: str
    focus: Focus


def standalone(message: str, previous: PreviousTurn | None) -> str:
    """``message`` so that it can be understood alone; unchanged when it already can.

    By rule: a pronoun becomes the name it stands for, and a continuation («And …?», «那…呢？») the
    previous question with the new name in the place of the old, or with what is newly asked.
    """
    if previous is None:
        return message
    if match := _CONTINUES.match(message):
        asked = (match["en"] or match["zh"]).strip()
        if len(asked) <= MAX_CONTINUATION and not _PERSON.search(asked) and not _THING.search(asked):
            return _continued(asked, previous)
    person, thing = _antecedents(previous)
    rewritten = _replace(_PERSON, message, person)
    return _replace(_THING, rewritten, thing)


def _antecedents(previous: PreviousTurn) -> tuple[str, str]:
    """What a pronoun for a person and one for a thing stand for; empty where the turn left nothing."""
    asked, answered = previous.focus.asked, previous.focus.answered
    brought_in = answered[0] if answered else ""
    named = asked[-1] if asked else ""
    if _ASKS_PERSON.search(previous.question):
        return brought_in or named, named or brought_in
    return named or brought_in, named or brought_in


def _replace(pronoun: re.Pattern[str], message: str, name: str) -> str:
    if not name:
        return message

    def put(match: re.Match[str]) -> str:
        word = match.group()
        # «her» before a noun owns something: «her first film»
        owns = word.lower() in _POSSESSIVE or (
            word.lower() == "her" and re.match(r"\s+\w", message[match.end() :]) is not None
        )
        return f"{name}'s" if owns else name

    return pronoun.sub(put, message, count=1)


def _continued(asked: str, previous: PreviousTurn) -> str:
    asked = _LEADING.sub("", asked)
    old = next((name for name in previous.focus.asked if name in previous.question), "")
    new_name = _NAME_LIKE.fullmatch(asked.removeprefix("the "))
    if new_name and old and name_key(old) != name_key(asked):
        return previous.question.replace(old, asked.strip("《》") if f"《{old}》" in previous.question else asked, 1)
    subject = old or next(iter(previous.focus.answered), "")
    if not subject:
        return asked
    return f"{subject}的{asked}？" if detect_language(asked) == "zh" else f"{_capitalised(asked)} of {subject}?"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
