"""The stack that all end-to-end tests share, on one port and one data directory through its restarts."""

import json
import signal
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from clew.graph.connection import connect
from clew.local.project import REGION, SECRET_NAME
from tests.laptop import FIRST_START, LaptopRun, assert_nothing_runs


class SharedStack:
    """A running stack; tests that stop it start it again, so the order of tests does not matter."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.run = LaptopRun(data)
        self.url = self.run.url

    def first_start(self) -> None:
        self.run.ready(FIRST_START)

    def start(self) -> LaptopRun:
        """Start it again where it was; the run, ready."""
        self.run = LaptopRun(self.data, port=self.run.port)
        self.run.ready()
        return self.run

    def stop(self) -> None:
        """Stop it with Ctrl-C's signal; no process and no lock may remain."""
        if self.run.process.poll() is None:
            pids = [self.run.process.pid, *(self.run.pids() if (self.data / "children.json").exists() else [])]
            code = self.run.stop(signal.SIGINT)
            assert code in (0, 130), self.run.output
            assert_nothing_runs(self.data, pids)

    def aws(self, service: str) -> Any:
        """A client of one of the emulator's services."""
        return self._session.client(service, endpoint_url=self.run.stack.emulator_url, config=self._config)

    def table(self) -> Any:
        resource = self._session.resource("dynamodb", endpoint_url=self.run.stack.emulator_url)
        return resource.Table(self.run.stack.table_name)

    def graph_rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """What the graph answers, over a connection of the test's own."""
        found = self.aws("secretsmanager").get_secret_value(SecretId=SECRET_NAME)["SecretString"]
        secret = json.loads(found)
        graph = connect(secret["uri"], secret["username"], secret["password"], secret["database"])
        try:
            return graph.read(query, **parameters)
        finally:
            graph.close()

    @property
    def _session(self) -> boto3.Session:
        return boto3.Session("test", "test", region_name=REGION)

    # StartSyncExecution would go to sync-127.0.0.1 otherwise.
    _config = Config(inject_host_prefix=False)
