"""What loads documents into a knowledge base, by rule or by a model."""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from clew.settings import IngestSettings
from clew.wiring import graph, models, stores

if TYPE_CHECKING:
    from clew.knowledge.extracted import Extraction
    from clew.knowledge.graph_model import Summariser
    from clew.knowledge.ingest import Ingest
    from clew.models.bedrock_graph_model import BedrockGraphModel

ExtractionKind = Literal["rule", "bedrock"]
SummaryKind = Literal["extract", "bedrock"]


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

    opened, schema = graph.graph_and_schema(graph.graph_part(settings))
    namespace = Namespace(tenant_id, kb_prefix)
    return Ingest(
        namespace=namespace,
        schema=schema,
        census=GraphCensus(opened, namespace),
        writer=GraphWriter(opened, namespace),
        registry=stores.knowledge_bases(settings, tenant_id),
        extraction=_extraction(settings, extraction, title_links=title_links),
        communities=CommunityBuilder(opened, namespace, _summariser(settings, summaries)),
        embedder=models.embedder(models.embedder_part(settings)),
        embedder_name=models.embedder_name(settings),
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
