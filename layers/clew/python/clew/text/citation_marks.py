"""The marks by which an answer refers to evidence: a passage's number in brackets."""

import re
from typing import Final

LONGEST: Final = 40
"""Characters of a mark: a list of ten numbers with commas and blanks takes 31."""

MOST_BLANKS: Final = 8  # before a mark that go with it; more are layout
BLOCK: Final = 3  # backticks that open a block of code, which goes on over lines

_OPENING: Final = r"\[【［"
_CLOSING: Final = r"\]】］"
_BLANKS: Final = " \t\xa0\u2009\u202f\u3000"
_DIGITS: Final = "0-9０-９"
_COMMAS: Final = ",，、;；"
_DASHES: Final = "‐‑–—~～-"

_BLANK: Final = f"[{_BLANKS}]*"
_NUMBER: Final = f"([{_DIGITS}]{{1,3}})"
_ITEM: Final = f"{_NUMBER}(?:{_BLANK}[{_DASHES}]{_BLANK}{_NUMBER})?"
_PLACE: Final = rf"(?:†[^{_OPENING}{_CLOSING}`\n]*)?"  # within the source, as some models write it
_MARK: Final = re.compile(
    rf"[{_OPENING}](?P<numbers>{_BLANK}{_ITEM}(?:{_BLANK}[{_COMMAS}]{_BLANK}{_ITEM})*){_BLANK}{_PLACE}[{_CLOSING}]"
)
_OPEN: Final = re.compile(rf"[{_OPENING}][{_DIGITS}{_BLANKS}{_COMMAS}{_DASHES}]*{_PLACE}\Z")
_CUT: Final = re.compile(rf"[{_OPENING}][{_BLANKS}]*[{_DIGITS}]")  # what the end of the answer cut off
_ITEMS: Final = re.compile(_ITEM)
_SIGN: Final = re.compile(rf"[{_OPENING}\n]|`+")
_INLINE: Final = re.compile(r"(?<!`)(`{1,2})(?!`)(?P<closed>[^\n]*?(?<!`)\1(?!`))?")


class MarkFilter:
    """Passes on an answer as it arrives, and of its citation marks those of 1 to ``passages``, as ``[1][3]``.

    A mark is one to three digits in brackets, several of them with commas or as a range, in ASCII or full width:
    ``[1, 3]``, ``[1-3]``, ``【1】``. Numbers that cite nothing go, and with a mark of which none is left the blanks
    before it. No marks, and left alone, are longer numbers, which are years; what stands between backticks, which is
    code; the text of a link, ``[1](…)``; and ranges that go down or begin at 0. A mark that the end of the answer cuts
    off goes too.

    What comes out does not depend on how the answer is cut, and given once more comes out unchanged. Held back are
    at most the ``LONGEST`` characters of a mark and the blanks before it.
    """

    def __init__(self, passages: int) -> None:
        self._passages = passages
        self._numbers: set[int] = set()
        self._held = ""
        self._out = ""  # what this piece lets pass
        self._before = ""  # the end of what passed before
        self._ticks = 0  # of a run of backticks that may go on
        self._code = 0  # backticks that opened the code that goes on
        self._skips_blanks = False  # after a mark that began its line and has gone

    @property
    def numbers(self) -> frozenset[int]:
        """What is cited by what was passed on."""
        return frozenset(self._numbers)

    def take(self, text: str) -> str:
        """What can be passed on now that ``text`` has arrived."""
        return self._pass(text, last=False)

    def end(self) -> str:
        """What was held back, now that the answer is over."""
        return self._pass("", last=True)

    def _pass(self, arrived: str, *, last: bool) -> str:
        text = self._held + arrived
        if self._skips_blanks:
            text = text.lstrip(_BLANKS)
        if not text:
            return ""
        self._skips_blanks = False
        if self._ticks and text[0] != "`":
            self._open_or_close_code()
        self._out, at = "", 0
        while sign := _SIGN.search(text, at):
            self._out += text[at : sign.start()]
            at = sign.start()
            if self._code or sign[0] == "\n" or sign[0][0] == "`":
                at = self._plain(text, sign)
            elif last or _is_decided(text, at):
                at = self._bracket(text, at)
            else:
                break
        else:
            self._out += text[at:]
            at = len(text)
        passed = self._out if last or self._code else _without_blanks(self._out)
        self._held = self._out[len(passed) :] + text[at:]
        self._out = passed
        self._before = self._left()
        return passed

    def _plain(self, text: str, sign: re.Match[str]) -> int:
        """Pass on a line's end, backticks, or a bracket within code; where the text goes on."""
        self._out += sign[0]
        if sign[0] == "\n":
            self._code = self._code if self._code >= BLOCK else 0
        elif sign[0][0] == "`":
            self._ticks += len(sign[0])
            if sign.end() < len(text):
                self._open_or_close_code()
        return sign.end()

    def _open_or_close_code(self) -> None:
        if not self._code:
            self._code = self._ticks
        elif self._ticks == self._code or self._ticks > self._code >= BLOCK:
            self._code = 0
        self._ticks = 0

    def _bracket(self, text: str, at: int) -> int:
        """Pass on what of the mark at ``at`` cites, or the bracket alone if it begins none; where the text goes on."""
        mark = _MARK.match(text, at, at + LONGEST)
        if mark is None and len(text) - at < LONGEST and _OPEN.match(text, at) and _CUT.match(text, at):
            return self._remove(text, len(text), "")
        follows = text[mark.end() : mark.end() + 1] if mark else ""
        numbers = _numbers(mark["numbers"], self._passages) if mark and follows != "(" else None
        if mark is None or numbers is None:
            self._out += text[at]
            return at + 1
        self._numbers.update(numbers)
        if numbers:
            self._out += "".join(f"[{number}]" for number in numbers)
            return mark.end()
        return self._remove(text, mark.end(), follows)

    def _remove(self, text: str, end: int, follows: str) -> int:
        """Leave out a mark that ends at ``end``, in such a way that what is left and right of it forms no other."""
        if _OPEN.search(self._left()):
            self._out += "[]"
            return end
        self._out = _without_blanks(self._out)
        left = self._left()
        if left.endswith("`") and follows == "`":
            self._out += " "
        if not left or left.endswith("\n"):
            rest = text[end:].lstrip(_BLANKS)
            self._skips_blanks = not rest
            return len(text) - len(rest)
        return end

    def _left(self) -> str:
        """The end of all that has passed, as long as a mark may be."""
        return (self._before + self._out[-LONGEST:])[-LONGEST:]


def without_marks(answer: str) -> str:
    """``answer`` without its citation marks and the blanks before them."""
    marks = MarkFilter(0)
    return marks.take(answer) + marks.end()


def cited_numbers(answer: str, passages: int) -> tuple[int, ...]:
    """The numbers of 1 to ``passages`` that ``answer`` cites, in order and each once.

    In a whole answer it can be told that a backtick opens no code, since nothing closes it.
    """
    marks = MarkFilter(passages)
    marks.take(_INLINE.sub(lambda code: code[0] if code["closed"] else "'", answer))
    marks.end()
    return tuple(sorted(marks.numbers))


def _is_decided(text: str, at: int) -> bool:
    """Whether it can be told by now if the bracket at ``at`` begins a mark."""
    mark = _MARK.match(text, at, at + LONGEST)
    if mark:
        return mark.end() < len(text)
    return len(text) - at >= LONGEST or not _OPEN.match(text, at)


def _numbers(listed: str, passages: int) -> tuple[int, ...] | None:
    """The numbers of a mark that cite something, each once; None if it is no mark, for one of its ranges is none."""
    numbers: dict[int, None] = {}
    for item in _ITEMS.finditer(listed):
        first, last = int(item[1]), int(item[2] or item[1])
        if item[2] and not 0 < first < last:
            return None
        numbers |= dict.fromkeys(range(max(1, first), min(last, passages) + 1))
    return tuple(numbers)


def _without_blanks(text: str) -> str:
    """``text`` without the blanks at its end, ``MOST_BLANKS`` of them at most."""
    return text[: max(len(text.rstrip(_BLANKS)), len(text) - MOST_BLANKS)]
