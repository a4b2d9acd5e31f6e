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
    """One relation walked on the way to a passage, by entity names; it was stated in either direction."""

    model_config = ConfigDict(frozen=True)

    source: str
    relation: str
    target: str


class Passage(BaseModel):
    """A passage that may answer.

    ``id`` is stable across loads of the same text, which is ``document[start:end]``. ``score`` is
    comparable within one list only. ``entities`` are those the passage mentions, ``path`` the relations
    that led to it (empty where it was found directly), ``found_by`` the agent types that returned it.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    document_id: str
    title: str
    text: str
    source: str = ""
    start: int = 0
    end: int = 0
    score: float = 0.0
    entities: tuple[EntityRef, ...] = ()
    path: tuple[Hop, ...] = ()
    found_by: tuple[str, ...] = ()


class Mentioned(BaseModel):
    """An entity as a fact: which of the passages mention it."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    passage_ids: tuple[str, ...] = ()


class Fact(BaseModel):
    """A relation as a fact: what ``said``, a sentence of the first of the passages, says of two entities."""

    model_config = ConfigDict(frozen=True)

    source: str
    relation: str
    target: str
    said: str = ""
    passage_ids: tuple[str, ...] = ()


class CommunityRef(BaseModel):
    """A community of entities that belong together; ``score`` is comparable within one list only."""

    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    summary: str
    level: int = 0
    score: float = 0.0


class Round(BaseModel):
    """One round of research: what was asked and followed, what it brought, what was missing after it.

    ``stopped`` says why no other round came, on the last one alone.
    """

    model_config = ConfigDict(frozen=True)

    queries: tuple[str, ...]
    followed: tuple[str, ...] = ()
    found: int = 0
    missing: tuple[str, ...] = ()
    stopped: str = ""


class Reference(BaseModel):
    """What a worker's passages stand on.

    ``linked`` are the entities that it recognised in the question itself, ``documents`` the ids of the
    documents found, ``entities`` and ``facts`` what the passages say, ``communities`` and ``rounds``
    what only some workers have.
    """

    model_config = ConfigDict(frozen=True)

    linked: tuple[EntityRef, ...] = ()
    documents: tuple[str, ...] = ()
    entities: tuple[Mentioned, ...] = ()
    facts: tuple[Fact, ...] = ()
    communities: tuple[CommunityRef, ...] = ()
    rounds: tuple[Round, ...] = ()


class Evidence(BaseModel):
    """Passages, best first, and what they stand on: of one worker, or of a whole plan."""

    model_config = ConfigDict(frozen=True)

    passages: tuple[Passage, ...] = ()
    reference: Reference = Reference()

    @property
    def context(self) -> str:
        """The passages as one text."""
        return "\n\n".join(f"{passage.title}\n{passage.text}" for passage in self.passages)

    def as_trace(self) -> "Trace":
        """The evidence in the three parts of an agent's contract."""
        return {
            "context": self.context,
            "retrieval_results": [passage.model_dump(mode="json") for passage in self.passages],
            "reference": self.reference.model_dump(mode="json"),
        }


class RunError(BaseModel):
    """Why one worker of a plan returned nothing; ``type`` is an error class's name."""

    model_config = ConfigDict(frozen=True)

    type: str
    message: str


class RetrievalRun(BaseModel):
    """One worker's result, or its error; the workflow returns one for each item of the plan."""

    model_config = ConfigDict(frozen=True)

    worker_name: str
    agent_type: str
    passages: tuple[Passage, ...] = ()
    reference: Reference = Reference()
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
dictionaries, best first) and ``reference`` (a Reference as a dictionary)."""
