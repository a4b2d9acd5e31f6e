"""Sentence borders in English and Chinese text."""

import re
from dataclasses import dataclass

# Words whose full stop does not end a sentence; single capitals ("J. R. R.") are handled in the pattern.
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof st sr jr vs etc e.g i.e no vol fig dept univ inc ltd co approx ca cf al""".split()  # noqa: SIM905
)
_CANDIDATE = re.compile(r"[。！？；!?…]+[”’」』）)\"']*|\.(?=[\s\"'”’)]|$)[\"'”’)]*|\n+")
_LAST_WORD = re.compile(r"([\w.]+)$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands: ``text == whole[start:end]`` with outer white space cut off."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of ``text`` in order; a line break ends one too, so headings stand alone."""
    sentences: list[Sentence] = []
    begin = 0
    for match in _CANDIDATE.finditer(text):
        if match.group().startswith(".") and _is_abbreviation(text, match.start()):
            continue
        _append(sentences, text, begin, match.end())
        begin = match.end()
    _append(sentences, text, begin, len(text))
    return sentences


def _is_abbreviation(text: str, dot: int) -> bool:
    word = _LAST_WORD.search(text, max(0, dot - 24), dot)
    if word is None:
        return False
    token = word.group()
    return (len(token) == 1 and token.isupper()) or token.lower() in _ABBREVIATIONS


def _append(sentences: list[Sentence], text: str, begin: int, end: int) -> None:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        sentences.append(Sentence(text[begin:end], begin, end))
