"""Chunks: pieces of a document that end where sentences end and overlap by whole sentences."""

import re
from dataclasses import dataclass
from typing import Final

from clew.text.sentences import Sentence, split_sentences

# Weight stands for what the text takes of an embedder's window: a CJK character is about three Latin ones.
# 1,200 is some 200 English words or 400 Chinese characters, well inside the 512 tokens of e5-small.
MAX_WEIGHT: Final = 1_200
OVERLAP_WEIGHT: Final = 180

_CJK = re.compile(r"[㐀-鿿぀-ヿ가-힣]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document; ``text == document.text[start:end]``."""

    ordinal: int
    text: str
    start: int
    end: int


def weight(text: str) -> int:
    """What ``text`` takes of a window, in Latin characters."""
    return len(text) + 2 * len(_CJK.findall(text))


def split_chunks(text: str, max_weight: int = MAX_WEIGHT, overlap_weight: int = OVERLAP_WEIGHT) -> list[Chunk]:
    """Chunks of whole sentences, each at most ``max_weight``, overlapping by up to ``overlap_weight``.

    A single sentence that is too heavy is cut at spaces, or anywhere when it has none.
    """
    sentences = [piece for sentence in split_sentences(text) for piece in _cut(sentence, max_weight)]
    chunks: list[Chunk] = []
    begin = 0
    while begin < len(sentences):
        end = begin + 1
        while end < len(sentences) and weight(text[sentences[begin].start : sentences[end].end]) <= max_weight:
            end += 1
        start_at, end_at = sentences[begin].start, sentences[end - 1].end
        chunks.append(Chunk(len(chunks), text[start_at:end_at], start_at, end_at))
        if end == len(sentences):
            break
        following = end
        while following - 1 > begin and weight(text[sentences[following - 1].start : end_at]) <= overlap_weight:
            following -= 1
        begin = following
    return chunks


def _cut(sentence: Sentence, max_weight: int) -> list[Sentence]:
    if weight(sentence.text) <= max_weight:
        return [sentence]
    pieces: list[Sentence] = []
    begin = 0
    while begin < len(sentence.text):
        end = begin
        used = 0
        while end < len(sentence.text) and used + weight(sentence.text[end]) <= max_weight:
            used += weight(sentence.text[end])
            end += 1
        if end < len(sentence.text):
            space = sentence.text.rfind(" ", begin + 1, end)
            end = space + 1 if space > begin + (end - begin) // 2 else end
        pieces.append(Sentence(sentence.text[begin:end], sentence.start + begin, sentence.start + end))
        begin = end
    return pieces
