"""A stored message and the conversation it belongs to."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from clew.retrieval.evidence import Citation

StoredRole = Literal["user", "assistant", "system"]


class Message(BaseModel):
    """One stored message. ``seq`` counts from 1 in its conversation; ``created_at`` is ISO 8601 in UTC.

    An answer with ``is_ask_user`` asks the user for what ``pending_intent`` lacks. ``summary_seq`` is the number
    up to which the summary stood for messages when the answer was made; 0 where there was none.
    """

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
    summary_seq: int = Field(0, ge=0)
    feedback: "Feedback | None" = None


class Feedback(BaseModel):
    """A person's judgement of one answer; a later one replaces it.

    ``query`` is the question as the client shows it, ``agent_type`` the worker whose answer it is.
    """

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
    """Messages in order; ``next_before`` asks for the page of older ones and ``next_after`` for that of newer ones.

    Either is empty where there are none.
    """

    model_config = ConfigDict(frozen=True)

    messages: tuple[Message, ...]
    next_before: str = ""
    next_after: str = ""


class ConversationPage(BaseModel):
    """Conversations, the one last written to first; ``next_before`` asks for the page of older ones."""

    model_config = ConfigDict(frozen=True)

    conversations: tuple[Conversation, ...]
    next_before: str = ""


class FeedbackPage(BaseModel):
    """Judgements, newest first; ``next_cursor`` asks for the page of older ones, empty at the end."""

    model_config = ConfigDict(frozen=True)

    feedback: tuple[Feedback, ...]
    next_cursor: str = ""
