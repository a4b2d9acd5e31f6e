"""Evidence: the one shape in which every worker returns what it found."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class EntityRef(BaseModel):
    """An entity as evidence names it; ``aliases`` are its other spellings, in either language."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    aliases: tuple[str, ...] = ()


class Hop(BaseModel):
    """One relation walked on the way to a passage, by entity names."""

    model_config = ConfigDict(frozen=True)

    source: str
    relation: str
    target: str


class Passage(BaseModel):
    """A passage that may answer.

    ``id`` is stable across loads of the same text. ``score`` is comparable within one worker's list
    only. ``entities`` are those the passage mentions, ``path`` the relations that led to it (empty
    where it was found directly), ``found_by`` the agent types that returned it.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    document_id: str
    title: str
    text: str
    source: str = ""
    score: float = 0.0
    entities: tuple[EntityRef, ...] = ()
    path: tuple[Hop, ...] = ()
    found_by: tuple[str, ...] = ()


class RunError(BaseModel):
    """Why one worker of a plan returned nothing; ``type`` is an error class's name."""

    model_config = ConfigDict(frozen=True)

    type: str
    message: str


class RetrievalRun(BaseModel):
    """One worker's result, or its error; the workflow returns one for each item of the plan.

    ``linked`` are the entities that the worker recognised in the question itself.
    """

    model_config = ConfigDict(frozen=True)

    worker_name: str
    agent_type: str
    passages: tuple[Passage, ...] = ()
    linked: tuple[EntityRef, ...] = ()
    took_ms: float = 0.0
    error: RunError | None = None


class Citation(BaseModel):
    """What an answer's ``[number]`` refers to; ``quote`` is the start of the passage."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1)
    passage_id: str
    document_id: str
    title: str
    source: str = ""
    quote: str = ""


Trace = dict[str, Any]
"""What ``retrieve_with_trace`` returns: ``context`` (str), ``retrieval_results`` (list of passages as
dictionaries) and ``reference`` (``{"linked": [...], "documents": [...]}``)."""
