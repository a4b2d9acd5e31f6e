"""The three stages: everything in which a laptop, a trial account and production differ."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from aws_cdk import RemovalPolicy
from aws_cdk.aws_logs import RetentionDays

from clew.settings import (
    ChooserSettings,
    EmbedderSettings,
    GenerationSettings,
    LongTermMemorySettings,
    PlannerSettings,
    RerankerSettings,
)


@dataclass(frozen=True, slots=True)
class Size:
    """A function's memory, which also sets its share of CPU, and how long one call may take."""

    memory_mb: int
    timeout_s: int


@dataclass(frozen=True, slots=True)
class StageConfig:
    """One stage.

    ``web_adapter``, ``dependency_layers``, ``tracing`` and ``access_logs`` are off where an emulator
    runs the functions in the interpreter and with the packages that it was started with. ``validated``
    checks the template against CloudFormation's rules: some seconds that a laptop's start has not got.
    """

    name: str
    graph_engine: Literal["neo4j", "arcadedb"]
    embedder: Literal["bedrock", "e5"]
    chat_model: Literal["extractive", "bedrock", "openai"]
    reranker: Literal["none", "bedrock"]
    research_planner: Literal["none", "bedrock"]
    kb_chooser: Literal["none", "bedrock"]
    identity: Literal["none", "cognito"]
    log_retention: RetentionDays
    removal_policy: RemovalPolicy
    deletion_protection: bool
    web_adapter: bool
    dependency_layers: bool
    tracing: bool
    access_logs: bool
    validated: bool
    requests_per_second: int
    burst: int
    # The prefix is a geography of inference profiles: newer models cannot be called without one, and
    # "global" exists in every region. Write "us." or "eu." to keep requests there.
    bedrock_model_id: str = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
    # Asked in its place when it stays busy or refuses; and those that a request may choose.
    fallback_model_id: str = ""
    allowed_models: tuple[str, ...] = ()
    # A guardrail's id or ARN, which every model that answers is asked with.
    bedrock_guardrail_id: str = ""
    bedrock_guardrail_version: str = GenerationSettings.model_fields["bedrock_guardrail_version"].default
    embedding_model_id: str = EmbedderSettings.model_fields["embedding_model_id"].default
    reranker_model_id: str = RerankerSettings.model_fields["reranker_model_id"].default
    research_planner_model_id: str = PlannerSettings.model_fields["research_planner_model_id"].default
    kb_chooser_model_id: str = ChooserSettings.model_fields["kb_chooser_model_id"].default
    kb_auto_route: bool = True
    # Below the answer function's own time-out, with time left to store what there is.
    turn_seconds: int = 300
    on_client_gone: Literal["stop", "finish"] = "stop"
    # The name of a secret {"api_key": "…"}, where mem0 wants a key.
    long_term_memory: Literal["none", "mem0"] = "none"
    mem0_url: str = LongTermMemorySettings.model_fields["mem0_url"].default
    mem0_api_key_secret: str = ""
    # An SNS topic that alarms tell; without one they are seen in CloudWatch alone.
    alarm_topic_arn: str = ""
    log_level: str = "INFO"
    # Three attempts of a worker after one of the router end before the whole workflow does (60 s), so that
    # a worker that hangs costs its own evidence and not that of the others.
    router: Size = Size(512, 10)
    retrieval: Size = Size(512, 15)
    # As long as API Gateway lets a stream last: 15 minutes.
    answer: Size = Size(1024, 900)
    # Below the 29 seconds that API Gateway waits for a buffered answer.
    api: Size = Size(512, 25)
    # A batch of fifty messages, of which every third turn extends a summary by a language model.
    memory: Size = Size(512, 300)

    @property
    def graph_secret(self) -> str:
        """Name of the secret that holds the graph's address and password; the operator makes it."""
        return f"clew/{self.name}/neo4j"

    def function_name(self, function: str) -> str:
        return f"clew-{self.name}-{function}"


class UnknownStageError(Exception):
    """No stage was named, or one that does not exist."""

    def __init__(self, name: Any) -> None:
        told = "No stage is named" if name is None else f"There is no stage {name!r}"
        super().__init__(f"{told}. Add -c stage=NAME, where NAME is one of: {', '.join(STAGES)}.")


_LOCAL: Final = StageConfig(
    name="local",
    graph_engine="arcadedb",
    embedder="e5",
    chat_model="extractive",
    reranker="none",
    research_planner="none",
    kb_chooser="none",
    identity="none",
    log_retention=RetentionDays.ONE_DAY,
    removal_policy=RemovalPolicy.DESTROY,
    deletion_protection=False,
    web_adapter=False,
    dependency_layers=False,
    tracing=False,
    access_logs=False,
    validated=False,
    requests_per_second=1000,
    burst=1000,
)

_DEV: Final = StageConfig(
    name="dev",
    graph_engine="neo4j",
    embedder="bedrock",
    chat_model="bedrock",
    reranker="none",
    research_planner="none",
    kb_chooser="none",
    identity="cognito",
    log_retention=RetentionDays.TWO_WEEKS,
    removal_policy=RemovalPolicy.DESTROY,
    deletion_protection=False,
    web_adapter=True,
    dependency_layers=True,
    tracing=True,
    access_logs=True,
    validated=True,
    requests_per_second=20,
    burst=40,
)

_PROD: Final = StageConfig(
    name="prod",
    graph_engine="neo4j",
    embedder="bedrock",
    chat_model="bedrock",
    reranker="none",
    research_planner="none",
    kb_chooser="none",
    identity="cognito",
    log_retention=RetentionDays.THREE_MONTHS,
    removal_policy=RemovalPolicy.RETAIN,
    deletion_protection=True,
    web_adapter=True,
    dependency_layers=True,
    tracing=True,
    access_logs=True,
    validated=True,
    requests_per_second=100,
    burst=200,
    router=Size(1024, 10),
    retrieval=Size(1024, 15),
    answer=Size(2048, 900),
)

STAGES: Final = {stage.name: stage for stage in (_LOCAL, _DEV, _PROD)}
