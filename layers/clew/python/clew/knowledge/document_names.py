"""The names that one document gives; those of all documents make a knowledge base's name book."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from clew.knowledge.documents import Document
from clew.knowledge.naming import Names, free_names, paired_names, works
from clew.text.names import name_key

SHORT_WORK: Final = 2  # a Chinese title this short is an everyday word as well (活着, 英雄), so it needs its 《》


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """What a document says of names; kept with it, so that the book can be made again without its text.

    ``pairs`` are spellings of one thing, as the text gives them or a model has read them; ``free`` are names
    that need no dictionary; ``quoted`` are keys of the short works that stand in 《》.
    """

    title: str
    pairs: tuple[Names, ...] = ()
    free: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()


def names_of(document: Document, read: Iterable[Names] = ()) -> DocumentNames:
    """The names that the rules find in ``document``, and those that a model has ``read`` there."""
    quoted = (key for work in works(document.text) if 0 < len(key := name_key(work)) <= SHORT_WORK)
    return DocumentNames(
        document.title,
        tuple(dict.fromkeys((*paired_names(document.text), *read))),
        tuple(free_names(document.text)),
        tuple(sorted(set(quoted))),
    )
