"""The models that may read documents while they are loaded: entities and relations, and summaries."""

from dataclasses import dataclass
from typing import Protocol

from clew.text.language import Language


@dataclass(frozen=True, slots=True)
class ReadEntity:
    """A thing that a text names: its name as the text has it, and its other names there, in any language."""

    name: str
    aliases: tuple[str, ...] = ()
    type: str = ""


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """A relation that a text states between two of its entities; ``type`` is in capitals, such as ``DIRECTED``."""

    source: str
    target: str
    type: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class ReadGraph:
    """What a model reads in one text."""

    entities: tuple[ReadEntity, ...] = ()
    relations: tuple[ReadRelation, ...] = ()


class GraphModel(Protocol):
    """Reads entities and relations from a text, by a schema."""

    @property
    def name(self) -> str:
        """What a document's hash notes, so that another model loads it again."""
        ...

    def read(self, title: str, text: str) -> ReadGraph:
        """The entities and relations of one chunk. TransientError or ModelError where the model fails."""
        ...


class Summariser(Protocol):
    """Writes a short summary of what some sentences say."""

    @property
    def name(self) -> str: ...

    def summarise(self, entities: list[str], sentences: list[str], language: Language) -> str:
        """Two to four sentences in ``language`` on what connects ``entities``, from ``sentences`` alone."""
        ...
