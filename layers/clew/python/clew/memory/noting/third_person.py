"""What a summary that a model has written tells of the user, as the user would say it."""

import re
from typing import Final

from clew.memory.noting.clauses import clauses
from clew.memory.noting.note import Note, capitalised, one_line
from clew.memory.noting.rules import grammar_of, rules_of

_OF_USER: Final = re.compile(r"^\s*(?:the )?user(?:'s)?\b|^\s*该?用户", re.I)
_USERS: Final = re.compile(r"\b(?:the )?user's\b|该?用户的", re.I)
_USER: Final = re.compile(r"\b(?:the )?user (?:(is|was)|(has)|(does))\b|\b(?:the )?user\b|该?用户", re.I)
# «The user lives in Beijing and she studies …»
_STILL_USER: Final = re.compile(r"(\band |, )(?:he|she|they)\b")
_VERB: Final = re.compile(r"\bI (also |now |currently |still |really )?([a-z]{2,}?)(ies|s)\b")
_ASKED: Final = re.compile(
    r"I (?:also )?asked (?:about|who|what|when|where|which|why|how|if|whether)\b|我(?:还|也)?(?:问|询问)"
)
_REQUESTED: Final = re.compile(
    r"I (?:also )?(?:asked|requested|wants?|wished)\b.*\b(?:answers?|repl(?:y|ies)|be (?:called|answered))"
    r"|我(?:要求|希望)"
)


def in_first_person(text: str) -> str:
    """``text`` with the user as its speaker; as it is where it does not speak of the user."""
    if not _USER.search(text):
        return text
    if _OF_USER.search(text):
        text = _STILL_USER.sub(r"\1I", text)
    spoken = _USERS.sub(lambda match: "我的" if "用户" in match.group() else "my", text)
    return _VERB.sub(_first_person_verb, _USER.sub(_speaker, spoken)).strip()


def read_telling(sentence: str) -> tuple[Note, ...]:
    """The notes of one sentence of prose; ``earlier`` where it tells of anything but the user."""
    if not _OF_USER.search(sentence):
        return (Note("earlier", sentence),)
    spoken = in_first_person(sentence)
    if _ASKED.match(spoken):
        return (Note("topic", sentence),)
    if _REQUESTED.match(spoken):
        return (Note("request", sentence),)
    return tuple(_note(clause) for clause in clauses(spoken, grammar_of(spoken)))


def _note(clause: str) -> Note:
    clause = _VERB.sub(_first_person_verb, clause)
    kind = rules_of(clause).kind_of(clause)
    told = kind if kind in ("said", "preference", "decision", "request") else "said"
    return Note(told, capitalised(one_line(clause)))


def _speaker(match: re.Match[str]) -> str:
    if "用户" in match.group():
        return "我"
    return "I am" if match[1] else "I have" if match[2] else "I do" if match[3] else "I"


def _first_person_verb(match: re.Match[str]) -> str:
    return f"I {match[1] or ''}{match[2]}{'y' if match[3] == 'ies' else ''}"
