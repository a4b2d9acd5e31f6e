"""Citations: which evidence an answer's ``[number]`` marks refer to."""

from typing import Final

from clew.retrieval.evidence import Citation, Passage
from clew.text.citation_marks import cited_numbers, without_marks

__all__ = ["cited", "without_marks"]

QUOTE_BYTES: Final = 200
"""Of UTF-8: two lines of English or two sentences of Chinese. With longer ones a stored answer of two citations
would pass 1 KB, which is a write unit."""


def cited(answer: str, evidence: tuple[Passage, ...]) -> tuple[Citation, ...]:
    """The passages that ``answer`` cites, by number; marks that refer to no passage are passed over."""
    return tuple(_citation(number, evidence[number - 1]) for number in cited_numbers(answer, len(evidence)))


def _citation(number: int, passage: Passage) -> Citation:
    return Citation(
        number=number,
        passage_id=passage.id,
        document_id=passage.document_id,
        title=passage.title,
        source=passage.source,
        quote=passage.text.encode()[:QUOTE_BYTES].decode(errors="ignore"),
    )
