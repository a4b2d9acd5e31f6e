"""Settings: one class a function, made of small mixins, read once from the environment.

Infrastructure sets exactly the variables that these classes declare; a test compares the two.
Secrets are never in the environment: a variable names the secret, Secrets Manager holds it.
"""

from typing import Any, Final, Literal, Self

from pydantic import AliasChoices, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from clew.errors import ConfigurationError

LANGUAGE_MODEL: Final = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
"""On Bedrock, wherever a language model is asked; "global" is a geography that exists in every region."""


class Settings(BaseSettings):
    """Base of all settings: variables begin with ``CLEW_`` unless the field says otherwise."""

    model_config = SettingsConfigDict(env_prefix="CLEW_", extra="ignore", frozen=True)

    stage: str = "local"

    @classmethod
    def load(cls, **values: Any) -> Self:
        """Read the environment, ``values`` first; ConfigurationError names the variable that does not fit."""
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            field = str(first["loc"][0]) if first["loc"] else "?"
            variable = field.upper() if field.upper().startswith("CLEW_") else f"CLEW_{field.upper()}"
            raise ConfigurationError(f"Setting {variable}: {first['msg']}.") from error


class TableSettings(Settings):
    """The DynamoDB table."""

    table_name: str


class GraphSettings(Settings):
    """The graph: a secret ``{"uri", "username", "password", "database"?, "admin_url"?}`` and the kind of engine.

    ``admin_url`` is the HTTP address that ArcadeDB takes schema commands on; Neo4j needs none.
    """

    neo4j_secret: str
    graph_engine: Literal["neo4j", "arcadedb"] = "neo4j"


class EmbedderSettings(Settings):
    """The embedder; all that read or write one graph must use the same."""

    embedder: Literal["bedrock", "e5"] = "bedrock"
    embedding_model_id: str = "amazon.titan-embed-text-v2:0"


class BedrockSettings(Settings):
    """Where Bedrock's language models and rerankers are reached, and with whose credentials."""

    bedrock_region: str = ""
    bedrock_profile: str = Field("", description="AWS profile for these models alone; then the real endpoint is used.")


class ChatModelSettings(BedrockSettings):
    """The chat model: the extractive one, Bedrock, or a server that speaks the OpenAI protocol."""

    chat_model: Literal["extractive", "bedrock", "openai"] = "extractive"
    bedrock_model_id: str = LANGUAGE_MODEL
    openai_base_url: str = "http://127.0.0.1:11434/v1"
    openai_model: str = ""
    openai_api_key_secret: str = ""


class GenerationSettings(ChatModelSettings):
    """How the chat model is asked for an answer, and which others may be asked in its place.

    Time-outs are in seconds; the second one is of silence, between two pieces of an answer or before the first.
    ``allowed_models`` are those that a request may choose, with commas between them.
    """

    model_connect_seconds: float = Field(5, gt=0)
    model_read_seconds: float = Field(120, gt=0)
    fallback_model_id: str = ""
    allowed_models: str = ""
    bedrock_guardrail_id: str = ""
    bedrock_guardrail_version: str = "DRAFT"

    @property
    def models_allowed(self) -> tuple[str, ...]:
        """The names in ``allowed_models``."""
        return tuple(filter(None, (name.strip() for name in self.allowed_models.split(","))))


class LongTermMemorySettings(Settings):
    """What is known of users over all conversations, if anything: mem0's platform, or a server of one's own."""

    long_term_memory: Literal["none", "mem0"] = "none"
    mem0_url: str = "https://api.mem0.ai"
    mem0_api_key_secret: str = ""


class ChooserSettings(BedrockSettings):
    """The model that is asked where names and meaning do not decide for a knowledge base, if any."""

    kb_chooser: Literal["none", "bedrock"] = "none"
    kb_chooser_model_id: str = LANGUAGE_MODEL


class RerankerSettings(BedrockSettings):
    """The model that scores passages against the question, if any."""

    reranker: Literal["none", "bedrock"] = "none"
    reranker_model_id: str = "amazon.rerank-v1:0"


class PlannerSettings(BedrockSettings):
    """The model that plans the rounds of research, if any; without one they are planned by rule."""

    research_planner: Literal["none", "bedrock"] = "none"
    research_planner_model_id: str = LANGUAGE_MODEL


class RouterSettings(TableSettings, EmbedderSettings, ChooserSettings):
    """The router function's environment."""

    kb_auto_route: bool = Field(True, validation_alias=AliasChoices("KB_AUTO_ROUTE", "kb_auto_route"))
    identity: Literal["none", "cognito"] = "cognito"


class RetrievalSettings(TableSettings, GraphSettings, EmbedderSettings, RerankerSettings, PlannerSettings):
    """The retrieval function's environment."""


class AnswerSettings(TableSettings, GraphSettings, EmbedderSettings, GenerationSettings, LongTermMemorySettings):
    """The answer function's environment; graph and embedder serve the recall of older turns."""

    workflow_arn: str
    turn_seconds: float = Field(300, gt=0, description="How long one answer may take in all.")
    on_client_gone: Literal["stop", "finish"] = "stop"
    heartbeat_seconds: float = Field(10, gt=0, description="Between two signs of life in a stream that is silent.")
    context_tokens: int = Field(0, ge=0, description="What the chat model reads at most; 0 where that is not known.")
    identity: Literal["none", "cognito"] = "cognito"


class ApiSettings(TableSettings):
    """The api function's environment."""

    identity: Literal["none", "cognito"] = "cognito"


class MemorySettings(TableSettings, GraphSettings, EmbedderSettings, ChatModelSettings, LongTermMemorySettings):
    """The memory function's environment; the chat model, where it is a language model, writes the summaries."""


class IngestSettings(TableSettings, GraphSettings, EmbedderSettings, BedrockSettings):
    """What loading documents needs, wherever it runs; whether a model reads them is told for each load."""

    ingest_model_id: str = LANGUAGE_MODEL
