"""Which language a message is spoken in, when names of the other one stand in it."""

import re
from typing import Final

from clew.answering.rewriting.patterns import any_of
from clew.text.language import Language, detect_language

_TITLE: Final = re.compile(r"《[^》]*》")
_WORDS: Final = any_of(
    "and but or so what how who whose which when where why is are was were do does did has have can could in for of",
    "about",
)
_ENGLISH: Final = re.compile(rf"\s*{_WORDS}\b", re.I)
_CHINESE: Final = re.compile(r"[呢吗吧谁哪几那这他她它]|什么|怎么|多少|为何|如何|的")


def spoken(message: str) -> Language:
    """``zh`` for «那 Interstellar 呢？», ``en`` for «What about 蓝海奖学金?»: small words tell more than many."""
    said = _TITLE.sub("", message)
    if _ENGLISH.match(said):
        return "en"
    return "zh" if _CHINESE.search(said) else detect_language(message)
