"""Which of the two languages a text is in."""

import re
from typing import Literal

Language = Literal["en", "zh"]

_HAN = re.compile(r"[㐀-䶿一-鿿]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def detect_language(text: str) -> Language:
    """``zh`` when Han characters weigh at least as much as Latin words, else ``en``.

    A Latin word counts as two characters, about what it takes in Chinese, so that
    «Inception 的导演是谁» is Chinese and «Who directed the film 卧虎藏龙?» is English.
    """
    han = len(_HAN.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    return "zh" if han and han >= 2 * latin else "en"
