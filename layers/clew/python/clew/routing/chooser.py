"""The chooser: a language model asked where rules and meaning do not decide."""

from dataclasses import dataclass
from typing import Protocol

from clew.routing.knowledge_base import KnowledgeBaseProfile


@dataclass(frozen=True, slots=True)
class Choice:
    """A knowledge base's prefix, or ``general``, and the model's reason in one sentence."""

    kb_prefix: str
    reason: str


class KnowledgeBaseChooser(Protocol):
    """Chooses the knowledge base of a message, in one call."""

    def choose(self, message: str, knowledge_bases: list[KnowledgeBaseProfile]) -> Choice:
        """The knowledge base that ``message`` is about, one of those given, or ``general``.

        Raises a TransientError or an InternalError (ModelError, ConfigurationError) when the model does
        not answer in time or names something else; the router then decides without it.
        """
        ...
