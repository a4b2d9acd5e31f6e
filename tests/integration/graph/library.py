"""Knowledge bases on an engine: loading into them, and looking at all that they hold."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clew.graph.connection import Graph
from clew.graph.namespace import Namespace
from clew.knowledge.community_builder import CommunityBuilder
from clew.knowledge.documents import DocumentSource
from clew.knowledge.extracted import Extraction
from clew.knowledge.extraction import RuleExtraction
from clew.knowledge.graph_census import GraphCensus
from clew.knowledge.graph_writer import GraphWriter
from clew.knowledge.ingest import Ingest, LoadReport
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.retrieval.graph_reader import GraphReader
from clew.routing.knowledge_base import KnowledgeBaseSummary
from clew.text.embedding import Embedder
from tests.integration.graph.engines import Engine

Row = tuple[Any, ...]

NODES = """
MATCH (n) WHERE n.kb = $kb
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties
"""
EDGES = """
MATCH (a)-[r]->(b) WHERE a.kb = $kb OR b.kb = $kb
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties, a.id AS source, b.id AS target
"""


@dataclass(frozen=True)
class Content:
    """All nodes and relations of a knowledge base, without the engine's own ids; ``elements`` are those."""

    nodes: frozenset[str]
    edges: frozenset[str]
    elements: frozenset[str]

    def titles(self) -> str:
        return "\n".join(sorted(node for node in self.nodes if "Document" in node))


class Library:
    """Loads documents into the knowledge bases of an engine, each with its profile in the table."""

    def __init__(self, engine: Engine, table: Any) -> None:
        self.engine = engine
        self._table = table

    def registry(self, namespace: Namespace) -> KnowledgeBaseRegistry:
        return KnowledgeBaseRegistry(self._table, namespace.tenant_id)

    def ingest(
        self,
        namespace: Namespace,
        embedder: Embedder,
        *,
        embedder_name: str = "terms",
        extraction: Extraction | None = None,
        graph: Graph | None = None,
    ) -> Ingest:
        """What loads into ``namespace``; ``graph`` is another connection to the same one."""
        graph = graph or self.engine.graph
        return Ingest(
            namespace=namespace,
            schema=self.engine.schema,
            census=GraphCensus(graph, namespace),
            writer=GraphWriter(graph, namespace),
            registry=self.registry(namespace),
            extraction=extraction or RuleExtraction(),
            communities=CommunityBuilder(graph, namespace),
            embedder=embedder,
            embedder_name=embedder_name,
        )

    def load(
        self,
        namespace: Namespace,
        documents: DocumentSource,
        embedder: Embedder,
        *,
        summary: KnowledgeBaseSummary | None = None,
        embedder_name: str = "terms",
        extraction: Extraction | None = None,
        progress: Callable[[str, int, int], None] = lambda *_: None,
        prune: bool = False,
    ) -> LoadReport:
        ingest = self.ingest(namespace, embedder, embedder_name=embedder_name, extraction=extraction)
        summary = summary or KnowledgeBaseSummary(prefix=namespace.kb_prefix, title="A test")
        return ingest.load(documents, summary, progress, prune=prune)

    def remove(self, namespace: Namespace, *document_ids: str, embedder: Embedder) -> LoadReport:
        return self.ingest(namespace, embedder).remove(document_ids, lambda *_: None)

    def delete(self, namespace: Namespace, embedder: Embedder) -> int:
        return self.ingest(namespace, embedder).delete(lambda *_: None)

    def reader(self, namespace: Namespace) -> GraphReader:
        return GraphReader(self.engine.graph, self.engine.schema, namespace)

    def content(self, namespace: Namespace, *, without: tuple[str, ...] = ()) -> Content:
        """All that the namespace holds; properties named in ``without`` are left aside."""
        nodes = self.engine.graph.read(NODES, kb=namespace.key)
        edges = self.engine.graph.read(EDGES, kb=namespace.key)
        for row in (*nodes, *edges):
            row["properties"] = sorted((key, value) for key, value in row["properties"].items() if key not in without)
        return Content(
            frozenset(repr((sorted(row["labels"]), row["properties"])) for row in nodes),
            frozenset(repr((row["type"], row["source"], row["target"], row["properties"])) for row in edges),
            frozenset(row["element"] for row in (*nodes, *edges)),
        )
