"""What is read from one document: chunks, the entities they mention, and relations."""

from dataclasses import dataclass
from typing import Protocol

from clew.knowledge.chunking import Chunk
from clew.knowledge.documents import Document
from clew.knowledge.name_book import NameBook
from clew.knowledge.naming import Names


@dataclass(frozen=True, slots=True)
class Relation:
    """Two related entities of a document.

    ``description`` is a sentence that relates them, ``ordinal`` the chunk in which it stands, ``weight``
    the number of sentences that do so.
    """

    source_id: str
    target_id: str
    type: str
    description: str
    ordinal: int
    weight: int


@dataclass(frozen=True, slots=True)
class ExtractedChunk:
    """A chunk and how often it mentions each entity."""

    chunk: Chunk
    mentions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Extracted:
    """All that the graph holds of one document; ``read`` are names that a model found, beside those of the rules."""

    document: Document
    subject_id: str
    chunks: tuple[ExtractedChunk, ...]
    relations: tuple[Relation, ...]
    read: tuple[Names, ...] = ()

    @property
    def mentioned(self) -> frozenset[str]:
        """Ids of the entities that any chunk mentions."""
        return frozenset(entity_id for item in self.chunks for entity_id in item.mentions)


class Extraction(Protocol):
    """Reads documents, by rule or by a model; chosen for each load."""

    @property
    def version(self) -> str:
        """Part of each document's hash: another version loads the document again."""
        ...

    @property
    def repeatable(self) -> bool:
        """Whether a document may be read again at no cost, as a load does where later names change what it mentions."""
        ...

    @property
    def title_links(self) -> bool:
        """Whether a document's title is a name by which texts and questions lead to it."""
        ...

    def extract(self, documents: list[Document], names: NameBook) -> list[Extracted]:
        """What each document holds, in order; new names are added to ``names``, which has those of all titles."""
        ...
