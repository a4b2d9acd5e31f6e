"""How many tokens a text takes, for budgets and for models that do not say.

Byte-pair vocabularies first cut a text into words, runs of digits, punctuation and blanks, and then cut up
what is too rare to be one token. The estimate cuts the same way and reckons what a piece takes on average
by its kind and length. The averages are fitted to o200k_base; where they come from and how far the
estimate is off, for which vocabulary, is in docs/decisions/0017.
"""

import re
from functools import lru_cache
from math import ceil
from typing import Final

from clew.text.common_words import COMMON_WORDS

_WORD = re.compile(r"[A-Z]?[a-z]{1,24}|[A-Z]{1,24}(?![a-z])")  # bounded, since words are kept
_RARE_LETTER = re.compile(r"[jkqvwxz]")
_ACCENTED = re.compile(r"[\u00aa-\u024f\u1e00-\u1eff]")
_DIGITS = re.compile(r"([ \t]?)(\d+)")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]+")
_BLANKS = re.compile(r"\n\s*|[ \t]{2,}")
_HAN = re.compile(r"( ?)([\u3400-\u9fff\uf900-\ufaff]+)")
_RARE_HAN = re.compile(r"[\u3400-\u4dff\U00020000-\U0003ffff]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\u3130-\u318f\uac00-\ud7af]")
_OTHER_LETTER = re.compile(r"[\u0370-\u1dff]")
_SYMBOL = re.compile(r"[\u2000-\u2e7f\u3000-\u303f\uff00-\uffef]+")
_PICTURE = re.compile(r"[\U0001f000-\U0001faff]")

_SHORT: Final = 5  # letters up to which nearly every word is one token
_HAN_ALONE: Final = 1.04  # a character outside of every word that has a token of its own
_HAN_IN_WORD: Final = -1.5  # a common word saves its second character, and tells of others that are not listed
_HAN_LEAST: Final = 0.5  # tokens a character where all is common words
_LEVEL_TWO: Final = 0xD8  # GB 2312's first byte from which its 3,008 less common characters begin


def estimate_tokens(text: str) -> int:
    """Tokens of ``text``, within 15 % for a few hundred and more; never 0 for a text that is not empty."""
    han, other = estimate_by_script(text)
    return max(ceil(han + other), bool(text))


def estimate_by_script(text: str) -> tuple[float, float]:
    """The tokens of Chinese characters and those of all else, whose sum is the estimate."""
    return _han(text), _words(text) + _digits(text) + _signs(text)


def _words(text: str) -> float:
    """Latin letters."""
    return 1.1 * len(_ACCENTED.findall(text)) + sum(map(_word, _WORD.findall(text)))


@lru_cache(maxsize=4096)
def _word(word: str) -> float:
    """Short words are one token; names take more than words do."""
    length = len(word)
    if length == 1:
        return 1.0
    if word.islower():
        return 1.03 if length <= _SHORT else 1.13 if length < 10 else 1.45 + 0.13 * (length - 10)
    if word.isupper():
        return 0.6 + 0.2 * length
    if length <= _SHORT:
        return 1.1
    return 1.25 + 0.05 * (length - 6) + 0.25 * max(0, length - 9) + 0.45 * len(_RARE_LETTER.findall(word))


def _digits(text: str) -> float:
    """Three digits to a token; the blank before a number is one of its own."""
    return sum(-(-len(digits) // 3) + (0.8 if blank else 0) for blank, digits in _DIGITS.findall(text))


def _signs(text: str) -> float:
    """Punctuation, blanks that are more than one, other alphabets, pictures."""
    tokens = 0.0
    for run in _PUNCTUATION.finditer(text):
        end = run.end()
        # A sign before a word is now and then of one token with it.
        tokens += 0.6 if text[end : end + 1].isalpha() else 1.0
        tokens += 0.35 * max(0, end - run.start() - 2)
    for run in _BLANKS.finditer(text):
        blanks, before = run.group(), text[run.start() - 1 : run.start()]
        if blanks[0] == "\n":
            # After a sign, the line's end is of one token with it.
            tokens += 1.0 if before.isalnum() or not before else 0.2
        indent = len(blanks) - 1 - blanks.rfind("\n")
        tokens += (0.6 if indent > 1 else 0) + len(blanks) / 100
    tokens += sum(0.7 + 0.3 * len(run) for run in _SYMBOL.findall(text))
    tokens += 0.8 * len(_KANA_OR_HANGUL.findall(text)) + 0.4 * len(_OTHER_LETTER.findall(text))
    return tokens + 2.0 * len(_PICTURE.findall(text))


def _han(text: str) -> float:
    """Chinese: about a token a character, less the more of it is words that everybody uses."""
    tokens = 1.5 * len(_RARE_HAN.findall(text))
    for blank, run in _HAN.findall(text):
        common = sum(run[place : place + 2] in COMMON_WORDS for place in range(len(run) - 1))
        tokens += max(_HAN_LEAST * len(run), _HAN_ALONE * len(run) + _HAN_IN_WORD * common)
        tokens += 0.6 * len(blank)
        encoded = run.encode("gb2312", "ignore")
        tokens += sum(byte >= _LEVEL_TWO for byte in encoded[::2])
    return tokens
