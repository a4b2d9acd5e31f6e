"""Lists of names in an answer: «A, B and C», 《A》《B》和《C》, or a line each."""

import re
from collections.abc import Collection
from typing import Final

from clew.answering.rewriting.naming import Named, names_in

MAX_LISTED: Final = 12

_ALIAS: Final = re.compile(r" ?[(（][^()（）\n]{1,80}[)）]")
_MARK: Final = re.compile(r" ?\[\d{1,3}\]")
_BULLET: Final = r"[\s,，.。;；]*\n\s*(?:[-*•·–]|\d{1,2}[.)、．])?[\s\"“*]*"
_TOLD_BETWEEN: Final = r"(?:(?:released|published|(?:first )?shown|founded) in (?:\w+ )?\d{4}[\s,，]*)?"
_BETWEEN: Final = re.compile(
    rf"{_BULLET}|[\s,，]*{_TOLD_BETWEEN}(?:[,，、;；&]|\band\b|\bor\b|和|与|及|以及|还有|或)?\s*(?:\b[Tt]he\b)?\s*"
)
_MORE: Final = re.compile(r"(?:、|和|与|及|以及)([㐀-鿿]{2,4})(?=[、，。；,.;]|和|与|及|以及|$)")
_HAN: Final = re.compile(r"[㐀-鿿]")


def without_aliases(answer: str) -> str:
    """``answer`` without citation marks and without what stands in parentheses after a name."""
    return _ALIAS.sub("", _MARK.sub("", answer))


def lists_in(text: str, known: Collection[str]) -> list[list[str]]:
    """The lists of two or more names in ``text``, in order; ``text`` is without aliases."""
    found: list[list[Named]] = []
    for name in _with_rest(text, names_in(text, known)):
        last = found[-1][-1] if found else None
        if last and _BETWEEN.fullmatch(text, last.end, name.start) and (name.start > last.end or "《" in name.text):
            found[-1].append(name)
        else:
            found.append([name])
    return [[name.text for name in group[:MAX_LISTED]] for group in found if len(group) > 1]


def _with_rest(text: str, names: list[Named]) -> list[Named]:
    """``names``, and those in Chinese that only follow one in a list: A、B和C, of which C is not known."""
    starts = {name.start for name in names}
    found: list[Named] = []
    for name in names:
        found.append(name)
        if not _HAN.search(name.text) or name.text.startswith("《"):
            continue
        end = name.end
        while (match := _MORE.match(text, end)) and match.start(1) not in starts:
            found.append(Named(match[1], match.start(1), match.end(1)))
            end = match.end(1)
    return found
