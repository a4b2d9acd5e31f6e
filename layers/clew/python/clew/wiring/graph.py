"""The graph, opened with its secret, and what reads it."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.errors import ConfigurationError
from clew.settings import GraphSettings
from clew.wiring import secrets

if TYPE_CHECKING:
    from clew.graph.connection import Graph
    from clew.graph.schema import Schema
    from clew.retrieval.graph_reader import GraphReader


@lru_cache
def graph_and_schema(settings: GraphSettings) -> tuple["Graph", "Schema"]:
    """The graph and its schema; the graph's secret is read once per process, nothing is sent to the graph yet."""
    from clew.graph.connection import connect
    from clew.graph.schema import ArcadeSchema, Neo4jSchema

    secret = secrets.secret(settings.neo4j_secret)
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

    opened, schema = graph_and_schema(graph_part(settings))
    return GraphReader(opened, schema, Namespace(tenant_id, kb_prefix))


def graph_part(settings: GraphSettings) -> GraphSettings:
    """The graph's own settings, so that all that use it share one."""
    return GraphSettings.load(**{name: getattr(settings, name) for name in GraphSettings.model_fields})
