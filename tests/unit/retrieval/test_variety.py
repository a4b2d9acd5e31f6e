"""Variety: one long document does not take all places of a list."""

import pytest

from clew.retrieval.evidence import Passage
from clew.retrieval.variety import OF_ONE_DOCUMENT, varied


def ranked(documents: str) -> list[Passage]:
    """Passages, best first, each of the document of one letter."""
    return [
        Passage(id=f"{document}{place}", document_id=document, title=document, text="…", score=1 / (place + 1))
        for place, document in enumerate(documents)
    ]


@pytest.mark.parametrize(
    ("documents", "kept", "chosen"),
    [
        ("aaaaaabcd", 5, "aaaab"),
        ("aaaaaabcd", 7, "aaaabcd"),
        ("aaaaaab", 5, "aaaab"),
        ("aaaaaab", 6, "aaaaab"),  # nothing else is left
        ("aaaaaaaa", 6, "aaaaaa"),
        ("abababababcd", 10, "ababababcd"),
        ("abc", 10, "abc"),
        ("abc", 0, ""),
        ("", 10, ""),
    ],
)
def test_at_most_four_of_one_document_while_others_are_left(documents: str, kept: int, chosen: str) -> None:
    assert OF_ONE_DOCUMENT == 4
    assert "".join(passage.document_id for passage in varied(ranked(documents), kept)) == chosen


def test_the_best_of_a_document_stay_and_the_order_too() -> None:
    passages = ranked("aaaaaaabcaaa")
    kept = varied(passages, 8)
    assert [passage.id for passage in kept] == ["a0", "a1", "a2", "a3", "a4", "a5", "b7", "c8"]
    assert [passage.score for passage in kept] == sorted((passage.score for passage in kept), reverse=True)
