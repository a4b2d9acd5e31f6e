"""The resident agents, the workflow that asks them, and the models that plan, rank and choose."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.settings import ChooserSettings, PlannerSettings, RerankerSettings, RetrievalSettings
from clew.wiring import graph, models
from clew.wiring.aws import client_config

if TYPE_CHECKING:
    from clew.answering.turn.lookup import RetrievalWorkflow
    from clew.retrieval.pool import AgentPool
    from clew.retrieval.reranker import Reranker
    from clew.retrieval.research.planner import Planner
    from clew.routing.chooser import KnowledgeBaseChooser

WORKFLOW_READ_TIMEOUT = 75  # seconds; the workflow itself gives up after 60


@lru_cache
def agent_pool(settings: RetrievalSettings, tenant_id: str) -> "AgentPool":
    """The resident agents of a tenant."""
    from clew.retrieval.pool import AgentPool

    return AgentPool(
        lambda prefix: graph.graph_reader(settings, tenant_id, prefix),
        models.embedder(models.embedder_part(settings)),
        reranker=reranker(settings),
        planner=planner(settings),
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
def retrieval_workflow(arn: str) -> "RetrievalWorkflow":
    """The workflow; it is waited for longer than it may take, and never started twice for one message."""
    import boto3

    from clew.answering.turn.lookup import RetrievalWorkflow

    config = client_config(connect_timeout=2, read_timeout=WORKFLOW_READ_TIMEOUT, attempts=1)
    return RetrievalWorkflow(boto3.client("stepfunctions", config=config), arn)
