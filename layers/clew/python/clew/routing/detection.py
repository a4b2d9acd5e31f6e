"""Detecting which knowledge base a message is about: by the names it uses, else by its meaning."""

from dataclasses import dataclass
from typing import Final

from clew.routing.decision import RouteMethod
from clew.routing.general import EXAMPLES
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.routing.names_used import NamesUsed, names_used
from clew.routing.worker_name import GENERAL
from clew.text.embedding import Embedder, Vector
from clew.text.language import Language, detect_language
from clew.text.terms import content_terms

# A message must be this much nearer in cosine to a knowledge base than to any general example. Read off
# labelled messages with e5, whose cosines differ by hundredths; short Chinese questions are all alike to it,
# so those must be nearer still.
MARGIN: Final[dict[Language, float]] = {"en": 0.008, "zh": 0.023}
WEAK_MARGIN: Final[dict[Language, float]] = {"en": 0.0, "zh": 0.01}  # with a name that is an everyday word as well
WORD_BONUS: Final = 0.015  # for a word of the message that stands in the knowledge base's own description
MAX_WORD_BONUS: Final = 0.03
FULL_MARGIN: Final = 0.08  # from here on the confidence is full
# Two knowledge bases that both fit and whose margins differ by less are not told apart. Read off labelled
# messages with e5: those about one of the two differ by 0.045 and more, but for two in a hundred.
UNDECIDED: Final = 0.03
DOUBT: Final = 0.02  # a margin that near to the one needed; so are one in seven messages that name nothing
EVEN: Final = 0.5  # the confidence where another knowledge base fits as well


@dataclass(frozen=True, slots=True)
class Detection:
    """A knowledge base's prefix or ``general``, with how and how surely it was found.

    ``also`` is another knowledge base that fits as well, to be searched too. ``is_doubtful`` tells that
    neither names nor meaning decide: another judge may be asked.
    """

    kb_prefix: str
    confidence: float
    method: RouteMethod
    reason: str
    also: str = ""
    is_doubtful: bool = False


def detect(message: str, knowledge_bases: list[KnowledgeBaseProfile], embedder: Embedder | None) -> Detection:
    """The knowledge base that ``message`` is about; ``general`` when none fits.

    Without an embedder names alone decide.
    """
    if not knowledge_bases:
        return Detection(GENERAL, 1.0, "default", "No knowledge base is loaded.")
    used = names_used(message, knowledge_bases)
    if any(names.strong for names in used.values()):
        return _by_names(message, knowledge_bases, used, embedder)
    if embedder is None:
        return Detection(GENERAL, 0.5, "default", "The message uses no name that a knowledge base knows.")
    return _by_meaning(message, knowledge_bases, {prefix: names.weak for prefix, names in used.items()}, embedder)


def _by_names(
    message: str,
    knowledge_bases: list[KnowledgeBaseProfile],
    used: dict[str, NamesUsed],
    embedder: Embedder | None,
) -> Detection:
    """The knowledge base that most names lead to; with as many in another one, that one too."""
    ranked = sorted(
        (prefix for prefix, names in used.items() if names.strong),
        key=lambda key: (*used[key].counts, -message.index(used[key].strong[0]), key),
        reverse=True,
    )
    prefix, names = ranked[0], used[ranked[0]]
    said = f"The message names {_listed(names.strong)}, known in "
    if len(ranked) == 1:
        return Detection(prefix, 0.95, "heuristic", f"{said}{prefix!r}.")
    also = ranked[1]
    if used[also].counts < names.counts:
        others = ", ".join(sorted(ranked[1:]))
        return Detection(prefix, 0.7, "heuristic", f"{said}{prefix!r} (and names of {others}).")
    if used[also].strong != names.strong:  # names of each: both are meant
        said += f"{prefix!r}, and {_listed(used[also].strong)}, known in {also!r}."
        return Detection(prefix, EVEN, "heuristic", said, also=also)
    if embedder is not None:
        margins = _margins(message, [each for each in knowledge_bases if each.prefix in (prefix, also)], embedder)
        prefix, also = _descending(margins)
    return Detection(prefix, EVEN, "heuristic", f"{said}{prefix!r} and in {also!r}.", also=also, is_doubtful=True)


def _margins(message: str, knowledge_bases: list[KnowledgeBaseProfile], embedder: Embedder) -> dict[str, float]:
    """How much nearer, in cosine, the message is to each knowledge base than to general talk."""
    vector = embedder.embed_query(message)
    general = max(_dot(vector, example) for example in _general_vectors(embedder))
    return {
        profile.prefix: max((_dot(vector, topic) for topic in profile.topic_vectors), default=-1.0)
        + _word_bonus(message, profile)
        - general
        for profile in knowledge_bases
    }


def _descending(margins: dict[str, float]) -> list[str]:
    return sorted(margins, key=lambda key: (margins[key], key), reverse=True)


def _by_meaning(
    message: str, knowledge_bases: list[KnowledgeBaseProfile], weak: dict[str, tuple[str, ...]], embedder: Embedder
) -> Detection:
    margins = _margins(message, knowledge_bases, embedder)
    language = detect_language(message)
    # How far each lies above the margin that it needs.
    above = {prefix: margin - (WEAK_MARGIN if weak[prefix] else MARGIN)[language] for prefix, margin in margins.items()}
    ranked = _descending(margins)
    prefix, margin = ranked[0], margins[ranked[0]]
    is_near = abs(above[prefix]) < DOUBT
    if above[prefix] < 0:
        return Detection(
            GENERAL,
            _confidence(-margin),
            "embedding",
            f"In meaning the message is nearer to general talk than to any knowledge base ({prefix!r}: {margin:+.3f}).",
            is_doubtful=is_near,
        )
    names = f", and names {_listed(weak[prefix])}" if weak[prefix] else ""
    nearer = f"In meaning the message is nearer to {prefix!r} than to general talk (by {margin:+.3f}){names}"
    other = next(iter(ranked[1:]), "")
    if other and above[other] >= 0 and margin - margins[other] < UNDECIDED:
        reason = f"{nearer}, and hardly less near to {other!r} ({margins[other]:+.3f})."
        return Detection(prefix, EVEN, "embedding", reason, also=other, is_doubtful=True)
    return Detection(prefix, _confidence(margin), "embedding", f"{nearer}.", is_doubtful=is_near)


def _confidence(margin: float) -> float:
    return round(min(1.0, 0.5 + 0.5 * max(margin, 0.0) / FULL_MARGIN), 3)


def _word_bonus(message: str, profile: KnowledgeBaseProfile) -> float:
    said = (profile.title, profile.title_zh, profile.description, profile.description_zh, *profile.examples)
    own = {term for text in said for term in content_terms(text)}
    return min(MAX_WORD_BONUS, WORD_BONUS * len(own & set(content_terms(message))))


# The embedder is kept beside its vectors, so that no other one can come to have its id.
_GENERAL_VECTORS: Final[dict[int, tuple[Embedder, list[Vector]]]] = {}


def _general_vectors(embedder: Embedder) -> list[Vector]:
    """The general examples' vectors, made once per embedder and process."""
    if id(embedder) not in _GENERAL_VECTORS:
        _GENERAL_VECTORS[id(embedder)] = (embedder, [embedder.embed_query(example) for example in EXAMPLES])
    return _GENERAL_VECTORS[id(embedder)][1]


def _dot(one: Vector, other: Vector | tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")
