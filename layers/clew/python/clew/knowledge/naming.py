"""Names in running text and in titles, and which of them are spellings of one thing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final

from clew.text.names import name_key
from clew.text.sentences import split_sentences
from clew.text.terms import STOP_WORDS

MAX_NAME_CHARACTERS: Final = 80

_HAN = r"㐀-䶿一-鿿"
_CJK = re.compile(rf"[{_HAN}぀-ヿ가-힣]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_TITLE_WITH_OTHER = re.compile(r"^(?P<main>[^()（）]+?)\s*[(（](?P<others>[^()（）]+)[)）]\s*$")
_CODE_AND_NAME = re.compile(r"^(?P<code>[A-Z]{2,6}-?\d{2,4}[A-Z]?)\s+(?P<name>\S.*)$")

# Every repetition is bounded: text without an end in sight, such as a dump of capitals, would take quadratic time.
_CAPITALISED = r"(?:[A-ZÀ-Þ]\.|[A-ZÀ-Þ][A-Za-z0-9À-ɏ'’&]{0,40}(?:-[A-Za-z0-9À-ɏ'’]{1,40}){0,4})"
_LINK = r"(?:of\s+the|of|de\s+la|de|la|le|du|à|van|von|der|den|bin|ibn|al)"
_LATIN_NAME = rf"{_CAPITALISED}(?:\s{{1,4}}(?:{_LINK}\s{{1,4}})?{_CAPITALISED}){{0,15}}(?:\s{{1,4}}Jr\.)?"
_DOTTED = rf"[{_HAN}]{{1,40}}(?:[·-][{_HAN}]{{1,40}}){{1,8}}"
_PATTERNS = (
    # 《盗梦空间》（Inception）
    re.compile(r"《(?P<a>[^《》]{1,60})》\s*[(（](?P<b>[^()（）]{1,80})[)）]"),
    # 克里斯托弗·诺兰（Christopher Nolan）, and an undotted name where no Chinese character stands before it
    re.compile(rf"(?P<a>{_DOTTED}|(?<![{_HAN}·])[{_HAN}]{{2,4}})\s*[(（](?P<b>{_LATIN_NAME})[)）]"),
    # Christopher Nolan (克里斯托弗·诺兰), Inception (盗梦空间)
    re.compile(rf"(?P<a>{_LATIN_NAME})\s*[(（]《?(?P<b>[{_HAN}][{_HAN}·0-9：:，,-]{{0,40}})》?[)）]"),
)
_WORK = re.compile(r"《([^《》]{1,60})》")
_TRANSLITERATED = re.compile(_DOTTED)
_LATIN_NAMES = re.compile(_LATIN_NAME)
# «Frank Sinatra's Capitol Records» names two; «Schindler's List» is one name.
_OWNED = re.compile(r"^(?P<owner>\S+ .*?\w)['’]s (?P<owned>.+)$")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
# Chinese text joins a dotted name to what stands before it («英国作家尼尔·盖曼», «由汉斯·季默»):
# the name begins after the last of these.
_ZH_BEFORE_NAME = re.compile(r"^.*[由的是和与为了在请让被把及跟以当从对给自于家者员叫位演](?=[^·-]+[·-])")

# The same before an undotted one: «由李安（Ang Lee）», «导演李安（Ang Lee）». Characters that are surnames too stay.
_ZH_BEFORE_SHORT_NAME = re.compile(
    rf"^(?:[由的是与为在请让被把跟以从给自]|导演|编剧|作曲|演员|作家|歌手)(?=[{_HAN}]{{2,3}}$)"
)


@dataclass(frozen=True, slots=True)
class Names:
    """The spellings of one thing, the main one first."""

    main: str
    others: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (self.main, *self.others)


def title_names(title: str) -> Names:
    """The names in a title: ``Inception (盗梦空间)``, ``CS201 Data Structures (数据结构)``, ``李安（Ang Lee）``.

    Only a parenthesis in another script gives a name; ``(2010 film)`` or ``(composer)`` tells things of one
    name apart.
    """
    main, others = " ".join(title.split()), []
    if match := _TITLE_WITH_OTHER.match(main):
        main = match["main"].strip()
        others = [name for name in _split_list(match["others"]) if _other_script(main, name)]
    main = main.strip('《》「」"“”')
    if match := _CODE_AND_NAME.match(main):
        others = [match["code"], match["name"].strip(), *others]
    return Names(main, tuple(dict.fromkeys(name for name in others if is_name(name) and name != main)))


def paired_names(text: str) -> list[Names]:
    """Names that the text gives in both scripts, as ``Hans Zimmer (汉斯·季默)`` or ``《活着》（To Live）``."""
    pairs: list[Names] = []
    for pattern, sentence in product(_PATTERNS, split_sentences(text)):
        for match in pattern.finditer(sentence.text):
            first, second = _trimmed(match["a"].strip()), match["b"].strip()
            others = [name for name in _split_list(second) if is_name(name)]
            if is_name(first) and others and bool(_CJK.search(first)) != bool(_CJK.search(others[0])):
                pairs.append(Names(first, tuple(others)))
    return pairs


def free_names(text: str) -> list[str]:
    """Names that need no dictionary: works in 《》, dotted transliterations, capitalised words in a row."""
    names = _WORK.findall(text) + [_trimmed(name) for name in _TRANSLITERATED.findall(text)]
    for sentence in split_sentences(text):
        for match in _LATIN_NAMES.finditer(sentence.text):
            owned = _OWNED.match(match.group())
            found = map(_trimmed, owned.groups() if owned else (match.group(),))
            names.extend(name for name in found if " " in name)
    return [name for name in dict.fromkeys(names) if is_name(name)]


def works(text: str) -> list[str]:
    """Titles that stand in 《》."""
    return _WORK.findall(text)


def short_names(spellings: Iterable[str]) -> list[str]:
    """Family names of people: a dotted Chinese name tells that a person is meant, 诺兰 of 克里斯托弗·诺兰 and Nolan."""
    names = list(spellings)
    dotted = [name for name in names if re.fullmatch(_DOTTED, name)]
    if not dotted:
        return []
    last = [re.split(r"[·-]", name)[-1] for name in dotted]
    last += [name.split()[-1] for name in names if re.fullmatch(_LATIN_NAME, name) and " " in name]
    return [name for name in dict.fromkeys(last) if is_name(name)]


def is_name(name: str) -> bool:
    """Long enough to tell something apart, short enough to be a name."""
    key = name_key(name)
    if not key or len(name) > MAX_NAME_CHARACTERS or key.isdigit():
        return False
    if _CJK.search(key):
        return len(key) >= 2
    return len(key) >= 2 and not all(word in STOP_WORDS for word in key.split())


def _trimmed(name: str) -> str:
    """``name`` without what running text puts around it: «In Memento», «Frank Sinatra's», «由汉斯·季默»."""
    words = name.split(" ")
    while len(words) > 1 and words[0].lower() in STOP_WORDS and words[0].lower() not in ("the", "a"):
        words.pop(0)
    return _ZH_BEFORE_SHORT_NAME.sub("", _ZH_BEFORE_NAME.sub("", _POSSESSIVE.sub("", " ".join(words))))


def _split_list(text: str) -> list[str]:
    """Names of a list; a comma divides only where the script changes, since titles hold commas."""
    parts: list[str] = []
    for part in re.split(r"\s*[;；/／、|]\s*", text):
        pieces = re.split(r"\s*[,，]\s*", part)
        current = pieces[0]
        for piece in pieces[1:]:
            if _other_script(current, piece):
                parts.append(current)
                current = piece
            else:
                current += ", " + piece
        parts.append(current)
    return [part.strip(' 《》「」"“”') for part in parts if part.strip(" 《》")]


def _other_script(one: str, other: str) -> bool:
    return bool(_CJK.search(one)) != bool(_CJK.search(other)) or _changes_kana(one, other)


def _changes_kana(one: str, other: str) -> bool:
    kana = re.compile(r"[぀-ヿ가-힣]")
    return bool(kana.search(one)) != bool(kana.search(other))
