"""Answer servers beside a stack's own, each with settings of its own and a gateway before it."""

import contextlib
import json
import os
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from clew.local.answer_server import start_answer_server, wait_for_answer_server
from clew.local.child import Child
from clew.local.data_directory import DataDirectory
from clew.local.deployment import EmulatedAccount
from clew.local.gateway import Gateway, gateway_app
from clew.local.gateway_server import GatewayServer
from clew.local.ports import LOOPBACK, free_port, reserve
from clew.local.project import STACK_NAME
from clew.local.routes import RoutingTable
from clew.local.running_stack import RunningStack
from tests.laptop import PROJECT


@dataclass(frozen=True)
class Deployed:
    """A running stack, its data directory, and what was deployed in it."""

    data: Path
    stack: RunningStack
    routes: RoutingTable
    answer_environment: Mapping[str, str]

    def child(self, name: str) -> int:
        """The pid of one of the stack's parts, such as ``emulator``."""
        parts = json.loads(DataDirectory(self.data).children.read_text())
        return next(int(part["pid"]) for part in parts if part["name"] == name)

    @classmethod
    def read(cls, data: Path) -> Self:
        stack = RunningStack.read(data)
        account = EmulatedAccount(stack.emulator_url)
        outputs = account.outputs(STACK_NAME)
        assert outputs is not None
        found = account.deployment(outputs)
        return cls(data, stack, RoutingTable.from_template(found.template), found.answer_environment)


class Service:
    """One answer server and its gateway; ``url`` is the gateway's and outlives the server."""

    def __init__(self, deployed: Deployed, settings: Mapping[str, str], aws_url: str) -> None:
        self._deployed = deployed
        self._settings = settings
        self._aws_url = aws_url or deployed.stack.emulator_url
        self._port = free_port()
        self.answer_url = f"http://{LOOPBACK}:{self._port}"
        self.url = ""
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    def start(self) -> None:
        """Start the answer server, on the port that it had before."""
        self._child = start_answer_server(
            PROJECT,
            DataDirectory(self._deployed.data),
            self._port,
            deployed=self._deployed.answer_environment,
            emulator_url=self._aws_url,
            shell={**os.environ, **self._settings},
        )
        wait_for_answer_server(self._child, self.answer_url)

    def kill(self) -> None:
        """End the answer server as the machine's loss would."""
        os.kill(self.pid, signal.SIGKILL)
        assert self._child is not None
        self._child.wait()

    def stop(self) -> None:
        if self._child:
            self._child.stop()


@contextlib.contextmanager
def service(deployed: Deployed, settings: Mapping[str, str], aws_url: str = "") -> Iterator[Service]:
    """A service with ``settings`` over the deployed ones; ``aws_url`` is where its AWS calls go, if not straight."""
    made = Service(deployed, settings, aws_url)
    port = free_port()
    with contextlib.ExitStack() as closing:
        bound = closing.enter_context(contextlib.closing(reserve(port)))
        closing.callback(made.stop)
        made.start()
        app: Any = gateway_app(Gateway(deployed.routes, deployed.stack.rest_api_url, made.answer_url))
        server = GatewayServer(app, bound, DataDirectory(deployed.data).logs / "gateway.log")
        closing.callback(server.stop)
        server.start()
        made.url = f"http://{LOOPBACK}:{port}"
        yield made
