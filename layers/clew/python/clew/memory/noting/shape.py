"""A summary as text: bullet lines under headings, in English or Chinese, and read back from it.

A model may have written the text, so reading takes other bullets, other words for a heading and plain prose too.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from clew.memory.noting.note import Kind, Note, one_line
from clew.memory.noting.rules import overrides
from clew.memory.noting.third_person import read_telling
from clew.text.language import Language, detect_language
from clew.text.sentences import split_sentences

HEADINGS: Final[dict[Kind, dict[Language, str]]] = {
    "said": {"en": "The user said", "zh": "用户说过"},
    "preference": {"en": "Preferences", "zh": "偏好"},
    "decision": {"en": "Decisions", "zh": "决定"},
    "request": {"en": "Requests", "zh": "要求"},
    "asked_back": {"en": "Asked of the user", "zh": "向用户询问"},
    "open": {"en": "Open questions", "zh": "未答的问题"},
    "earlier": {"en": "Earlier", "zh": "此前"},
    "topic": {"en": "Asked about", "zh": "问过"},
}
"""In the order in which they stand in a summary."""

_OTHER_HEADINGS: Final[dict[Kind, str]] = {
    "said": "about the user|user|user facts|user profile|user information|facts|names|name|profile|background"
    "|personal information|用户|关于用户|用户信息|用户自述|姓名|名字|事实|个人信息|背景",
    "preference": "preference|user preferences|likes|likes and dislikes|用户偏好|喜好",
    "decision": "decision|decided|decisions made|决策|已作决定|已决定",
    "request": "request|user requests|instructions|wishes|请求|用户要求|指示",
    "asked_back": "asked back|反问",
    "open": "open question|unanswered questions|unanswered|pending questions|open issues|未解决的问题|待回答的问题"
    "|开放问题|未决问题|未答问题|待解决问题",
    "earlier": "summary|context|conversation summary|摘要|概要|总结",
    "topic": "topics|topics discussed|discussed|questions asked|answered questions|话题|主题|讨论过的话题"
    "|已回答的问题|问过的问题",
}
_KINDS: Final[dict[str, Kind]] = {
    **{name: kind for kind, names in _OTHER_HEADINGS.items() for name in names.split("|")},
    **{name.lower(): kind for kind, names in HEADINGS.items() for name in names.values()},
}
_OWN: Final = frozenset(name.lower() for names in HEADINGS.values() for name in names.values())

_BULLET = re.compile(r"^(?:[-*•·–—]|\d{1,2}[.)、])\s+|^[•·]")
_HEADING = re.compile(
    r"^#{0,6}\s*(?:\*\*|__)?(?P<name>[^:：*_]{1,40}?)(?:\*\*|__)?\s*(?P<colon>[:：])\s*(?:\*\*|__)?\s*(?P<rest>.*)$"
)
_BARE_HEADING = re.compile(r"^(?:#{1,6}\s*(?P<hash>[^:：]{1,40}?)|(?:\*\*|__)(?P<bold>[^:：*_]{1,40})(?:\*\*|__))$")


def heading(kind: Kind, language: Language) -> str:
    """The line over the notes of a kind."""
    return HEADINGS[kind][language] + ("：" if language == "zh" else ":")


def render(notes: Iterable[Note]) -> str:
    """The summary that holds ``notes``, those of a kind in the order given; empty where there are none."""
    listed = list(notes)
    language = _language(listed)
    blocks = []
    for kind in HEADINGS:
        lines = [f"- {note.text}" for note in listed if note.kind == kind]
        if lines:
            blocks.append("\n".join([heading(kind, language), *lines]))
    return "\n".join(blocks)


def parse(text: str) -> list[Note]:
    """The notes of a summary in their order; what stands under no heading is told apart sentence by sentence.

    Lines that would give the assistant orders about its orders are left out.
    """
    return [Note(note.kind, line) for note in _read(text) if (line := one_line(note.text)) and not overrides(line)]


def _read(text: str) -> Iterator[Note]:
    section: Kind | None = None
    for raw in text.splitlines():
        line = raw.strip()
        bullet = _BULLET.match(line)
        item = line[bullet.end() :].strip() if bullet else line
        if not item:
            continue
        kind, rest = (None, item) if bullet and section else _heading(item)
        if kind is None:
            yield from [Note(section, item)] if section else _prose(item)
            continue
        if rest:
            yield Note(kind, rest)
        if not bullet:
            section = kind


def _heading(line: str) -> tuple[Kind | None, str]:
    """The kind that a heading announces and what follows it on its line; None for a line that is no heading."""
    if bare := _BARE_HEADING.match(line):
        name = (bare["hash"] or bare["bold"]).strip(" *_").lower()
        return _KINDS.get(name, "earlier"), ""
    match = _HEADING.match(line)
    if match is None:
        return None, line
    name = match["name"].strip().lower()
    kind = _KINDS.get(name)
    if kind is None:
        return (None, line) if match["rest"] else ("earlier", "")
    # «Name: Anna» says more than «Anna» under a heading that is not ours.
    keeps_name = kind == "said" and name not in _OWN and match["rest"]
    return kind, line if keeps_name else match["rest"]


def _prose(text: str) -> Iterator[Note]:
    for sentence in split_sentences(text):
        yield from read_telling(sentence.text)


def _language(notes: list[Note]) -> Language:
    chinese = sum(1 if detect_language(note.text) == "zh" else -1 for note in notes)
    return "zh" if chinese > 0 else "en"
