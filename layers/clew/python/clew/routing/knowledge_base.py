"""A knowledge base's profile: what the router and the people who ask know of it."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from clew.identifiers import KbPrefix
from clew.routing.intent import MAX_INTENTS, Intent, check_names_differ


class KnowledgeBaseSummary(BaseModel):
    """The part of a profile that is shown: to callers and in answers to general messages."""

    model_config = ConfigDict(frozen=True)

    prefix: KbPrefix
    title: str
    title_zh: str = ""
    description: str = ""
    description_zh: str = ""
    examples: tuple[str, ...] = ()
    intents: tuple[Intent, ...] = Field((), max_length=MAX_INTENTS)

    @field_validator("intents")
    @classmethod
    def _intents_differ(cls, intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
        check_names_differ("intent", [intent.name for intent in intents])
        return intents


class KnowledgeBaseProfile(KnowledgeBaseSummary):
    """All that is stored of a knowledge base besides its graph.

    ``entity_names`` are names and aliases that occur in it, most mentioned first, bounded so that the
    item stays below DynamoDB's 400 KB; ``topic_vectors`` are embeddings of its description and of
    clusters of its documents, which the router compares a question with. ``index_state`` is ``ready``
    once a load has ended and ``loading`` while one runs or after one broke off.
    """

    entity_names: tuple[str, ...] = ()
    topic_vectors: tuple[tuple[float, ...], ...] = Field(default=(), repr=False)
    embedder: str = ""
    extraction: str = ""
    documents: int = 0
    chunks: int = 0
    entities: int = 0
    relations: int = 0
    communities: int = 0
    index_state: str = "loading"
    loaded_at: str = ""
