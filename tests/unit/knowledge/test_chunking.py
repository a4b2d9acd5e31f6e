"""Chunks: whole sentences where they fit, overlapping, nothing lost."""

from itertools import pairwise

import pytest

from clew.knowledge.chunking import MAX_WEIGHT, Chunk, split_chunks, weight
from clew.text.sentences import split_sentences

ENGLISH = " ".join(f"Sentence number {number} says something of its own." for number in range(100))
CHINESE = "".join(f"第{number}句话说了一件与别的句子不同的事情。" for number in range(100))
MIXED = "\n".join([ENGLISH[:2_000], CHINESE[:800], "# A heading", ENGLISH[:1_500]])
UNBROKEN = {"word": "a" * 5_000, "characters": "字" * 3_000, "spaces": "word " * 1_500, "no stop": "字，" * 2_000}


def sentences_of(chunk: Chunk) -> list[str]:
    return [sentence.text for sentence in split_sentences(chunk.text)]


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, MIXED, *UNBROKEN.values()], ids=["en", "zh", "mixed", *UNBROKEN])
def test_chunks_are_pieces_of_the_text_within_the_limit_that_lose_nothing(text: str) -> None:
    chunks = split_chunks(text)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(weight(chunk.text) <= MAX_WEIGHT for chunk in chunks)
    assert len(chunks) > 1
    covered = set().union(*(range(chunk.start, chunk.end) for chunk in chunks))
    assert all(character.isspace() for place, character in enumerate(text) if place not in covered)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_chunks_end_where_sentences_end(text: str) -> None:
    whole = {sentence.text for sentence in split_sentences(text)}
    for chunk in split_chunks(text):
        assert set(sentences_of(chunk)) <= whole


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_neighbours_share_sentences_but_not_most_of_them(text: str) -> None:
    chunks = split_chunks(text)
    for one, other in pairwise(chunks):
        shared = set(sentences_of(one)) & set(sentences_of(other))
        assert shared
        assert len(shared) < len(sentences_of(one)) / 2
        assert other.start > one.start
        assert other.end > one.end


def test_overlap_can_be_done_without() -> None:
    chunks = split_chunks(ENGLISH, overlap_weight=0)
    seen = [sentence for chunk in chunks for sentence in sentences_of(chunk)]
    assert len(seen) == len(set(seen)) == 100


def test_a_sentence_that_is_too_long_is_cut_at_spaces() -> None:
    words = " ".join(f"word{number}" for number in range(1_000))
    for chunk in split_chunks(words):
        assert all(word.startswith("word") and word[4:].isdigit() for word in chunk.text.split())


def test_chinese_weighs_more_so_chunks_of_it_are_shorter() -> None:
    assert weight("字" * 100) > weight("a" * 100)
    assert max(len(chunk.text) for chunk in split_chunks(CHINESE)) < min(
        len(chunk.text) for chunk in split_chunks(ENGLISH)[:-1]
    )


@pytest.mark.parametrize("text", ["One sentence.", "一句话。", "x"])
def test_a_short_text_is_one_chunk(text: str) -> None:
    assert [chunk.text for chunk in split_chunks(text)] == [text]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_nothing_makes_no_chunk(text: str) -> None:
    assert split_chunks(text) == []
