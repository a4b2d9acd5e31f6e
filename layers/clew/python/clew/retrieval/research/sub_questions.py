"""Breaking a question up: one question for each of the things that it compares or sets side by side."""

from typing import Final

from clew.retrieval.graph_reader import Link

MOST: Final = 3


def sub_questions(query: str, links: list[Link]) -> list[str]:
    """The question asked of each named thing alone; none where it names fewer than two.

    «Which came out first, Inception or Memento?» becomes «Which came out first, Inception or ?» and
    «Which came out first, or Memento?»: what is left of the other names' places does no harm to a search.
    """
    spans = list(dict.fromkeys((link.span.start, link.span.end) for link in links))
    if len(spans) < 2:
        return []
    parts = (_without(query, [other for other in spans if other != span]) for span in spans[:MOST])
    return list(dict.fromkeys(parts))


def _without(query: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        pieces.append(query[end:start])
        end = max(end, stop)
    return " ".join("".join([*pieces, query[end:]]).split())
