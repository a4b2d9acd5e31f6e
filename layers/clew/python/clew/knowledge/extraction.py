"""Entities and relations of documents, found by rule: titles, names, and what is named together."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from clew.knowledge.chunking import Chunk, split_chunks
from clew.knowledge.documents import Document
from clew.knowledge.name_book import Mention, NameBook
from clew.text.sentences import split_sentences

EXTRACTION_VERSION: Final = "rule-4"  # part of what a load compares, so a new rule set reloads documents
CO_MENTION: Final = "CO_MENTION"
MAX_PAIRED: Final = 4  # in a sentence naming more, each is related to the document's subject alone
MAX_DESCRIPTION: Final = 240


@dataclass(frozen=True, slots=True)
class Relation:
    """Two entities named together in a document; ``weight`` is the number of sentences that do so."""

    source_id: str
    target_id: str
    type: str
    description: str
    weight: int


@dataclass(frozen=True, slots=True)
class ExtractedChunk:
    """A chunk and how often it mentions each entity."""

    chunk: Chunk
    mentions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Extracted:
    """All that the graph holds of one document."""

    document: Document
    subject_id: str
    chunks: tuple[ExtractedChunk, ...]
    relations: tuple[Relation, ...]

    @property
    def mentioned(self) -> frozenset[str]:
        """Ids of the entities that any chunk mentions."""
        return frozenset(entity_id for item in self.chunks for entity_id in item.mentions)


def extract(document: Document, names: NameBook) -> Extracted:
    """Chunks, mentions and relations of ``document``; its subject counts as mentioned in every chunk."""
    subject = names.of_title(document.title)
    mentions = names.find(document.text)
    chunks: list[ExtractedChunk] = []
    for chunk in split_chunks(document.text):
        counts: defaultdict[str, int] = defaultdict(int)
        counts[subject] += 1
        for mention in _within(mentions, chunk.start, chunk.end):
            counts[mention.entity_id] += 1
        chunks.append(ExtractedChunk(chunk, dict(counts)))
    return Extracted(document, subject, tuple(chunks), tuple(_relations(document.text, subject, mentions)))


def _within(mentions: list[Mention], start: int, end: int) -> list[Mention]:
    return [mention for mention in mentions if start <= mention.start and mention.end <= end]


def _relations(text: str, subject: str, mentions: list[Mention]) -> list[Relation]:
    described: dict[tuple[str, str], str] = {}
    weights: defaultdict[tuple[str, str], int] = defaultdict(int)
    for sentence in split_sentences(text):
        for pair in _pairs(subject, _within(mentions, sentence.start, sentence.end)):
            described.setdefault(pair, sentence.text[:MAX_DESCRIPTION])
            weights[pair] += 1
    return [
        Relation(source, target, CO_MENTION, described[source, target], weight)
        for (source, target), weight in sorted(weights.items())
    ]


def _pairs(subject: str, mentions: list[Mention]) -> set[tuple[str, str]]:
    named = sorted({mention.entity_id for mention in mentions} - {subject})
    pairs = {(subject, entity) for entity in named}
    if len(named) <= MAX_PAIRED:
        pairs.update(combinations(named, 2))
    return pairs
