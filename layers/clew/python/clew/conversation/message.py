"""A stored message and the conversation it belongs to."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from clew.retrieval.evidence import Citation

StoredRole = Literal["user", "assistant", "system"]


class Message(BaseModel):
    """One stored message. ``seq`` counts from 1 in its conversation; ``created_at`` is ISO 8601 in UTC."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    conversation_id: str
    seq: int = Field(ge=1)
    role: StoredRole
    content: str
    created_at: str
    citations: tuple[Citation, ...] = ()
    debug: dict[str, Any] = Field(default_factory=dict)
    is_ask_user: bool = False
    pending_intent: str = ""
    feedback: "Feedback | None" = None


class Feedback(BaseModel):
    """A person's judgement of one answer; a later one replaces it."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    is_positive: bool
    query: str = ""
    thread_id: str = ""
    agent_type: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: str = ""


class Conversation(BaseModel):
    """One user's conversation in one session, as a list of conversations shows it."""

    model_config = ConfigDict(frozen=True)

    conversation_id: str
    user_id: str
    session_id: str
    created_at: str
    updated_at: str
    message_count: int = 0
    title: str = ""


class MessagePage(BaseModel):
    """Messages in order; ``next_before`` asks for the page of older ones, empty at the beginning."""

    model_config = ConfigDict(frozen=True)

    messages: tuple[Message, ...]
    next_before: str = ""
