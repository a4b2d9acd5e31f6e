"""Starting and reaching the graph of a laptop stack."""

import importlib.metadata
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ConfigurationError
from clew.local.child import Child
from clew.local.data_directory import DataDirectory
from clew.local.graph_server import EXIT_LOCKED, password
from clew.local.ports import LOOPBACK
from clew.local.project import DATABASE


class StaleGraphError(ConfigurationError):
    """The folder holds a graph that this version cannot open."""

    def __init__(self, data: DataDirectory, reason: str) -> None:
        folder = str(data.root)
        super().__init__(
            f"The graph in {str(data.graph)!r} {reason}. Move the data directory away (mv {folder} "
            f"{folder}.old) or delete it (rm -r {folder}), then start again; the demo is loaded anew."
        )


@dataclass(frozen=True)
class GraphAddress:
    """Where the graph listens, and with which password."""

    bolt_port: int
    http_port: int
    password: str

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self.bolt_port}"

    def secret(self) -> dict[str, str]:
        """What the functions read from Secrets Manager."""
        return {
            "uri": self.uri,
            "username": "root",
            "password": self.password,
            "database": DATABASE,
            "admin_url": f"http://{LOOPBACK}:{self.http_port}",
        }


def check_engine(data: DataDirectory) -> None:
    """StaleGraphError when another version of the engine wrote the folder; a new one is marked with ours."""
    mark = data.graph / "engine.json"
    ours = importlib.metadata.version("arcadedb")
    if mark.exists():
        try:
            theirs = json.loads(mark.read_text())["arcadedb"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise StaleGraphError(data, "cannot be read (engine.json is damaged)") from error
        if theirs != ours:
            raise StaleGraphError(data, f"was written by ArcadeDB {theirs}, and this is {ours}")
    elif (data.graph / "databases").exists():
        raise StaleGraphError(data, "was written by an unknown version of ArcadeDB")
    else:
        data.graph.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.write_text(json.dumps({"arcadedb": ours}))


def start_graph(data: DataDirectory, bolt_port: int, http_port: int) -> tuple[Child, GraphAddress]:
    """Start the graph's process; StaleGraphError before that when its folder is not for this version."""
    check_engine(data)
    command = [sys.executable, "-m", "clew.local.graph_server"]
    command += ["--root", str(data.graph.resolve()), "--logs", str((data.logs / "graph-engine").resolve())]
    command += ["--bolt-port", str(bolt_port), "--http-port", str(http_port)]
    address = GraphAddress(bolt_port, http_port, password(data.graph))
    child = Child("graph", command, {**os.environ, "PYTHONUNBUFFERED": "1"}, data.logs / "graph.log", Path("/"))
    return child, address


def wait_for_graph(child: Child, address: GraphAddress, data: DataDirectory, seconds: float = 60) -> None:
    """Return once a query succeeds; StaleGraphError when the engine gives up or refuses the password."""
    import neo4j
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    def answers() -> bool:
        try:
            driver.execute_query("RETURN 1", database_=DATABASE)
        except AuthError as error:
            raise StaleGraphError(data, "has another password than its file says") from error
        except (DriverError, Neo4jError):
            return False
        return True

    with neo4j.GraphDatabase.driver(
        address.uri, auth=("root", address.password), connection_timeout=5, max_transaction_retry_time=0
    ) as driver:
        try:
            child.wait_until(answers, seconds)
        except StaleGraphError:
            raise
        except ConfigurationError as error:
            if child.exit_code() is None:
                raise
            if child.exit_code() == EXIT_LOCKED:
                raise ConfigurationError(
                    f"Another process has the graph in {str(data.graph)!r} open. "
                    "Find it (pgrep -f clew.local.graph_server), stop it, and start again."
                ) from error
            raise StaleGraphError(data, f"cannot be opened (see {child.log})") from error
