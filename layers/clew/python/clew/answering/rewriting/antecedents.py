"""What a pronoun or a missing subject stands for: the name that agrees best, among the newest."""

import re
from typing import Final

from clew.answering.rewriting.kinds import NO_KINDS, PEOPLE, PLACES, THINGS, WORKS, Kind, Kinds, fits
from clew.answering.rewriting.mentions import Gender, Mention, TurnNames
from clew.answering.rewriting.window import Window

# How well a kind agrees, what its place in the turn adds, and what each turn back costs. Set so that a name
# which agrees is preferred over others up to three turns newer, and over a new name of unknown kind up to one.
AGREES: Final = 2.0
UNKNOWN: Final = 1.2
OTHER: Final = 0.5
IN_PLACE: Final = 0.5
LATER: Final = 0.05
PER_TURN: Final = 0.3
WRONG_GENDER: Final = 1.5


def antecedent(
    window: Window, wanted: Kinds, *, preferred: Kinds = NO_KINDS, strict: bool = False, gender: Gender = ""
) -> Mention | None:
    """The best name that may be of a kind in ``wanted``, those in ``preferred`` first; None if there is none.

    With ``strict`` a name of unknown kind counts only where the turn asked about it.
    """
    scored = [
        (_agreement(mention, preferred, gender) + _place(mention, order, turn, wanted), -turn.age, mention)
        for turn in window.turns
        for named in (turn.asked, turn.answered)
        for order, mention in enumerate(named)
        if _may_stand(mention, wanted, strict=strict)
    ]
    return max(scored, key=lambda item: item[:2])[2] if scored else None


def group(window: Window, wanted: Kinds) -> list[Mention]:
    """What «they» stands for: the newest list of names fit for ``wanted``; empty if there is none."""
    return next((listed for age in range(len(window.turns)) if (listed := window.listed(age, wanted))), [])


def of_pair(which: str, window: Window, wanted: Kinds) -> Mention | None:
    """Of the newest names named together: the ``former``, the ``latter``, or the ``other``, not now talked of."""
    members = group(window, wanted)
    if not members or which != "other":
        return members[-1 if which == "latter" else 0] if members else None
    current = {mention.name for mention in window.turns[0].asked} if members[0].age else {members[0].name}
    return next((mention for mention in members if mention.name not in current), None)


def called(noun: str, window: Window) -> Mention | None:
    """The newest name that has ``noun`` in it: «that office» for the Financial Aid Office, 奖学金 for 蓝海奖学金."""
    if not noun.isascii() and len(noun) < 2:
        return None
    pattern = re.compile(rf"\b{re.escape(noun)}\b" if noun.isascii() else re.escape(noun), re.I)
    names = (each for turn in window.turns for each in (*turn.answered, *turn.asked))
    return next((each for each in names if pattern.search(each.name)), None)


def _may_stand(mention: Mention, wanted: Kinds, *, strict: bool) -> bool:
    if mention.kind is Kind.UNKNOWN:
        return mention.asked or not strict
    return fits(mention.kind, wanted)


def _agreement(mention: Mention, preferred: Kinds, gender: Gender) -> float:
    if mention.kind is Kind.UNKNOWN:
        agreement = UNKNOWN
    else:
        agreement = AGREES if not preferred or fits(mention.kind, preferred) else OTHER
    return agreement - (WRONG_GENDER if gender and mention.gender and gender != mention.gender else 0.0)


def _place(mention: Mention, order: int, turn: TurnNames, wanted: Kinds) -> float:
    in_place = IN_PLACE if mention.asked != _brings_in(turn, wanted) else 0.0
    return in_place - LATER * order - PER_TURN * turn.age


def _brings_in(turn: TurnNames, wanted: Kinds) -> bool:
    """Whether what is wanted is rather what the answer of ``turn`` brought in than what was asked about."""
    first = turn.answered[0].kind if turn.answered else None
    if wanted <= PEOPLE:
        return turn.asks_person and any(mention.kind is Kind.PERSON for mention in turn.answered)
    if turn.asks_person:
        return first in PLACES  # «Who decides on it?» may be answered by an office, which the talk goes on about
    return not turn.asks_place and first in THINGS - WORKS - {Kind.PRIZE, Kind.PLACE}
