"""Detecting which knowledge base a message is about: by the names it uses, else by its meaning."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clew.routing.decision import RouteMethod
from clew.routing.general import EXAMPLES
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.worker_name import GENERAL
from clew.text.embedding import Embedder, Vector
from clew.text.language import Language, detect_language
from clew.text.names import candidate_spans, name_key
from clew.text.terms import content_terms

# A message must be this much nearer in cosine to a knowledge base than to any general example. Read off
# labelled messages with e5, whose cosines differ by hundredths; short Chinese questions are all alike to it,
# so those must be nearer still.
MARGIN: Final[dict[Language, float]] = {"en": 0.008, "zh": 0.023}
WEAK_MARGIN: Final[dict[Language, float]] = {"en": 0.0, "zh": 0.01}  # with a name that is an everyday word as well
WORD_BONUS: Final = 0.015  # for a word of the message that stands in the knowledge base's own description
MAX_WORD_BONUS: Final = 0.03
FULL_MARGIN: Final = 0.08  # from here on the confidence is full

_WORK = re.compile(r"《[^《》]+》")


@dataclass(frozen=True, slots=True)
class Detection:
    """A knowledge base's prefix or ``general``, with how and how surely it was found."""

    kb_prefix: str
    confidence: float
    method: RouteMethod
    reason: str


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of one knowledge base that a message uses, those apart that may be everyday words."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]


def detect(message: str, knowledge_bases: list[KnowledgeBaseProfile], embedder: Embedder | None) -> Detection:
    """The knowledge base that ``message`` is about; ``general`` when none fits.

    Without an embedder names alone decide.
    """
    if not knowledge_bases:
        return Detection(GENERAL, 1.0, "default", "No knowledge base is loaded.")
    used = {profile.prefix: _names_used(message, profile) for profile in knowledge_bases}
    strong = {prefix: names.strong for prefix, names in used.items() if names.strong}
    if strong:
        prefix = max(strong, key=lambda key: (sum(map(len, strong[key])), key))
        alone = len(strong) == 1
        return Detection(
            prefix,
            0.95 if alone else 0.7,
            "heuristic",
            f"The message names {_listed(strong[prefix])}, known in {prefix!r}"
            + ("." if alone else f" (and names of {', '.join(sorted(set(strong) - {prefix}))})."),
        )
    if embedder is None:
        return Detection(GENERAL, 0.5, "default", "The message uses no name that a knowledge base knows.")
    return _by_meaning(message, knowledge_bases, {prefix: names.weak for prefix, names in used.items()}, embedder)


def _by_meaning(
    message: str, knowledge_bases: list[KnowledgeBaseProfile], weak: dict[str, tuple[str, ...]], embedder: Embedder
) -> Detection:
    vector = embedder.embed_query(message)
    general = max(_dot(vector, example) for example in _general_vectors(embedder))
    margins = {
        profile.prefix: max((_dot(vector, topic) for topic in profile.topic_vectors), default=-1.0)
        + _word_bonus(message, profile)
        - general
        for profile in knowledge_bases
    }
    prefix = max(margins, key=lambda key: (margins[key], key))
    margin = margins[prefix]
    language = detect_language(message)
    if margin >= MARGIN[language] or (weak[prefix] and margin >= WEAK_MARGIN[language]):
        names = f", and names {_listed(weak[prefix])}" if weak[prefix] else ""
        confidence = min(1.0, 0.5 + 0.5 * max(margin, 0.0) / FULL_MARGIN)
        return Detection(
            prefix,
            round(confidence, 3),
            "embedding",
            f"In meaning the message is nearer to {prefix!r} than to general talk (by {margin:+.3f}){names}.",
        )
    confidence = min(1.0, 0.5 + 0.5 * -margin / FULL_MARGIN)
    return Detection(
        GENERAL,
        round(confidence, 3),
        "embedding",
        f"In meaning the message is nearer to general talk than to any knowledge base ({prefix!r}: {margin:+.3f}).",
    )


def _word_bonus(message: str, profile: KnowledgeBaseProfile) -> float:
    said = (profile.title, profile.title_zh, profile.description, profile.description_zh, *profile.examples)
    own = {term for text in said for term in content_terms(text)}
    return min(MAX_WORD_BONUS, WORD_BONUS * len(own & set(content_terms(message))))


def _names_used(message: str, profile: KnowledgeBaseProfile) -> _Names:
    known = _name_keys(profile.entity_names)
    strong: dict[str, str] = {}
    weak: dict[str, str] = {}
    covered: list[tuple[int, int]] = []
    for span in sorted(candidate_spans(message), key=lambda span: span.start - span.end):
        if span.key not in known or any(start < span.end and span.start < end for start, end in covered):
            continue
        covered.append((span.start, span.end))
        text = message[span.start : span.end]
        (strong if _is_telling(message, span.start, span.end, text) else weak)[span.key] = text
    return _Names(tuple(strong.values()), tuple(weak.values()))


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


_GENERAL_VECTORS: Final[dict[int, list[Vector]]] = {}


def _general_vectors(embedder: Embedder) -> list[Vector]:
    """The general examples' vectors, made once per embedder and process."""
    if id(embedder) not in _GENERAL_VECTORS:
        _GENERAL_VECTORS[id(embedder)] = [embedder.embed_query(example) for example in EXAMPLES]
    return _GENERAL_VECTORS[id(embedder)]


def _dot(one: Vector, other: Vector | tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
