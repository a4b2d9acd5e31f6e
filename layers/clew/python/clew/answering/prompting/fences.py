"""The fences of a prompt, within which all is data, and texts in which nothing can be taken for their markers."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from clew.text.inert_text import inert

FENCE_OPEN: Final = "<evidence>"
FENCE_CLOSE: Final = "</evidence>"
MEMORY_OPEN: Final = "<remembered>"
MEMORY_CLOSE: Final = "</remembered>"

# The markers as a model may still read them: any case and width, blanks, marks or what is not seen inside, and
# letters and signs that look like theirs.
_NAMES: Final = ("EVIDENCE", "REMEMBERED")
# Most tags are told from markers by the first sign after the bracket already.
_FOLLOWS: Final = r"(?=[/\\⁄∕⧸╱]?(?:[eErR3]|[^!-~]))"
_SIGN: Final = re.compile(
    "[<\u226e\ufe64\uff1c\u2039\u02c2\u1438\u2329\u3008\u27e8\u276c\u276e\u2770\u29fc]" + _FOLLOWS
)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Me", "Mn", "Zl", "Zp", "Zs"})  # categories of Unicode
_FILLERS: Final = "\u115f\u1160"  # letters by their category, yet blank
_LOOKALIKES: Final = {
    "/": "\\⁄∕⧸╱",
    "B": "ВвΒβʙᏴꓐ8",
    "C": "СсϹϲᴄᏟꓚ",
    "D": "ԀԁᴅᎠꓓ",
    "E": "ЕеΕεɛƐᴇᎬꓰ℮3",
    "I": "ІіΙιӀӏıɪᏆꓲLlⅼ1|",
    "M": "МмΜᴍᎷꓟ",
    "N": "ΝɴꓠՈո",
    "R": "ʀᎡꓣᖇг",
    "V": "ѴѵνᴠᏙꓦ∨",
}
_SHOWN: Final = {alike: plain for plain, all_alike in _LOOKALIKES.items() for alike in all_alike}
_LETTER_SIGNS: Final = (0x1F150, 0x1F170, 0x1F1E6)  # where A to Z begin that Unicode does not decompose: 🅐, 🅰, 🇦


def bare(text: str) -> str:
    """The text as data: inert, and with a parenthesis for the angle bracket of what looks like a fence's marker."""
    text = inert(text)
    return _SIGN.sub(lambda sign: "(" if _names_a_fence(text, sign.end()) else sign.group(), text)


def _names_a_fence(text: str, start: int) -> bool:
    """Whether the name of a fence, after a slash or none, is what a reader sees from ``start`` on."""
    read = ""
    for at in range(start, len(text)):
        read += _seen(text[at])
        name = read.removeprefix("/")
        if name.startswith(_NAMES):
            return True
        if not any(each.startswith(name) for each in _NAMES):
            return False
    return False


@lru_cache(maxsize=1_024)
def _seen(character: str) -> str:
    """The plain capital letters or signs that a character shows; empty for marks, blanks and what is not seen."""
    for first in _LETTER_SIGNS:
        if first <= ord(character) < first + 26:
            return chr(ord("A") + ord(character) - first)
    plain = unicodedata.normalize("NFKD", _SHOWN.get(character, character))
    shown = "".join(_SHOWN.get(each, each.upper()) for each in plain)
    return "".join(each for each in shown if each not in _FILLERS and unicodedata.category(each) not in _UNSEEN)
