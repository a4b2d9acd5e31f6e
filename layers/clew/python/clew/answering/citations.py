"""Citations: which evidence an answer's ``[number]`` marks refer to."""

import re
from typing import Final

from clew.retrieval.evidence import Citation, Passage

QUOTE_CHARACTERS: Final = 300

_MARK = re.compile(r"\[(\d{1,3})\]")


def cited(answer: str, evidence: tuple[Passage, ...]) -> tuple[Citation, ...]:
    """The passages that ``answer`` cites, by number; marks that refer to no passage are passed over."""
    numbers = sorted({int(number) for number in _MARK.findall(answer)})
    return tuple(_citation(number, evidence[number - 1]) for number in numbers if 1 <= number <= len(evidence))


def _citation(number: int, passage: Passage) -> Citation:
    return Citation(
        number=number,
        passage_id=passage.id,
        document_id=passage.document_id,
        title=passage.title,
        source=passage.source,
        quote=passage.text[:QUOTE_CHARACTERS],
    )


def without_marks(answer: str) -> str:
    """``answer`` without its citation marks."""
    return _MARK.sub("", answer)
