"""A Neo4j for one run of the tests: an empty graph on a free loopback port, forgotten when it stops."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import neo4j
from neo4j.exceptions import ServiceUnavailable

from clew.local.child import Child
from clew.local.ports import LOOPBACK, free_port
from tests.neo4j_server.artifacts import jars, java

START_SECONDS: Final = 180  # ten on an idle machine of two cores
STOP_SECONDS: Final = 2.0  # it would take eleven to close a graph that is thrown away
MAIN_CLASS: Final = "org.neo4j.server.CommunityEntryPoint"
# What Neo4j's own start script gives; the heap is limited because the other tests' servers run beside it.
JVM_OPTIONS: Final = (
    "-Xms128m",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",  # a server of minutes: start sooner rather than run faster
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
)
SETTINGS: Final = """\
server.bolt.listen_address={address}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
dbms.usage_report.enabled=false
"""


@dataclass(frozen=True)
class RunningNeo4j:
    """Where it listens; the user is ``neo4j``, the database ``neo4j``."""

    uri: str
    password: str
    pid: int


@contextlib.contextmanager
def running() -> Iterator[RunningNeo4j]:
    """Start a server, wait until it answers, stop it by pid at the end."""
    command = [java(), *JVM_OPTIONS, "-cp", f"{jars()}/*", MAIN_CLASS]
    with tempfile.TemporaryDirectory(prefix="clew-neo4j-") as folder:
        home = Path(folder)
        port = free_port()
        (home / "conf").mkdir()
        (home / "conf" / "neo4j.conf").write_text(SETTINGS.format(address=f"{LOOPBACK}:{port}"))
        command += [f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
        log = home / "output.log"
        child = Child("Neo4j", command, os.environ, log, home)
        try:
            server = RunningNeo4j(f"bolt://{LOOPBACK}:{port}", secrets.token_urlsafe(16), child.pid)
            try:
                child.wait_until(lambda: _set_password(server), START_SECONDS)
            except Exception:
                # The folder goes, so what the server said is shown now, whatever went wrong.
                print(log.read_text(errors="replace")[-4000:])  # noqa: T201
                raise
            with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", server.password)) as driver:
                driver.verify_connectivity()
            yield server
        finally:
            child.stop(STOP_SECONDS)


def _set_password(server: RunningNeo4j) -> bool:
    """Replace the password that a new Neo4j wants replaced; False while it does not answer."""
    replace = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"
    with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", "neo4j"), max_transaction_retry_time=0) as driver:
        try:
            driver.execute_query(replace, old="neo4j", new=server.password, database_="system")
        except ServiceUnavailable:
            return False
    return True
