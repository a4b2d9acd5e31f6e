"""English questions whose owner is left out: «When is the deadline?», «How many credits?»"""

import re
from collections.abc import Sequence
from typing import Final

from clew.answering.rewriting import english
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.holders import holder
from clew.answering.rewriting.kinds import NO_KINDS, Kind, Kinds, fits
from clew.answering.rewriting.mentions import Mention
from clew.answering.rewriting.naming import Named, names_in
from clew.answering.rewriting.owners import owner_of
from clew.answering.rewriting.patterns import any_of, listed
from clew.answering.rewriting.window import Window

MAX_LENGTH: Final = 80  # characters

_AFTER: Final = r"\b(?P<after>['’]s\b|(?: [a-z]+)?)"
_OWNED: Final = any_of(" ".join(word.replace(" ", "_") for word in (*english.OWNERS, *english.ROLES)))
_THE_OWNED: Final = re.compile(rf"\bthe (?P<noun>(?:application |final |main )?{_OWNED}){_AFTER}", re.I)
_THE_THING: Final = re.compile(
    rf"\bthe (?P<noun>film|movie|course|scholarship|grant|programme|program|book|novel){_AFTER}", re.I
)
# What follows when the message says itself which: «the deadline for …», «the director who …».
_COMPLEMENT: Final = listed(
    "of for in to at from that who which whose about by on with between behind under where when as directed written",
    "made won based called named taught given selection hours office",
)
_HOW_MANY: Final = re.compile(rf"\s*how many (?P<noun>{_OWNED})\s*\??\s*", re.I)
_IS_THERE: Final = re.compile(
    rf"\s*(?P<asked>(?:is|are) there (?:an?|any|some) (?:\w+ )?(?P<noun>{_OWNED}))\s*\??\s*", re.I
)


def completed(message: str, window: Window) -> str | None:
    """``message`` with the owner that it leaves out; None if it leaves out none."""
    if not window.turns or len(message) > MAX_LENGTH:
        return None
    if match := _HOW_MANY.fullmatch(message):
        owner = _owner(match["noun"], window)
        return f"How many {match['noun']} does {owner.put('en')} have?" if owner else None
    if match := _IS_THERE.fullmatch(message):
        owner = _owner(match["noun"], window)
        return f"{match['asked']} for {owner.put('en')}?" if owner else None
    names = names_in(message, window.known)
    for match in (*_THE_OWNED.finditer(message), *_THE_THING.finditer(message)):
        if match["after"].strip().lower() not in _COMPLEMENT and (edit := _edit(match, names, window)):
            return apply(message, [edit])
    return None


def _edit(match: re.Match[str], names: Sequence[Named], window: Window) -> Edit | None:
    noun, end = match["noun"].lower(), match.end("noun")
    if match.re is _THE_THING:
        kinds = english.noun_kinds(noun)
        thing = None if _is_named(names, kinds, window) else _thing(kinds, window)
        return Edit(match.start(), end, thing.put("en")) if thing else None
    if _is_named(names, english.OWNERS.get(noun, NO_KINDS), window):
        return None
    newest = window.turns[0]
    if noun in english.ROLES and newest.asks_person and (person := holder(noun, [newest])):
        return Edit(match.start(), end, person.put("en"))
    owner = _owner(noun, window)
    return Edit(match.start(), end, f"the {match['noun']} of {owner.put('en')}") if owner else None


def _owner(noun: str, window: Window) -> Mention | None:
    kinds = english.OWNERS.get(noun.lower())
    return owner_of(window, kinds) if kinds else None


def _thing(kinds: Kinds, window: Window) -> Mention | None:
    """The newest thing that is known to be of the kind that a noun names."""
    mentions = (mention for turn in window.turns for mention in turn.mentions)
    return next((each for each in mentions if each.kind is not Kind.UNKNOWN and fits(each.kind, kinds)), None)


def _is_named(names: Sequence[Named], kinds: Kinds, window: Window) -> bool:
    """Whether the message itself names an owner."""
    return any(kind is Kind.UNKNOWN or fits(kind, kinds) for kind in (window.kind_of(name.text) for name in names))
