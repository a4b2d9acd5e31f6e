"""What a question asks: the entities it names, and the words that say what it wants to know of them."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from clew.retrieval.entity_names import EntityNames
from clew.retrieval.evidence import Passage
from clew.text.language import Language, detect_language
from clew.text.names import name_key
from clew.text.terms import content_terms

AnswerKind = Literal["time", "amount", "place", "any"]

_TIME = re.compile(
    r"\b(when|what year|which year|what date|deadline|how long)\b|哪一?年|何时|什么时候|几月|日期|截止|多久|年份",
    re.I,
)
_AMOUNT = re.compile(r"\b(how many|how much|what gpa|amount)\b|多少|几个|几部|几学分|金额", re.I)
_PLACE = re.compile(
    r"\bwhere\b|\b(?:which|what) (?:building|room|city|town|country|place|office)\b|哪里|哪儿|在哪|哪栋|哪座|哪间|几室",
    re.I,
)
# A name that the question marks as one: quoted, in 《》, or capitalised inside a sentence.
_QUOTED = re.compile(r"《([^《》]+)》|「([^「」]+)」|“([^“”]+)”|\"([^\"]+)\"")
_CAPITALISED = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]*(?:\s+(?:of\s+|the\s+)*[A-Z0-9][\w'’-]*)*")
_WH: Final = frozenset(["who", "what", "when", "where", "which", "why", "how", "whose"])


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart.

    ``named`` are ids of entities of the evidence that it names, ``asked_text`` is the question
    without those names, ``sequence`` its terms,
    ``asked`` the same as a set, ``unknown_names`` the names in it that no entity of the evidence bears.
    """

    text: str
    language: Language
    named: frozenset[str]
    asked_text: str
    sequence: tuple[str, ...]
    unknown_names: tuple[str, ...]
    kind: AnswerKind

    @property
    def asked(self) -> frozenset[str]:
        return frozenset(self.sequence)


def analyse(text: str, evidence: tuple[Passage, ...]) -> Question:
    """Take ``text`` apart against the entities that the evidence mentions."""
    found = EntityNames(entity for passage in evidence for entity in passage.entities).find(text)
    covered = [(span.start, span.end) for span, _ in found]
    rest = "".join(" " if any(start <= i < end for start, end in covered) else c for i, c in enumerate(text))
    return Question(
        text=text,
        language=detect_language(text),
        named=frozenset(entity_id for _, ids in found for entity_id in ids),
        asked_text=rest,
        sequence=tuple(content_terms(rest)),
        unknown_names=tuple(_marked_names(rest)),
        kind=_kind(text),
    )


def _kind(text: str) -> AnswerKind:
    if _TIME.search(text):
        return "time"
    if _AMOUNT.search(text):
        return "amount"
    return "place" if _PLACE.search(text) else "any"


def _marked_names(text: str) -> list[str]:
    quoted = [next(filter(None, groups)) for groups in _QUOTED.findall(text)]
    capitalised = [name for name in _CAPITALISED.findall(text) if name.split()[0].lower() not in _WH]
    return [name for name in (*quoted, *capitalised) if len(name_key(name)) > 1]
