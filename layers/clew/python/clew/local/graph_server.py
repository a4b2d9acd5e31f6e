"""The graph as a process: ArcadeDB embedded, spoken to over Bolt, and over HTTP for schema commands.

    python -m clew.local.graph_server --root .clew/graph --bolt-port 7687 --http-port 2480

The root password is in ``<root>/password``, made on the first run.
"""

import argparse
import os
import secrets
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from clew.local.ports import LOOPBACK
from clew.local.project import DATABASE

# Another process has the databases open.
EXIT_LOCKED = 3
# Without a limit the engine takes up to half of the machine's memory before it collects.
HEAP = "256m"


def password(root: Path) -> str:
    """The root user's password, generated once into a file that only its owner reads."""
    path = root / "password"
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(24))
    return path.read_text().strip()


def serve(root: Path, bolt_port: int, http_port: int, logs: Path) -> int:
    """Run until SIGTERM or SIGINT, then close the database; the exit code."""
    # The engine reads these when its library is loaded, so they come before the import.
    os.environ.setdefault("ARCADEDB_NATIVE_ISOLATE_ARGS", f"-Xmx{HEAP}")
    os.environ["ARCADEDB_LOG_DIR"] = str(logs)
    os.environ["ARCADEDB_LOG_CONSOLE"] = "0"
    import arcadedb
    from arcadedb.exceptions import ArcadeDBError

    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings: dict[str, Any] = {
        "mode": "production",
        "host": LOOPBACK,
        "http_port": http_port,
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "bolt.port": bolt_port,
        "bolt.host": LOOPBACK,
        "bolt.defaultDatabase": DATABASE,
    }
    server = arcadedb.create_server(str(root), password(root), settings)
    try:
        server.start()
    except ArcadeDBError as error:
        # The engine's errors have no classes of their own; the text names the Java class.
        if "LockException" not in str(error):
            raise
        sys.stderr.write(f"{error}\n")
        return EXIT_LOCKED
    try:
        # Opens the database, and makes it the first time.
        server.create_database(DATABASE)
        stopping.wait()
    finally:
        server.stop()
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m clew.local.graph_server")
    parser.add_argument("--root", type=Path, required=True, help="folder of the databases")
    parser.add_argument("--bolt-port", type=int, required=True)
    parser.add_argument("--http-port", type=int, required=True)
    parser.add_argument("--logs", type=Path, help="folder of the engine's log; by default <root>/engine-log")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    logs = (options.logs or root / "engine-log").resolve()
    logs.mkdir(parents=True, exist_ok=True)
    return serve(root, options.bolt_port, options.http_port, logs)


if __name__ == "__main__":
    sys.exit(main())
