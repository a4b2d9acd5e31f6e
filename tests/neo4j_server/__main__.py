"""Run a command with a Neo4j beside it, named in its environment; its exit code is the command's.

    python -m tests.neo4j_server pytest tests/integration -k neo4j

Without Java or Maven the command does not run: exit code 0 and the reason, or 1 with ``CI=true``.
"""

import os
import signal
import subprocess
import sys
import time

from tests.neo4j_server.errors import FetchError, MissingToolError
from tests.neo4j_server.server import running


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    began = time.monotonic()
    try:
        with running() as server:
            _say(f"Neo4j ready after {time.monotonic() - began:.1f} s on {server.uri} (pid {server.pid})")
            address = {"CLEW_TEST_NEO4J_URI": server.uri, "CLEW_TEST_NEO4J_PASSWORD": server.password}
            return _run(command, address)
    except MissingToolError as missing:
        if os.environ.get("CI") == "true":
            _say(f"The tests on Neo4j cannot run, and CI skips nothing. Missing: {missing}.")
            return 1
        _say(f"The tests on Neo4j are skipped. Missing: {missing}.")
        return 0
    except FetchError as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _run(command: list[str], variables: dict[str, str]) -> int:
    """The command's exit code. Who stops this process stops the command, and waits for what it has to tidy up."""
    with subprocess.Popen(command, env=os.environ | variables) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the terminal has sent it to the command as well


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or sys.exit(__doc__)))
