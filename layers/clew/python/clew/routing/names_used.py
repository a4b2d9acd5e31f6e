"""Which of the names that a knowledge base knows a message uses, and how telling they are."""

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.text.names import Span, candidate_spans, name_key

_WORK = re.compile(r"《[^《》]+》")


@dataclass(frozen=True, slots=True)
class NamesUsed:
    """Names of one knowledge base that a message uses, in its order, those apart that may be everyday words."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]

    @property
    def counts(self) -> tuple[int, int]:
        return len(self.strong), len(self.weak)


def names_used(message: str, knowledge_bases: list[KnowledgeBaseProfile]) -> dict[str, NamesUsed]:
    """The names that each knowledge base knows; one inside a longer name, whoever knows that, is none."""
    known = {profile.prefix: _name_keys(profile.entity_names) for profile in knowledge_bases}
    taken: list[Span] = []
    for span in sorted(candidate_spans(message), key=lambda span: span.start - span.end):
        if any(span.key in keys for keys in known.values()) and not any(
            other.start < span.end and span.start < other.end for other in taken
        ):
            taken.append(span)
    strong: dict[str, dict[str, str]] = {prefix: {} for prefix in known}
    weak: dict[str, dict[str, str]] = {prefix: {} for prefix in known}
    for span in sorted(taken, key=lambda span: span.start):
        text = message[span.start : span.end]
        found = strong if _is_telling(message, span.start, span.end, text) else weak
        for prefix in (prefix for prefix, keys in known.items() if span.key in keys):
            found[prefix].setdefault(span.key, text)
    return {prefix: NamesUsed(tuple(strong[prefix].values()), tuple(weak[prefix].values())) for prefix in known}


def _is_telling(message: str, start: int, end: int, text: str) -> bool:
    """Whether the name can hardly be an everyday word: several words, a capital inside a sentence, 《》, a code."""
    if any(match.start() < start and end < match.end() for match in _WORK.finditer(message)):
        return True
    if text.isascii() or not re.search(r"[㐀-鿿]", text):
        capital = (
            text[:1].isupper()
            and bool(message[:start].strip(" \"'“‘([{"))
            and not message[:start].rstrip().endswith((".", "!", "?", ":"))
        )
        return " " in text.strip() or any(character.isdigit() for character in text) or capital
    return len(text) > 2


@lru_cache(maxsize=64)
def _name_keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(filter(None, map(name_key, names)))
