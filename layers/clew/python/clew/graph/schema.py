"""Constraints and indexes; the one place where Neo4j and ArcadeDB differ."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from clew.errors import ConfigurationError, GraphError, GraphUnavailableError
from clew.graph.connection import Graph
from clew.graph.namespace import Namespace

if TYPE_CHECKING:
    import httpx

# Constraints and indexes that all knowledge bases share.
GENERAL = (
    "CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT alias_id IF NOT EXISTS FOR (n:Alias) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT community_id IF NOT EXISTS FOR (n:Community) REQUIRE n.id IS UNIQUE",
    # Both are looked up by knowledge base when one is loaded.
    "CREATE INDEX document_kb IF NOT EXISTS FOR (n:Document) ON (n.kb)",
    "CREATE INDEX alias_kb IF NOT EXISTS FOR (n:Alias) ON (n.kb)",
)
# What the memory of conversations needs. There is no vector index: one conversation is searched exactly.
EPISODES = (
    "CREATE CONSTRAINT episode_id IF NOT EXISTS FOR (n:Episode) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT clearing_id IF NOT EXISTS FOR (n:Clearing) REQUIRE n.id IS UNIQUE",
    "CREATE INDEX episode_conversation IF NOT EXISTS FOR (n:Episode) ON (n.conversation_id)",
)


class Schema(Protocol):
    """Makes the indexes of a knowledge base and of conversations' episodes, and knows their names."""

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        """Make what is missing; safe to repeat. Vectors must have ``dimensions`` numbers.

        ConfigurationError, with nothing changed, if the vector index is there and holds others.
        """
        ...

    def drop(self, namespace: Namespace) -> None:
        """Remove the knowledge base's indexes, once its nodes are gone; safe to repeat."""
        ...

    def dimensions(self, namespace: Namespace) -> int | None:
        """How many numbers the vectors of the index have; None where there is no index."""
        ...

    def prepare_episodes(self) -> None:
        """Make what episodes need and is missing; done once, then calling it costs nothing."""
        ...

    def cosine(self, similarity: float) -> float:
        """The cosine that the engine's ``vector.similarity.cosine`` stands for."""
        ...

    def vector_index(self, label: str) -> str: ...

    def fulltext_index(self, label: str) -> str: ...


VECTOR_INDEX = "SHOW INDEXES YIELD name, options WHERE name = $name RETURN options"


class Neo4jSchema:
    """Neo4j 5.18 or later: everything over Bolt."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._episodes_prepared = False

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        _check_dimensions(namespace, self.dimensions(namespace), dimensions)
        for statement in GENERAL:
            self._graph.run(statement)
        for label in (namespace.chunk_label, namespace.community_label):
            self._graph.run(
                f"CREATE VECTOR INDEX {self.vector_index(label)} IF NOT EXISTS FOR (n:{label}) ON n.embedding "
                f"OPTIONS {{indexConfig: {{`vector.dimensions`: {int(dimensions)}, "
                "`vector.similarity_function`: 'cosine'}}"
            )
        for label in (namespace.chunk_label, namespace.entity_label, namespace.community_label):
            self._graph.run(
                f"CREATE FULLTEXT INDEX {self.fulltext_index(label)} IF NOT EXISTS FOR (n:{label}) ON EACH [n.terms] "
                "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}"
            )
        self._graph.run("CALL db.awaitIndexes(60)")

    def drop(self, namespace: Namespace) -> None:
        for label in namespace.labels:
            for name in (self.vector_index(label), self.fulltext_index(label)):
                self._graph.run(f"DROP INDEX {name} IF EXISTS")

    def dimensions(self, namespace: Namespace) -> int | None:
        rows = self._graph.read(VECTOR_INDEX, name=self.vector_index(namespace.chunk_label))
        return int(rows[0]["options"]["indexConfig"]["vector.dimensions"]) if rows else None

    def prepare_episodes(self) -> None:
        if not self._episodes_prepared:
            for statement in EPISODES:
                self._graph.run(statement)
            self._graph.run("CALL db.awaitIndexes(60)")
            self._episodes_prepared = True

    def cosine(self, similarity: float) -> float:
        return 2 * similarity - 1  # Neo4j maps the cosine to [0, 1]

    def vector_index(self, label: str) -> str:
        return f"{label}_embedding"

    def fulltext_index(self, label: str) -> str:
        return f"{label}_terms"


class ArcadeSchema:
    """ArcadeDB: indexes through its HTTP API in SQL, since Bolt does not take these commands there."""

    def __init__(self, graph: Graph, admin_url: str, database: str, username: str, password: str) -> None:
        self._graph = graph
        self._url = f"{admin_url.rstrip('/')}/api/v1"
        self._database = database
        self._credentials = (username, password)
        self._episodes_prepared = False

    def prepare(self, namespace: Namespace, dimensions: int) -> None:
        _check_dimensions(namespace, self.dimensions(namespace), dimensions)
        for statement in GENERAL:
            self._graph.run(statement)
        chunk, entity, community = namespace.chunk_label, namespace.entity_label, namespace.community_label
        for label, parent in ((chunk, "Chunk"), (entity, "Entity"), (community, "Community")):
            self._command(f"CREATE VERTEX TYPE {label} IF NOT EXISTS EXTENDS {parent}")
            self._command(f"CREATE PROPERTY {label}.terms IF NOT EXISTS STRING")
            self._command(f"CREATE INDEX IF NOT EXISTS ON {label} (terms) FULL_TEXT")
        for label in (chunk, community):
            self._command(f"CREATE PROPERTY {label}.embedding IF NOT EXISTS ARRAY_OF_FLOATS")
            self._command(
                f"CREATE INDEX IF NOT EXISTS ON {label} (embedding) LSM_VECTOR "
                f'METADATA {{"dimensions":{int(dimensions)},"similarity":"COSINE"}}'
            )

    def drop(self, namespace: Namespace) -> None:
        for label in namespace.labels:
            general, _ = label.split("_", 1)
            # A node of two labels is of a type made for the pair; an index goes with its type.
            for name in (f"{general}~{label}", label):
                self._command(f"DROP TYPE `{name}` IF EXISTS")

    def dimensions(self, namespace: Namespace) -> int | None:
        types = self._send("query", f"SELECT FROM schema:types WHERE name = '{namespace.chunk_label}'")
        sizes = [index["dimensions"] for found in types for index in found["indexes"] if "dimensions" in index]
        return int(sizes[0]) if sizes else None

    def prepare_episodes(self) -> None:
        if not self._episodes_prepared:
            for statement in EPISODES:
                self._graph.run(statement)
            # As a list of any values a vector takes twice the room, and going through them half as long again.
            self._command("CREATE PROPERTY Episode.embedding IF NOT EXISTS ARRAY_OF_FLOATS")
            self._episodes_prepared = True

    def cosine(self, similarity: float) -> float:
        return similarity

    def vector_index(self, label: str) -> str:
        return f"{label}[embedding]"

    def fulltext_index(self, label: str) -> str:
        return f"{label}[terms]"

    def _command(self, statement: str) -> None:
        self._send("command", statement)

    @cached_property
    def _http(self) -> "httpx.Client":
        """One client for all commands, since reading its certificates takes far longer than a command.

        Connections are not kept: a load has nothing to say here for minutes, and the engine may be gone by then.
        """
        import httpx

        return httpx.Client(auth=self._credentials, timeout=30, limits=httpx.Limits(max_keepalive_connections=0))

    def _send(self, kind: str, statement: str) -> list[dict[str, Any]]:
        import httpx

        try:
            response = self._http.post(
                f"{self._url}/{kind}/{self._database}", json={"language": "sql", "command": statement}
            )
        except httpx.TransportError as error:
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.") from error
        if response.status_code >= 500:
            raise GraphUnavailableError(f"The knowledge graph failed to prepare its schema ({response.status_code}).")
        if response.is_error:
            raise GraphError(f"The knowledge graph refused a schema command ({response.status_code}): {statement}")
        result: list[dict[str, Any]] = response.json()["result"]
        return result


def _check_dimensions(namespace: Namespace, found: int | None, wanted: int) -> None:
    """Neo4j would keep the index and leave vectors of another size out of it without a word."""
    if found is not None and found != wanted:
        raise ConfigurationError(
            f"Knowledge base {namespace.kb_prefix!r} holds vectors of {found} numbers, the embedder makes {wanted}: "
            "load under another prefix, or set CLEW_EMBEDDER and CLEW_EMBEDDING_MODEL_ID back."
        )
