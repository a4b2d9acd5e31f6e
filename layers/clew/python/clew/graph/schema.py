"""Constraints and indexes; the one place where Neo4j and ArcadeDB differ."""

from typing import Protocol

from clew.errors import GraphError, GraphUnavailableError
from clew.graph.connection import Graph
from clew.graph.namespace import Namespace

UNIQUE_IDS = (
    "CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT alias_id IF NOT EXISTS FOR (n:Alias) REQUIRE n.id IS UNIQUE",
)


class Schema(Protocol):
    """Makes a knowledge base's indexes and knows their names."""

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        """Make what is missing; safe to repeat. Vectors must have ``dimensions`` numbers."""
        ...

    def vector_index(self, label: str) -> str: ...

    def fulltext_index(self, label: str) -> str: ...


class Neo4jSchema:
    """Neo4j 5.15 or later: everything over Bolt."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        for statement in UNIQUE_IDS:
            self._graph.run(statement)
        chunk, entity = namespace.chunk_label, namespace.entity_label
        self._graph.run(
            f"CREATE VECTOR INDEX {self.vector_index(chunk)} IF NOT EXISTS FOR (n:{chunk}) ON n.embedding "
            f"OPTIONS {{indexConfig: {{`vector.dimensions`: {int(dimensions)}, "
            "`vector.similarity_function`: 'cosine'}}"
        )
        for label in (chunk, entity):
            self._graph.run(
                f"CREATE FULLTEXT INDEX {self.fulltext_index(label)} IF NOT EXISTS FOR (n:{label}) ON EACH [n.terms] "
                "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}"
            )
        self._graph.run("CALL db.awaitIndexes(60)")

    def vector_index(self, label: str) -> str:
        return f"{label}_embedding"

    def fulltext_index(self, label: str) -> str:
        return f"{label}_terms"


class ArcadeSchema:
    """ArcadeDB: indexes through its HTTP API in SQL, since Bolt does not take these commands there."""

    def __init__(self, graph: Graph, admin_url: str, database: str, username: str, password: str) -> None:
        self._graph = graph
        self._url = f"{admin_url.rstrip('/')}/api/v1/command/{database}"
        self._credentials = (username, password)

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        for statement in UNIQUE_IDS:
            self._graph.run(statement)
        chunk, entity = namespace.chunk_label, namespace.entity_label
        for label, parent in ((chunk, "Chunk"), (entity, "Entity")):
            self._command(f"CREATE VERTEX TYPE {label} IF NOT EXISTS EXTENDS {parent}")
            self._command(f"CREATE PROPERTY {label}.terms IF NOT EXISTS STRING")
            self._command(f"CREATE INDEX IF NOT EXISTS ON {label} (terms) FULL_TEXT")
        self._command(f"CREATE PROPERTY {chunk}.embedding IF NOT EXISTS ARRAY_OF_FLOATS")
        self._command(
            f"CREATE INDEX IF NOT EXISTS ON {chunk} (embedding) LSM_VECTOR "
            f'METADATA {{"dimensions":{int(dimensions)},"similarity":"COSINE"}}'
        )

    def vector_index(self, label: str) -> str:
        return f"{label}[embedding]"

    def fulltext_index(self, label: str) -> str:
        return f"{label}[terms]"

    def _command(self, statement: str) -> None:
        import httpx

        try:
            response = httpx.post(
                self._url, auth=self._credentials, json={"language": "sql", "command": statement}, timeout=30
            )
        except httpx.TransportError as error:
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.") from error
        if response.status_code >= 500:
            raise GraphUnavailableError(f"The knowledge graph failed to prepare its schema ({response.status_code}).")
        if response.is_error:
            raise GraphError(f"The knowledge graph refused a schema command ({response.status_code}): {statement}")
