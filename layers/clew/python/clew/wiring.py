"""The composition root: which implementation stands behind a setting, made once per process."""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from clew.errors import ConfigurationError, ModelNotAllowedError
from clew.settings import (
    AnswerSettings,
    ChatModelSettings,
    ChooserSettings,
    EmbedderSettings,
    GraphSettings,
    IngestSettings,
    LongTermMemorySettings,
    MemorySettings,
    PlannerSettings,
    RerankerSettings,
    RetrievalSettings,
    TableSettings,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

    from clew.answering.chat_model import ChatModel
    from clew.answering.prompting.token_counter import CountPrompt
    from clew.answering.rewriting.rewriter import Rewriter
    from clew.answering.running.answers import Answers
    from clew.answering.turn.lookup import RetrievalWorkflow
    from clew.answering.turn.turn import Turn
    from clew.conversation.feedback import FeedbackStore
    from clew.conversation.running_answers import RunningAnswers
    from clew.conversation.store import ConversationStore
    from clew.graph.connection import Graph
    from clew.graph.schema import Schema
    from clew.knowledge.extracted import Extraction
    from clew.knowledge.graph_model import Summariser
    from clew.knowledge.ingest import Ingest
    from clew.knowledge.registry import KnowledgeBaseRegistry
    from clew.memory.episodes import Episodes
    from clew.memory.keeper import MemoryKeeper
    from clew.memory.long_term import LongTermMemory
    from clew.memory.summariser import Summariser as ConversationSummariser
    from clew.models.bedrock_graph_model import BedrockGraphModel
    from clew.models.text_model import TextModel
    from clew.retrieval.graph_reader import GraphReader
    from clew.retrieval.pool import AgentPool
    from clew.retrieval.reranker import Reranker
    from clew.retrieval.research.planner import Planner
    from clew.retrieval.run_notes import RunNotes
    from clew.routing.chooser import KnowledgeBaseChooser
    from clew.text.embedding import Embedder

ExtractionKind = Literal["rule", "bedrock"]
SummaryKind = Literal["extract", "bedrock"]

WORKFLOW_READ_TIMEOUT = 75  # seconds; the workflow itself gives up after 60

CONNECTIONS = 64
"""Kept open to a service at a time; of botocore's ten the others would be made anew for each call."""


@lru_cache
def dynamodb_table(name: str, timeout: float = 5, attempts: int = 4) -> "Table":
    """The table; a request that takes ``timeout`` seconds is given up and tried again rather than waited for."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=min(2, timeout),
        read_timeout=timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=CONNECTIONS,
    )
    return boto3.resource("dynamodb", config=config).Table(name)


def conversation_store(settings: TableSettings, tenant_id: str) -> "ConversationStore":
    """The conversations of one tenant; cheap, so made for each request."""
    from clew.conversation.store import ConversationStore

    return ConversationStore(dynamodb_table(settings.table_name), tenant_id)


def feedback(settings: TableSettings, tenant_id: str) -> "FeedbackStore":
    """What one tenant's users judged."""
    from clew.conversation.feedback import FeedbackStore

    return FeedbackStore(dynamodb_table(settings.table_name), tenant_id)


def knowledge_bases(settings: TableSettings, tenant_id: str) -> "KnowledgeBaseRegistry":
    """The knowledge bases of one tenant; cheap, so made for each request."""
    from clew.knowledge.registry import KnowledgeBaseRegistry

    return KnowledgeBaseRegistry(dynamodb_table(settings.table_name), tenant_id)


def run_notes(settings: TableSettings) -> "RunNotes":
    """The notes of finished runs; one that is late is worth nothing, so nobody waits for it or tries again."""
    from clew.retrieval.run_notes import RunNotes

    return RunNotes(dynamodb_table(settings.table_name, timeout=0.5, attempts=1))


@lru_cache
def embedder(settings: EmbedderSettings) -> "Embedder":
    match settings.embedder:
        case "e5":
            from clew.models.e5_embedder import E5Embedder

            return E5Embedder()
        case "bedrock":
            from clew.models.bedrock_embedder import BedrockEmbedder

            return BedrockEmbedder(settings.embedding_model_id)


def embedder_name(settings: EmbedderSettings) -> str:
    """What a knowledge base notes as its embedder: vectors of two of them do not compare."""
    return "e5" if settings.embedder == "e5" else settings.embedding_model_id


def chat_model(settings: AnswerSettings, model: str = "") -> "ChatModel":
    """The stage's own chat model, or ``model`` where a request names one; ModelNotAllowedError as ``check_model``."""
    check_model(settings, model)
    return _chat_model(settings, model)


def check_model(settings: AnswerSettings, model: str) -> None:
    """ModelNotAllowedError where the stage does not let a request choose ``model``; empty is the stage's own."""
    if not model:
        return
    if settings.chat_model == "extractive":
        raise ModelNotAllowedError("This service answers without a language model. Leave out 'model'.")
    if model not in settings.models_allowed:
        allowed = ", ".join(settings.models_allowed)
        told = f"Allowed: {allowed}; or leave out 'model'." if allowed else "Leave out 'model'."
        raise ModelNotAllowedError(f"The model {model[:140]!r} may not be chosen. {told}")


@lru_cache
def _chat_model(settings: AnswerSettings, model: str) -> "ChatModel":
    if settings.chat_model == "extractive":
        from clew.models.extractive.extractive_chat import ExtractiveChat

        return ExtractiveChat(embedder(_embedder_part(settings)))
    from clew.models.backing_off_chat import BackingOffChat

    own = settings.bedrock_model_id if settings.chat_model == "bedrock" else settings.openai_model
    fallback = settings.fallback_model_id
    return BackingOffChat(
        _language_model(settings, model or own),
        _language_model(settings, fallback) if fallback not in ("", model or own) else None,
    )


def _language_model(settings: AnswerSettings, model: str) -> "ChatModel":
    """A model of the provider that the settings name, asked once."""
    if settings.chat_model == "openai":
        from clew.models.openai_chat import OpenAIChat

        return OpenAIChat(
            settings.openai_base_url,
            model,
            _api_key(settings),
            connect_timeout=settings.model_connect_seconds,
            read_timeout=settings.model_read_seconds,
        )
    from clew.models.bedrock_chat import BedrockChat, Guardrail

    guardrail = Guardrail(settings.bedrock_guardrail_id, settings.bedrock_guardrail_version)
    return BedrockChat(
        model,
        region=settings.bedrock_region,
        profile=settings.bedrock_profile,
        guardrail=guardrail if guardrail.id else None,
        connect_timeout=settings.model_connect_seconds,
        read_timeout=settings.model_read_seconds,
    )


@lru_cache
def text_model(
    settings: ChatModelSettings, connect_timeout: float = 5, read_timeout: float = 30, attempts: int = 2
) -> "TextModel | None":
    """The chat model, to be asked for one text at a time; None where it is no language model."""
    match settings.chat_model:
        case "extractive":
            return None
        case "bedrock":
            from clew.models.bedrock_converse import BedrockConverse

            return BedrockConverse(
                settings.bedrock_model_id,
                region=settings.bedrock_region,
                profile=settings.bedrock_profile,
                connect_timeout=connect_timeout,
                read_timeout=read_timeout,
                attempts=attempts,
            )
        case "openai":
            from clew.models.openai_text import OpenAIText

            return OpenAIText(
                settings.openai_base_url,
                settings.openai_model,
                _api_key(settings),
                connect_timeout=connect_timeout,
                read_timeout=read_timeout,
            )


@lru_cache
def rewriter(settings: ChatModelSettings) -> "Rewriter":
    """What makes messages stand alone: the chat model if it is a language model, else and where it fails the rule."""
    from clew.answering.rewriting.rule import RuleRewriter

    model = text_model(settings, connect_timeout=1, read_timeout=3, attempts=1)  # a person waits
    if model is None:
        return RuleRewriter()
    from clew.answering.rewriting.falling_back import FallingBackRewriter
    from clew.models.model_rewriter import ModelRewriter

    return FallingBackRewriter(ModelRewriter(model), RuleRewriter())


@lru_cache
def reranker(settings: RerankerSettings) -> "Reranker | None":
    """The model that scores passages, where one is configured."""
    match settings.reranker:
        case "none":
            return None
        case "bedrock":
            from clew.models.bedrock_reranker import BedrockReranker

            return BedrockReranker(
                settings.reranker_model_id, region=settings.bedrock_region, profile=settings.bedrock_profile
            )


@lru_cache
def planner(settings: PlannerSettings) -> "Planner | None":
    """The model that plans research, where one is configured; the rule plans whenever it fails."""
    match settings.research_planner:
        case "none":
            return None
        case "bedrock":
            from clew.models.bedrock_planner import BedrockPlanner
            from clew.retrieval.research.falling_back import FallingBackPlanner
            from clew.retrieval.research.rule_planner import RulePlanner

            model = BedrockPlanner(
                settings.research_planner_model_id, region=settings.bedrock_region, profile=settings.bedrock_profile
            )
            return FallingBackPlanner(model, RulePlanner())


@lru_cache
def kb_chooser(settings: ChooserSettings) -> "KnowledgeBaseChooser | None":
    """The model that the router may ask, where one is configured."""
    match settings.kb_chooser:
        case "none":
            return None
        case "bedrock":
            from clew.models.bedrock_chooser import BedrockChooser

            return BedrockChooser(
                settings.kb_chooser_model_id, region=settings.bedrock_region, profile=settings.bedrock_profile
            )


@lru_cache
def graph(settings: GraphSettings) -> tuple["Graph", "Schema"]:
    """The graph and its schema; the graph's secret is read once per process, nothing is sent to the graph yet."""
    from clew.graph.connection import connect
    from clew.graph.schema import ArcadeSchema, Neo4jSchema

    secret = _secret(settings.neo4j_secret)
    missing = [name for name in ("uri", "username", "password") if not secret.get(name)]
    if missing:
        raise ConfigurationError(f"The secret {settings.neo4j_secret!r} lacks {', '.join(missing)}.")
    username, password, database = secret["username"], secret["password"], secret.get("database") or "neo4j"
    opened = connect(secret["uri"], username, password, database)
    match settings.graph_engine:
        case "neo4j":
            return opened, Neo4jSchema(opened)
        case "arcadedb":
            return opened, ArcadeSchema(opened, secret.get("admin_url", ""), database, username, password)


def graph_reader(settings: GraphSettings, tenant_id: str, kb_prefix: str) -> "GraphReader":
    from clew.graph.namespace import Namespace
    from clew.retrieval.graph_reader import GraphReader

    opened, schema = graph(_graph_part(settings))
    return GraphReader(opened, schema, Namespace(tenant_id, kb_prefix))


@lru_cache
def agent_pool(settings: RetrievalSettings, tenant_id: str) -> "AgentPool":
    """The resident agents of a tenant."""
    from clew.retrieval.pool import AgentPool

    return AgentPool(
        lambda prefix: graph_reader(settings, tenant_id, prefix),
        embedder(_embedder_part(settings)),
        reranker=reranker(settings),
        planner=planner(settings),
    )


@lru_cache
def retrieval_workflow(arn: str) -> "RetrievalWorkflow":
    """The workflow; it is waited for longer than it may take, and never started twice for one message."""
    import boto3
    from botocore.config import Config

    from clew.answering.turn.lookup import RetrievalWorkflow

    config = Config(
        connect_timeout=2,
        read_timeout=WORKFLOW_READ_TIMEOUT,
        retries={"mode": "standard", "total_max_attempts": 1},
        max_pool_connections=CONNECTIONS,
    )
    return RetrievalWorkflow(boto3.client("stepfunctions", config=config), arn)


@lru_cache
def turn(settings: AnswerSettings) -> "Turn":
    from clew.answering.prompting.budget import ContextBudget
    from clew.answering.prompting.token_counter import counter_of
    from clew.answering.turn.searching import Searching
    from clew.answering.turn.turn import Turn

    return Turn(
        store=lambda tenant_id: conversation_store(settings, tenant_id),
        knowledge_bases=lambda tenant_id: knowledge_bases(settings, tenant_id),
        rewriter=lambda: rewriter(settings),
        searching=Searching(
            workflow=lambda: retrieval_workflow(settings.workflow_arn),
            notes=lambda: run_notes(settings),
            episodes=lambda tenant_id: episodes(settings, tenant_id),
            user_memory=None if settings.long_term_memory == "none" else lambda: long_term_memory(settings),
        ),
        model=lambda name: chat_model(settings, name),
        counter=lambda model: counter_of(model.name, _count_prompt(settings, model.name)),
        budget=ContextBudget.within(settings.context_tokens),
    )


@lru_cache
def answers(settings: AnswerSettings) -> "Answers":
    """What gives answers; one for the process, since it holds what all turns share."""
    from clew.answering.running.answers import Answers
    from clew.observability.turns import observe_turns

    return Answers(
        turn(settings),
        lambda: running_answers(settings),
        seconds=settings.turn_seconds,
        on_client_gone=settings.on_client_gone,
        observe=observe_turns(settings.stage),
    )


def running_answers(settings: TableSettings) -> "RunningAnswers":
    from clew.conversation.running_answers import RunningAnswers

    return RunningAnswers(dynamodb_table(settings.table_name))


def episodes(settings: AnswerSettings | MemorySettings, tenant_id: str) -> "Episodes":
    """The episodes of one tenant's conversations; cheap once the graph is open, so made for each request."""
    from clew.memory.episodes import Episodes

    opened, schema = graph(_graph_part(settings))
    return Episodes(opened, schema, embedder(_embedder_part(settings)), tenant_id)


@lru_cache
def long_term_memory(settings: LongTermMemorySettings) -> "LongTermMemory | None":
    """What is kept of users over all conversations, where that is configured; nothing is sent yet."""
    match settings.long_term_memory:
        case "none":
            return None
        case "mem0":
            from clew.memory.mem0 import Mem0

            return Mem0(settings.mem0_url, lambda: _key_in(settings.mem0_api_key_secret))


@lru_cache
def summariser(settings: ChatModelSettings) -> "ConversationSummariser":
    """What extends conversations' summaries: the chat model if it is a language model, else the rule."""
    model = text_model(settings)
    if model is None:
        return summariser_by_rule()
    from clew.models.model_summariser import ModelSummariser

    return ModelSummariser(model, summariser_by_rule())


@lru_cache
def summariser_by_rule() -> "ConversationSummariser":
    from clew.memory.extractive_summary import ExtractiveSummariser

    return ExtractiveSummariser()


def memory_keeper(settings: MemorySettings, tenant_id: str) -> "MemoryKeeper":
    """What keeps the memory of one tenant's conversations."""
    from clew.memory.keeper import MemoryKeeper

    return MemoryKeeper(
        store=conversation_store(settings, tenant_id),
        episodes=episodes(settings, tenant_id),
        summariser=summariser(settings),
        long_term_memory=lambda: long_term_memory(settings),
        tenant_id=tenant_id,
    )


@lru_cache
def _count_prompt(settings: AnswerSettings, model: str) -> "CountPrompt | None":
    """The chat model's own counter of tokens, where it has one."""
    if settings.chat_model != "bedrock":
        return None
    from clew.models.bedrock_token_counter import BedrockTokenCounter

    return BedrockTokenCounter(model, region=settings.bedrock_region, profile=settings.bedrock_profile).count


def ingest(
    settings: IngestSettings,
    tenant_id: str,
    kb_prefix: str,
    *,
    extraction: ExtractionKind = "rule",
    summaries: SummaryKind = "extract",
    title_links: bool = True,
) -> "Ingest":
    """What loads documents into one knowledge base, read and summarised by rule or by a model.

    Without ``title_links``, for measuring, the rules link documents by names in running text alone.
    """
    from clew.graph.namespace import Namespace
    from clew.knowledge.community_builder import CommunityBuilder
    from clew.knowledge.graph_census import GraphCensus
    from clew.knowledge.graph_writer import GraphWriter
    from clew.knowledge.ingest import Ingest

    opened, schema = graph(_graph_part(settings))
    namespace = Namespace(tenant_id, kb_prefix)
    return Ingest(
        namespace=namespace,
        schema=schema,
        census=GraphCensus(opened, namespace),
        writer=GraphWriter(opened, namespace),
        registry=knowledge_bases(settings, tenant_id),
        extraction=_extraction(settings, extraction, title_links=title_links),
        communities=CommunityBuilder(opened, namespace, _summariser(settings, summaries)),
        embedder=embedder(_embedder_part(settings)),
        embedder_name=embedder_name(settings),
    )


def _extraction(settings: IngestSettings, kind: ExtractionKind, *, title_links: bool = True) -> "Extraction":
    match kind:
        case "rule":
            from clew.knowledge.extraction import RuleExtraction

            return RuleExtraction(title_links=title_links)
        case "bedrock":
            from clew.knowledge.model_extraction import ModelExtraction

            return ModelExtraction(_graph_model(settings))


def _summariser(settings: IngestSettings, kind: SummaryKind) -> "Summariser | None":
    """The model that writes summaries; None where they are put together from sentences."""
    return _graph_model(settings) if kind == "bedrock" else None


@lru_cache
def _graph_model(settings: IngestSettings) -> "BedrockGraphModel":
    from clew.models.bedrock_graph_model import BedrockGraphModel

    return BedrockGraphModel(settings.ingest_model_id, region=settings.bedrock_region, profile=settings.bedrock_profile)


def _embedder_part(settings: EmbedderSettings) -> EmbedderSettings:
    """The embedder's own settings, so that all that use it share one."""
    return EmbedderSettings.load(**{name: getattr(settings, name) for name in EmbedderSettings.model_fields})


def _graph_part(settings: GraphSettings) -> GraphSettings:
    return GraphSettings.load(**{name: getattr(settings, name) for name in GraphSettings.model_fields})


def _secret(name: str) -> dict[str, str]:
    from aws_lambda_powertools.utilities import parameters
    from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError, TransformParameterError

    try:
        found = parameters.get_secret(name, transform="json")
    except (GetParameterError, TransformParameterError) as error:
        raise ConfigurationError(f"The secret {name!r} cannot be read as JSON from Secrets Manager.") from error
    if not isinstance(found, dict):
        raise ConfigurationError(f"The secret {name!r} must hold a JSON object.")
    return found


def _api_key(settings: ChatModelSettings) -> str:
    return _key_in(settings.openai_api_key_secret)


def _key_in(secret: str) -> str:
    """The key that a secret ``{"api_key": "…"}`` holds; empty where no secret is named."""
    return str(_secret(secret).get("api_key", "")) if secret else ""
