"""Passages are embedded once, over all runs."""

from pathlib import Path

from clew.text.embedding import Vector
from tests.bench.passage_vectors import RememberingEmbedder


class Counting:
    """Makes a vector of a text's length, and counts the texts."""

    dimensions = 2

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.embedded.append(text)
        return [0.0, float(len(text))]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        self.embedded += texts
        return [[float(len(text)), 0.5] for text in texts]


def test_a_passage_is_embedded_once_and_keeps_its_place(tmp_path: Path) -> None:
    counting = Counting()
    embedder = RememberingEmbedder(counting, tmp_path / "vectors.npz")
    assert embedder.embed_passages(["one", "three"]) == [[3.0, 0.5], [5.0, 0.5]]
    assert embedder.embed_passages(["three", "four", "one", "four"]) == [[5.0, 0.5], [4.0, 0.5], [3.0, 0.5], [4.0, 0.5]]
    assert counting.embedded == ["one", "three", "four"]


def test_the_next_run_finds_what_was_saved(tmp_path: Path) -> None:
    file = tmp_path / "build" / "vectors.npz"
    first = RememberingEmbedder(Counting(), file)
    made = first.embed_passages(["one", "三"])
    first.save()
    counting = Counting()
    second = RememberingEmbedder(counting, file)
    assert second.embed_passages(["三", "one"]) == made[::-1]
    assert second.embed_passages(["new"]) == [[3.0, 0.5]]
    assert counting.embedded == ["new"]


def test_questions_are_embedded_every_time(tmp_path: Path) -> None:
    counting = Counting()
    embedder = RememberingEmbedder(counting, tmp_path / "vectors.npz")
    assert embedder.embed_query("who?") == embedder.embed_query("who?")
    assert counting.embedded == ["who?", "who?"]
