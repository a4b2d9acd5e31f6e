"""The connection to the graph over Bolt, and the translation of its errors."""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import neo4j
from neo4j import exceptions as bolt

from clew.errors import ConfigurationError, GraphError, GraphUnavailableError

Rows = list[dict[str, Any]]
T = TypeVar("T")

# How long a transaction may take before Neo4j ends it; ArcadeDB, on the laptop, does not look at this.
READ_SECONDS: Final = 10.0  # somebody is waiting, and the workflow would rather try again
WRITE_SECONDS: Final = 120.0  # the largest document, or all orphans of a large knowledge base
STREAM_SECONDS: Final = 600.0  # all passages of a large knowledge base, which is read while it is loaded
# The driver takes more (HTTP, a routing context) and tells what is wrong with the rest only when it is used.
_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?/?")


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
                neo4j.Query(query, timeout=READ_SECONDS),
                parameters,
                database_=self._database,
                routing_=neo4j.RoutingControl.READ,
            )
            return [dict(record) for record in result.records]

    def stream(self, query: str, /, **parameters: Any) -> Generator[dict[str, Any]]:
        """The rows of a read query one by one, as they are taken: a large result is never in memory whole.

        It is not tried again: what has been taken cannot be taken back.
        """
        with (
            _translated(),
            self._driver.session(database=self._database, default_access_mode=neo4j.READ_ACCESS) as session,
        ):
            for record in session.run(neo4j.Query(query, timeout=STREAM_SECONDS), parameters):
                yield dict(record)

    def write(self, work: Callable[[neo4j.ManagedTransaction], T]) -> T:
        """Run ``work`` in one transaction: all of it is stored or nothing."""
        bounded = neo4j.unit_of_work(timeout=WRITE_SECONDS)(work)
        with _translated(), self._driver.session(database=self._database) as session:
            return session.execute_write(bounded)

    def change(self, query: str, /, **parameters: Any) -> Rows:
        """The rows of one query that writes, in a transaction of its own."""
        return self.write(lambda transaction: [dict(record) for record in transaction.run(query, parameters)])

    def run(self, statement: str) -> None:
        """Run one schema statement, however long it takes."""
        with _translated():
            self._driver.execute_query(statement, database_=self._database)

    def ping(self) -> None:
        """Raise GraphUnavailableError unless the graph answers."""
        with _translated():
            self._driver.verify_connectivity()

    def close(self) -> None:
        self._driver.close()


def connect(uri: str, username: str, password: str, database: str) -> Graph:
    """Open a graph; nothing is sent until the first query. ConfigurationError if ``uri`` is not one of Bolt.

    The pool is small because a Lambda instance serves one event at a time. A frozen instance wakes up
    with dead connections: those idle longer than 10 s are checked before use, and none lives longer than
    the 350 s after which AWS forgets an idle one. What is worth it is tried three times within some three
    seconds; the workflow tries again on top of that.
    """
    if not _ADDRESS.fullmatch(uri):
        # The address is not shown: one that was written wrongly may hold the password.
        raise ConfigurationError("The graph's secret needs a uri such as neo4j+s://host or bolt://host:7687.")
    driver = neo4j.GraphDatabase.driver(
        uri,
        auth=(username, password),
        max_connection_pool_size=4,
        max_connection_lifetime=300.0,
        connection_timeout=4.0,
        connection_write_timeout=10.0,
        connection_acquisition_timeout=6.0,  # checking an idle connection and opening another included
        max_transaction_retry_time=2.0,
        liveness_check_timeout=10.0,
        user_agent="clew",
        notifications_min_severity="OFF",
    )
    return Graph(driver, database)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (bolt.ServiceUnavailable, bolt.SessionExpired, bolt.ConnectionPoolError) as error:
        raise GraphUnavailableError("The knowledge graph does not answer. Try again later.") from error
    except bolt.AuthError as error:
        raise GraphError("The knowledge graph refused the credentials in the graph's secret.") from error
    except bolt.Neo4jError as error:
        if (error.code or "").startswith("Neo.ClientError.Transaction.TransactionTimedOut"):
            raise GraphUnavailableError("The knowledge graph took too long. Try again later.") from error
        if error.is_retryable():
            raise GraphUnavailableError("The knowledge graph does not answer. Try again later.") from error
        raise GraphError(f"The knowledge graph refused a query ({error.code}).") from error
    except bolt.DriverError as error:
        raise GraphError("The knowledge graph refused a query.") from error
