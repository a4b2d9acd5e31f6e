"""Topic vectors: what a knowledge base says of itself, and the middle of its passages."""

import math

import pytest

from clew.knowledge.topics import centroids, dot, topic_vectors
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.embedding import Vector


def unit(angle: float) -> Vector:
    return [math.cos(angle), math.sin(angle)]


class Angles:
    """Embeds a text by the number in it."""

    dimensions = 2

    def embed_query(self, text: str) -> Vector:
        return unit(float(text))

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        return [unit(float(text.strip(".。"))) for text in texts]


def test_groups_of_passages_have_their_middle_among_the_centres() -> None:
    groups = [[unit(middle + offset / 100) for offset in range(-5, 6)] for middle in (0.0, 1.5, 3.0)]
    centres = centroids([vector for group in groups for vector in group], clusters=3)
    for middle in (0.0, 1.5, 3.0):
        assert max(dot(centre, unit(middle)) for centre in centres) == pytest.approx(1.0, abs=1e-3)


def test_centres_are_of_unit_length_and_the_same_every_time() -> None:
    vectors = [unit(number * 0.37) for number in range(50)]
    assert centroids(vectors) == centroids(vectors)
    assert all(dot(centre, centre) == pytest.approx(1.0) for centre in centroids(vectors))


@pytest.mark.parametrize("count", [0, 1, 16])
def test_few_passages_are_their_own_centres(count: int) -> None:
    vectors = [unit(number * 0.1) for number in range(count)]
    assert centroids(vectors) == vectors


def test_equal_passages_and_opposite_ones_do_no_harm() -> None:
    assert all(dot(centre, unit(1.0)) == pytest.approx(1.0) for centre in centroids([unit(1.0)] * 40))
    assert len(centroids([unit(0.0), unit(math.pi)] * 20, clusters=1)) == 1


def test_a_profile_says_what_it_is_about_in_both_languages_and_by_example() -> None:
    summary = KnowledgeBaseSummary(prefix="x", title="0.1", title_zh="0.2", examples=("0.3", "0.4"))
    vectors = topic_vectors(summary, [unit(2.0)], Angles())
    for angle in (0.1, 0.2, 0.3, 0.4, 2.0):
        assert any(dot(vector, unit(angle)) == pytest.approx(1.0, abs=1e-4) for vector in vectors), angle


def test_a_title_alone_is_enough() -> None:
    assert len(topic_vectors(KnowledgeBaseSummary(prefix="x", title="0.1"), [], Angles())) == 1
