"""The connection to the graph over Bolt, and the translation of its errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import neo4j
from neo4j import exceptions as bolt

from clew.errors import GraphError, GraphUnavailableError

Rows = list[dict[str, Any]]
T = TypeVar("T")


class Graph:
    """A database behind a Bolt driver.

    Transient trouble becomes GraphUnavailableError, which the workflow retries; a refused query becomes
    GraphError. Query text is fixed in this package; values always travel as parameters.
    """

    def __init__(self, driver: neo4j.Driver, database: str) -> None:
        self._driver = driver
        self._database = database

    def read(self, query: str, /, **parameters: Any) -> Rows:
        """The rows of a read query, routed to a reader where there is a cluster."""
        with _translated():
            result = self._driver.execute_query(
                query,
                parameters,
                database_=self._database,
                routing_=neo4j.RoutingControl.READ,
            )
            return [record.data() for record in result.records]

    def write(self, work: Callable[[neo4j.ManagedTransaction], T]) -> T:
        """Run ``work`` in one transaction: all of it is stored or nothing."""
        with _translated(), self._driver.session(database=self._database) as session:
            return session.execute_write(work)

    def run(self, statement: str) -> None:
        """Run one schema statement."""
        with _translated():
            self._driver.execute_query(statement, database_=self._database)

    def ping(self) -> None:
        """Raise GraphUnavailableError unless the graph answers."""
        with _translated():
            self._driver.verify_connectivity()

    def close(self) -> None:
        self._driver.close()


def connect(uri: str, username: str, password: str, database: str) -> Graph:
    """Open a graph; nothing is sent until the first query.

    The pool is small because a Lambda instance serves one event at a time; connections idle longer
    than 10 s are checked before use, since a frozen instance wakes up with dead ones.
    """
    driver = neo4j.GraphDatabase.driver(
        uri,
        auth=(username, password),
        max_connection_pool_size=4,
        connection_timeout=5.0,
        connection_acquisition_timeout=10.0,
        max_transaction_retry_time=5.0,
        liveness_check_timeout=10.0,
        user_agent="clew",
        notifications_min_severity="OFF",
    )
    return Graph(driver, database)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (
        bolt.ServiceUnavailable,
        bolt.SessionExpired,
        bolt.TransientError,
        bolt.IncompleteCommit,
    ) as error:
        raise GraphUnavailableError("The knowledge graph does not answer. Try again later.") from error
    except bolt.AuthError as error:
        raise GraphError("The knowledge graph refused the credentials in the graph's secret.") from error
    except (bolt.Neo4jError, bolt.DriverError) as error:
        raise GraphError("The knowledge graph refused a query.") from error
