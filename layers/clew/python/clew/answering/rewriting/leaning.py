"""Whether a message may lean on the turns before it, told cheaply."""

import re
from typing import Final

from clew.answering.rewriting.language import spoken
from clew.answering.rewriting.naming import names_in
from clew.answering.rewriting.patterns import any_of
from clew.answering.rewriting.repeating import asks_again
from clew.answering.rewriting.residue import residue, without_audience
from clew.answering.rewriting.small_talk import is_small_talk

MAX_MESSAGE: Final = 400  # characters; a longer message says itself what it is about
SHORT_ENGLISH: Final = 4  # words
SHORT_CHINESE: Final = 6  # characters

_POINTS: Final = any_of(
    "he she him his her hers it its they them their theirs this that these those there then same former latter other",
    "others another else more also too first second third fourth fifth last next previous earlier before again back",
    "one ones both either neither such so beginning above mentioned",
)
_EN: Final = re.compile(
    rf"\b{_POINTS}\b|^\W*(?:and|or|but|what about|how about|what of|why|instead)\b"
    # «the deadline», and not «the deadline of the Haiming Grant»
    r"|\bthe (?!(?:[\w'-]+ ){1,4}(?:of|for|in|to|at|from|that|who|which|by|on|behind)\b)[a-z]+",
    re.I,
)
_ASKS: Final = re.compile(
    rf"{any_of('who whose what which when where how is are was were do does did has have can')}\b", re.I
)
_ZH: Final = re.compile(
    r"[他她它其该此这那另也还呢再]|第[一二三四五六七八九十\d]|^(?:和|跟|与|比|是?谁)|"
    + any_of(
        "里面 片中 剧中 书中 两部 两个 两位 两门 两人 前者 后者 别的 同一 同样 同年 最后一 上一 下一",
        "刚才 刚刚 之前 前面 以前 开始 最初 当时 当年 继续 详细 回到",
    )
)


def may_lean_on_past(message: str) -> bool:
    """False only where ``message`` is small talk, long, or without a word that points anywhere.

    Generous: of those for which it is true, many stand alone.
    """
    text = message.strip()
    if len(text) > MAX_MESSAGE:
        return False
    language = spoken(text)
    if asks_again(text, language):
        return True
    if is_small_talk(text):
        return False
    if language == "zh":
        return bool(_ZH.search(text)) or len(text) <= SHORT_CHINESE or not residue(without_audience(text))
    if _EN.search(text):
        return True
    return len(text.split()) <= SHORT_ENGLISH and not (_ASKS.match(text) and names_in(text))
