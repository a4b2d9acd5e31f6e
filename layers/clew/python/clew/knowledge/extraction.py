"""Entities and relations of documents, found by rule: titles, names, and what is named together."""

from collections import defaultdict
from itertools import combinations
from typing import Final

from clew.knowledge.chunking import Chunk, split_chunks
from clew.knowledge.documents import Document
from clew.knowledge.extracted import Extracted, ExtractedChunk, Relation
from clew.knowledge.name_book import Mention, NameBook
from clew.text.sentences import split_sentences

CO_MENTION: Final = "CO_MENTION"
MAX_PAIRED: Final = 4  # in a sentence naming more, each is related to the document's subject alone
MAX_DESCRIPTION: Final = 240


class RuleExtraction:
    """Entities are what the name book finds; two named in one sentence are related."""

    repeatable: Final = True

    def __init__(self, *, title_links: bool = True) -> None:
        self._title_links = title_links

    @property
    def version(self) -> str:
        return "rule-6" if self._title_links else "rule-6-no-title-links"

    @property
    def title_links(self) -> bool:
        return self._title_links

    def extract(self, documents: list[Document], names: NameBook) -> list[Extracted]:
        return [_extract(document, names) for document in documents]


def _extract(document: Document, names: NameBook) -> Extracted:
    subject = names.of_title(document.title)
    mentions = names.find(document.text)
    pieces = split_chunks(document.text)
    chunks = count_mentions(subject, mentions, pieces)
    return Extracted(document, subject, chunks, tuple(_relations(document.text, subject, mentions, pieces)))


def count_mentions(subject: str, mentions: list[Mention], chunks: list[Chunk]) -> tuple[ExtractedChunk, ...]:
    """How often each of ``chunks`` mentions each entity; the subject counts once more in every one."""
    counted: list[ExtractedChunk] = []
    for chunk in chunks:
        counts: defaultdict[str, int] = defaultdict(int)
        counts[subject] += 1
        for mention in _within(mentions, chunk.start, chunk.end):
            counts[mention.entity_id] += 1
        counted.append(ExtractedChunk(chunk, dict(counts)))
    return tuple(counted)


def _within(mentions: list[Mention], start: int, end: int) -> list[Mention]:
    return [mention for mention in mentions if start <= mention.start and mention.end <= end]


def _relations(text: str, subject: str, mentions: list[Mention], chunks: list[Chunk]) -> list[Relation]:
    described: dict[tuple[str, str], tuple[str, int]] = {}
    weights: defaultdict[tuple[str, str], int] = defaultdict(int)
    for sentence in split_sentences(text):
        for pair in _pairs(subject, _within(mentions, sentence.start, sentence.end)):
            described.setdefault(pair, (sentence.text[:MAX_DESCRIPTION], _chunk_at(chunks, sentence.start)))
            weights[pair] += 1
    return [
        Relation(source, target, CO_MENTION, *described[source, target], weight)
        for (source, target), weight in sorted(weights.items())
    ]


def _chunk_at(chunks: list[Chunk], position: int) -> int:
    return next((chunk.ordinal for chunk in chunks if chunk.start <= position < chunk.end), 0)


def _pairs(subject: str, mentions: list[Mention]) -> set[tuple[str, str]]:
    named = sorted({mention.entity_id for mention in mentions} - {subject})
    pairs = {(subject, entity) for entity in named}
    if len(named) <= MAX_PAIRED:
        pairs.update(combinations(named, 2))
    return pairs
