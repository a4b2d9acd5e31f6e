"""Names in a message, told by how they are written or known from the turns before."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from clew.answering.rewriting.patterns import listed

MAX_NAMES: Final = 40  # in one text

_WORD: Final = r"[A-Z0-9](?:[^\W㐀-鿿]|['’.&-])*"
_HAN: Final = r"(?:(?![和与及由是为在的])[㐀-鿿])"
_PATTERN: Final = re.compile(
    r"《[^《》\n]{1,80}》|“[^“”\n]{1,80}”|\"[^\"\n]{1,80}\""
    rf"|{_WORD}(?:(?: (?:(?:of|the|de|del|van|von) )*|: ){_WORD})*"
    rf"|{_HAN}{{1,6}}(?:·(?:{_HAN}|[A-Z]){{1,6}})+"
)
# Capitals that begin a sentence, or are written so by custom, and name nothing that a pronoun could mean.
_NO_NAME: Final = listed(
    "a about also an and any anyone anything are as at back both but by can compare could describe did do does",
    "during either else even every everyone explain find for from general give going good great had has have hello",
    "here hi him his her how however i i'd i'll i'm i've if in is it its it's just know let like list may me might",
    "more most much must my name never next no none not now of oh ok okay on one only or other our please pray",
    "quite rather really regarding returning say shall she he should show since so some someone something sorry",
    "speaking still such sure talking tell than thank thanks that that's the their them then there these they this",
    "those though thus to too under until up us very was we well were what what's when when's where where's whether",
    "which while who who's whom whose why will with without would yes yet you your gpa faq english chinese french",
    "german japanese korean mandarin british american asian european",
)
_FIRST_WORD: Final = re.compile(r"[^\s:]+")
_AFTER_COLON: Final = re.compile(r": (\w+).*")


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text and where it stands; ``text`` is without quotation marks, 《》 kept."""

    text: str
    start: int
    end: int


def names_in(text: str, known: Collection[str] = ()) -> list[Named]:
    """The names in ``text``, in order, none within another; ``known`` ones count however they are written.

    At most MAX_NAMES are told by their writing.
    """
    found = [*_known(text, known), *islice(_spelt(text), MAX_NAMES)]
    # The longest first; but a foreign name in Chinese has no sure border, so a known one counts before it.
    found.sort(key=lambda name: ("·" in name.text and name.text not in known, name.start - name.end, name.start))
    kept: list[Named] = []
    for name in found:
        if not any(name.start < other.end and other.start < name.end for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


def _known(text: str, known: Iterable[str]) -> Iterator[Named]:
    low = text.lower()
    for name in known:
        start = low.find(name.lower()) if len(name) > 1 and len(low) == len(text) else -1
        if start >= 0 and _is_whole(text, start, start + len(name)):
            yield Named(text[start : start + len(name)], start, start + len(name))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no Latin word reaches over either border."""
    before, after = text[:start][-1:], text[end : end + 1]
    return not (
        (before.isascii() and before.isalnum() and text[start].isascii())
        or (after.isascii() and after.isalnum() and text[end - 1].isascii())
    )


def _spelt(text: str) -> Iterator[Named]:
    for match in _PATTERN.finditer(text):
        name, start, end = match.group(), match.start(), match.end()
        if name[0] in '《“"' or "·" in name:
            yield Named(name.strip('“”"'), start, end)
            continue
        name = _without_opening(name, begins=_begins_sentence(text, start))
        start = end - len(name)
        # «Inception: Who …»
        name = _AFTER_COLON.sub(lambda rest: "" if rest[1].lower() in _NO_NAME else rest.group(), name)
        name = re.sub(r"['’]s$", "", name.rstrip(".:'’"))
        if _is_name(name, text, start):
            yield Named(name, start, start + len(name))


def _without_opening(name: str, *, begins: bool) -> str:
    """``name`` without the words that have a capital only because they begin a sentence: «Did», «In».

    «The» inside a sentence belongs to a title.
    """
    while (word := _FIRST_WORD.match(name)) and word.group().rstrip(".,'’").lower() in _NO_NAME:
        if not begins and word.group() == "The" and " " in name:
            break
        name = re.sub(r"^(?:[a-z]+ )+", "", name[word.end() :].lstrip(" :"))
    return name


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 40) : start].rstrip(" \"'“‘([{")
    return not before or before.endswith((".", "!", "?", ":"))


def _is_name(name: str, text: str, start: int) -> bool:
    if not any(character.isalpha() for character in name):
        return False
    if " " in name or any(character.isdigit() for character in name):
        return True
    begins = _begins_sentence(text, start)
    # One word at the beginning of a sentence may be any word; alone before a question mark it is a name.
    return len(name) > 1 and (not begins or not re.match(r"[\s,]*[a-z]", text[start + len(name) : start + 60]))
