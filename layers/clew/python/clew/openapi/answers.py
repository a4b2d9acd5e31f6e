"""Bodies that no model of the product has: what the api function says of itself and of what it did."""

from typing import Literal

from pydantic import BaseModel, Field

from clew.routing.knowledge_base import KnowledgeBaseProfile


class Health(BaseModel):
    """Which version of the service is up, on which stage."""

    status: Literal["ok"]
    version: str
    stage: str


class Cleared(BaseModel):
    """How many messages the conversation had."""

    status: Literal["ok"]
    remaining_messages: Literal["0"]
    cleared: int = Field(ge=0)


class Judged(BaseModel):
    """Which message the judgement is stored with."""

    status: Literal["ok"]
    message_id: str


class Cancelled(BaseModel):
    """What became of the answer: stopped, given before, or given by nobody.

    ``message_id`` is the stored answer's, empty where there is none.
    """

    status: Literal["ok"]
    state: Literal["cancelled", "finished", "not_running"]
    message_id: str


class ShownKnowledgeBase(KnowledgeBaseProfile):
    """What callers see of a knowledge base; ``index_state`` is ``loading`` also after a load broke off."""

    index_state: Literal["ready", "loading"]
    entity_names: tuple[str, ...] = Field((), exclude=True)
    topic_vectors: tuple[tuple[float, ...], ...] = Field((), exclude=True)


class KnowledgeBases(BaseModel):
    """The tenant's knowledge bases."""

    knowledge_bases: tuple[ShownKnowledgeBase, ...]
