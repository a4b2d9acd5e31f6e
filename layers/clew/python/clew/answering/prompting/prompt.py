"""What a chat model is given: instructions, history, numbered evidence and the question."""

from dataclasses import dataclass, field
from typing import Literal

from clew.memory.episode import Episode
from clew.retrieval.evidence import CommunityRef, Passage
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.language import Language

Role = Literal["system", "user", "assistant", "tool"]


ImageType = Literal["image/png", "image/jpeg", "image/webp"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a user's message: its bytes as the file has them, already checked to be of that type."""

    media_type: ImageType
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that an assistant's message calls; ``arguments`` is a JSON object as text."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message in the roles that every provider's format is made from.

    Pictures belong to a user's message, ``tool_calls`` to an assistant's, and ``tool_call_id`` to a tool's, which
    answers the call of that id.
    """

    role: Role
    content: str
    images: tuple[Image, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One generation's input; a passage's place in ``evidence``, counted from 1, is its citation number.

    ``question`` holds the user's own words and ``standalone_question`` what retrieval was asked.
    ``general`` tells that no knowledge base was consulted, so an answer needs no evidence. ``themes``
    are summaries of what belongs together around the evidence: background, which is not cited.

    Of the past, ``history`` is verbatim and recent, ``summary`` stands for all that came before it,
    ``episodes`` are older turns that bear on the question, oldest first, and ``known_of_user`` are facts
    that outlive conversations. None of these is evidence with a number. ``images`` came with the question.
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
    images: tuple[Image, ...] = ()
