"""How long a note outlasts others."""

import re
from typing import Final

from clew.memory.noting.attributes import attributes
from clew.memory.noting.note import Note
from clew.memory.noting.rules import rules_of
from clew.memory.noting.third_person import in_first_person
from clew.memory.noting.values import values_of

LASTING: Final = 5
"""From here on a note tells who the user is."""

_REPLIES = re.compile(r"[?？] ")  # a question of the assistant, and what the user replied


def strength(note: Note) -> int:
    """From 0 up: who the user is outlasts what is decided and liked, and that outlasts questions.

    0 questions with an answer, 1 what tells nothing of the user, 2 questions without an answer and text of
    unknown shape, 3 what the user told of themselves in passing, and days, times and amounts, 4 decisions,
    preferences, requests and the user's own things, 5 the user's attributes and health, 6 the name.
    """
    if note.kind == "topic":
        return 0
    if note.kind in ("open", "asked_back", "earlier"):
        return 2
    clause = in_first_person(note.text)
    known, rules = attributes(clause), rules_of(clause)
    if "name" in known or "called" in known:
        return 6
    if rules.is_lasting(clause) or any(not key.startswith("of:") for key in known) or _REPLIES.search(clause):
        return LASTING
    if note.kind != "said" or (known and rules.in_first_person(clause)):
        return 4
    of_the_user = rules.in_first_person(clause) and not rules.is_opinion(clause)
    return 3 if of_the_user or values_of(clause) else 1
