"""Marks in an answer and the passages that they mean."""

import pytest

from clew.answering.citations import QUOTE_BYTES, cited
from clew.retrieval.evidence import Passage

EVIDENCE = tuple(
    Passage(id=f"p{number}", document_id=f"d{number}", title=f"T{number}", text="字" * 1_000, source="s")
    for number in range(1, 4)
)


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("Yes [1].", [1]),
        ("Yes [2][1], and [2] again.", [1, 2]),
        ("Yes [3, 1].", [1, 3]),
        ("No marks.", []),
        ("Outside [0] [4] [999] [-1] [1.5] [a].", []),
        ("A year [1999] is no mark.", []),
        ("Code `x[1]` and a link [2](https://example.org) are none.", []),
        ("对[3]。", [3]),
        ("", []),
    ],
)
def test_marks_cite_the_passages_of_their_numbers_once_in_order(answer: str, numbers: list[int]) -> None:
    found = cited(answer, EVIDENCE)
    assert [citation.number for citation in found] == numbers
    for citation in found:
        passage = EVIDENCE[citation.number - 1]
        assert (citation.passage_id, citation.document_id, citation.title) == (
            passage.id,
            passage.document_id,
            passage.title,
        )
        assert passage.text.startswith(citation.quote)
        assert 0 < len(citation.quote.encode()) <= QUOTE_BYTES


def test_without_evidence_nothing_is_cited() -> None:
    assert cited("Yes [1].", ()) == ()
