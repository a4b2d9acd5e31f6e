"""A pronoun or demonstrative in a message, and the name that it stands for."""

from dataclasses import dataclass
from typing import Literal

from clew.answering.rewriting.antecedents import antecedent, called, group, of_pair
from clew.answering.rewriting.edits import joined
from clew.answering.rewriting.holders import holder
from clew.answering.rewriting.kinds import PEOPLE, PLACES, THINGS, Kind, Kinds, fits
from clew.answering.rewriting.mentions import Gender, Mention
from clew.answering.rewriting.recalling import recalled_as
from clew.answering.rewriting.window import Window
from clew.text.language import Language


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a pronoun stands and what it wants.

    ``noun`` is what a demonstrative calls the thing; ``owns`` tells a possessive, and ``of_things`` that a
    plural may mean things without a word that says so.
    """

    start: int
    end: int
    wanted: Kinds
    plural: bool = False
    owns: bool = False
    gender: Gender = ""
    noun: str = ""
    pair: Literal["", "former", "latter", "other"] = ""
    of_things: bool = True

    @property
    def group(self) -> str:
        """References of one group mean the same name, which the first of them is replaced by."""
        return "plural" if self.plural else "person" if self.wanted == PEOPLE else "thing"


def meant(reference: Reference, said: Kinds, message: str, window: Window, language: Language) -> str:
    """The name or names that ``reference`` stands for, to be put into a sentence; empty where no turn has one.

    ``said`` are the kinds of things that the message may be said of.
    """
    wanted = reference.wanted
    if reference.pair:
        found = of_pair(reference.pair, window, wanted)
    elif reference.plural:
        return joined(_several(reference, said, window), language)
    elif reference.noun and wanted != PEOPLE:
        found = called(reference.noun, window) or antecedent(window, wanted, strict=True)
    elif reference.noun and (known := holder(reference.noun, window.turns)):
        found = known
    else:
        strict = bool(reference.noun)
        found = antecedent(window, wanted, preferred=said & wanted, strict=strict, gender=reference.gender)
    if found is None and reference.noun:
        found = recalled_as(reference.noun, wanted, message, window)
    return found.put(language) if found else ""


def _several(reference: Reference, said: Kinds, window: Window) -> list[Mention]:
    """Persons first; a list of things where what is said can be said of them; one person where there is no list."""
    wanted = reference.wanted
    if reference.noun or not wanted & PEOPLE:
        return group(window, wanted)
    persons = group(window, PEOPLE)
    if persons and all(each.kind is Kind.PERSON for each in persons):
        return persons
    things = group(window, THINGS & wanted)
    # «They sell coffee» is said of people; «Are they open?», «Who teaches them?» may be said of things.
    told = any(fits(each.kind, said) for each in things) if said else reference.of_things
    if things and told and (said or not things[0].age):
        return things
    one = antecedent(window, PEOPLE, strict=True) or _institution(window)
    return [one] if one else []


def _institution(window: Window) -> Mention | None:
    """The office or school of the newest question: «Do they take applications?»"""
    asked = window.turns[0].asked if window.turns else []
    return next((mention for mention in asked if mention.kind in PLACES), None)
