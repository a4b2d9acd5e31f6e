"""English pronouns and demonstratives: «he», «its», «this film», «the same director», «the latter»."""

import re
from collections.abc import Iterator
from typing import Final

from clew.answering.rewriting import english
from clew.answering.rewriting.edits import Edit, apply
from clew.answering.rewriting.idle_it import idle_places
from clew.answering.rewriting.inside_english import refers_inside
from clew.answering.rewriting.kinds import ANYTHING, PEOPLE, THINGS
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.references import Reference, meant
from clew.answering.rewriting.window import Window

_PRONOUN: Final = re.compile(
    r"\b(?:(?P<person>he|she|him|his|hers|her)|(?P<thing>its?)|(?P<plural>they|them|theirs?))\b", re.I
)
_DEMONSTRATIVE: Final = re.compile(
    r"\b(?P<word>this|that|the same|these|those|both)"
    r" (?:(?:very|same|particular|specific|two|three|four) )?(?P<noun>[a-z-]+)\b",
    re.I,
)
_AUXILIARY: Final = any_of("is are was were has have had do did does can may will")
_THESE: Final = re.compile(
    r"(?:\bof (?P<these>these|those|the (?:two|three|four))|\b(?P<both>both))"
    rf"(?= {_AUXILIARY}\b|[?.,!]|$)|\b(?P<two>the (?:two|three|four))(?=\s*[?.!]*$)",
    re.I,
)
# «Which one has more credits?» of what was just listed.
_WHICH_ONE: Final = re.compile(r"^\W*(?:and )?which (?P<one>one)\b(?! of\b)", re.I)
_ARE_THEY: Final = re.compile(r"\b(?:are|were) they\b|\bthey (?:are|were|cost)\b", re.I)
_LAST_WORD: Final = re.compile(r"(?<=[a-z] )(?:this|that)(?=\s*[?.!]*$)", re.I)
_PAIR: Final = re.compile(r"\bthe (?P<which>former|latter)\b(?! (?:student|animator))", re.I)
_OTHER: Final = re.compile(r"\bthe other(?: one| (?P<noun>[a-z-]+))?(?=[ '’?.,!]|$)", re.I)
# «I heard that course selection …»: a conjunction, no demonstrative.
_REPORTS: Final = re.compile(
    r"\b"
    + any_of("heard hear said say says think thought know knew told tell_me mean means sure true believe read so aware")
    + r"\s+$",
    re.I,
)
# «the film that course teachers show»
_RELATIVE: Final = re.compile(r"\b(?:the|an?|any|some|every|each|no) [\w-]+ $", re.I)
# What follows «her» when it is no possessive.
_NOT_OWNED: Final = any_of(
    "and or in on at to for with from by about before after when where as too also first there then now again most",
    "direct win play teach work study write",
)


def resolve(message: str, window: Window) -> str:
    """``message`` with the names that its pronouns stand for; those that refer inside it, or to nothing, stay."""
    if window.turns and window.listed(0, ANYTHING):
        message = _WHICH_ONE.sub(lambda which: which.group()[: -len(which["one"])] + "of these", message)
    names = names_in(message, window.known)
    said = english.kinds_said_of(message)
    edits: list[Edit] = []
    done: set[str] = set()
    for reference in sorted(_references(message), key=lambda each: (each.start, each.start - each.end)):
        if any(name.start < reference.end and reference.start < name.end for name in names):
            continue
        if reference.group in done or refers_inside(message, reference, names, window):
            done.add(reference.group)
            continue
        if text := meant(reference, said, message, window, "en"):
            edits.append(Edit(reference.start, reference.end, f"{text}'s" if reference.owns else text))
            done.add(reference.group)
    return apply(message, edits)


def _references(message: str) -> Iterator[Reference]:
    idle = idle_places(message)
    for match in _PRONOUN.finditer(message):
        if not _is_title(message, match.start()) and not (match["thing"] and match.start() in idle):
            yield _pronoun(message, match)
    for match in _DEMONSTRATIVE.finditer(message):
        wanted = english.noun_kinds(match["noun"])
        before = message[: match.start()]
        if wanted and not _REPORTS.search(before) and not (match["word"] == "that" and _RELATIVE.search(before)):
            plural = match["word"].lower() in ("these", "those", "both")
            yield Reference(*match.span(), wanted, plural, noun=match["noun"].lower())
    for match in _THESE.finditer(message):
        yield Reference(*match.span(match.lastgroup or 0), ANYTHING, plural=True)
    if (last := _LAST_WORD.search(message)) and english.kinds_said_of(message):
        yield Reference(*last.span(), THINGS)
    yield from _pairs(message)


def _is_title(message: str, start: int) -> bool:
    """Whether a pronoun has a capital inside a sentence: «Who directed Her?»"""
    before = message[:start].rstrip(" \"'“‘(")
    return message[start].isupper() and bool(before) and not before.endswith((".", "?", "!", ":"))


def _pronoun(message: str, match: re.Match[str]) -> Reference:
    start, end = match.span()
    word = match.group().lower()
    if match["person"]:
        # «her first film», and not «taught her»
        owned = word == "her" and re.match(rf"\s+(?!{_NOT_OWNED}\b)[a-z]", message[end:])
        owns = word in ("his", "hers") or bool(owned)
        return Reference(start, end, PEOPLE, owns=owns, gender="m" if word in ("he", "him", "his") else "f")
    if match["thing"]:
        return Reference(start, end, THINGS, owns=word == "its")
    of_things = word != "they" or bool(_ARE_THEY.search(message))
    return Reference(start, end, ANYTHING, plural=True, owns=word.startswith("their"), of_things=of_things)


def _pairs(message: str) -> Iterator[Reference]:
    for match in _PAIR.finditer(message):
        following = re.match(r" ([a-z-]+)", message[match.end() :])
        if not following or following[1] not in english.ROLES:  # «the former president» is one person
            yield Reference(*match.span(), ANYTHING, pair="former" if match["which"].lower() == "former" else "latter")
    for match in _OTHER.finditer(message):
        noun = match["noun"] or ""
        wanted = english.noun_kinds(noun) if noun else ANYTHING
        if wanted and not noun.endswith("s"):
            yield Reference(*match.span(), ANYTHING if noun == "one" else wanted, pair="other")
