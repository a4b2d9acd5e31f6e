"""What a chat model is given: instructions, history, numbered evidence and the question."""

from dataclasses import dataclass, field
from typing import Literal

from clew.memory.episode import Episode
from clew.retrieval.evidence import CommunityRef, Passage
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import Language

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message in the roles that every provider's format is made from."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One generation's input; a passage's place in ``evidence``, counted from 1, is its citation number.

    ``question`` holds the user's own words and ``standalone_question`` what retrieval was asked.
    ``general`` tells that no knowledge base was consulted, so an answer needs no evidence. ``themes``
    are summaries of what belongs together around the evidence: background, which is not cited.

    Of the past, ``history`` is verbatim and recent, ``summary`` stands for all that came before it,
    ``episodes`` are older turns that bear on the question, oldest first, and ``known_of_user`` are facts
    that outlive conversations. None of these is evidence with a number.
    """

    question: str
    standalone_question: str
    language: Language
    evidence: tuple[Passage, ...] = ()
    themes: tuple[CommunityRef, ...] = ()
    history: tuple[ChatMessage, ...] = ()
    summary: str = ""
    episodes: tuple[Episode, ...] = ()
    known_of_user: tuple[str, ...] = ()
    general: bool = False
    knowledge_bases: tuple[KnowledgeBaseSummary, ...] = field(default=())
