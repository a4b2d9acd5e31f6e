"""Questions as Lucene queries: words alone, no operators."""

import pytest

from tests.bench.lucene import escaped


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Who is his father?", r"Who is his father\?"),
        ('Did "AC/DC" play (live) at 8:30*?', r"Did \"AC\/DC\" play \(live\) at 8\:30\*\?"),
        ("Vive L'Amour AND NOT ORLANDO", "Vive L'Amour and not ORLANDO"),
        (r"a\b", r"a\\b"),
    ],
)
def test_nothing_of_a_question_is_an_operator(question: str, query: str) -> None:
    assert escaped(question) == query
