"""The laptop stack: everything in order, and everything stopped again."""

import contextlib
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from clew.errors import ConfigurationError
from clew.local.answer_server import start_answer_server, wait_for_answer_server
from clew.local.cdk import Cdk
from clew.local.child import Child, identity
from clew.local.data_directory import DataDirectory
from clew.local.deployment import Deployment, EmulatedAccount, deploy
from clew.local.emulator import emulator_url, start_emulator, wait_for_emulator
from clew.local.environment import aws_environment, shell_settings, without_settings
from clew.local.gateway import Gateway, gateway_app
from clew.local.gateway_server import GatewayServer
from clew.local.graph import GraphAddress, start_graph, wait_for_graph
from clew.local.interruption import Interruption
from clew.local.leftovers import Ledger, stop_leftovers
from clew.local.lock import locked
from clew.local.node import find_node
from clew.local.ports import LOOPBACK, free_port, reserve
from clew.local.progress import Progress, silent
from clew.local.routes import RoutingTable
from clew.local.running_stack import RunningStack


class LaptopStack:
    """A context manager: ready inside, nothing of it left outside.

    It stops what it started, latest first, also when a step fails or a signal comes half-way.
    """

    def __init__(self, project: Path, data_dir: Path, port: int, progress: Progress = silent) -> None:
        self._project = project
        self._data = DataDirectory(data_dir.resolve())
        self._port = port
        self._progress = progress
        self._signals = Interruption()
        self._ledger = Ledger(self._data.children)
        self._children: list[Child] = []
        self._cleanup = contextlib.ExitStack()
        self.url = f"http://{LOOPBACK}:{port}"

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            # Also KeyboardInterrupt: what runs by then must not outlive this process.
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    @property
    def running(self) -> RunningStack:
        """What stack.json says."""
        return self._running

    def serve(self) -> None:
        """Block until a signal (KeyboardInterrupt) or until a part ends by itself (ConfigurationError)."""
        while True:
            for child in self._children:
                if child.exit_code() is not None:
                    raise ConfigurationError(child.ended())
            time.sleep(0.5)

    def _start(self) -> None:
        self._cleanup.enter_context(self._signals)
        bound = reserve(self._port)
        self._cleanup.callback(bound.close)
        self._data.create()
        self._cleanup.enter_context(locked(self._data.lock))
        self._recover()
        node = find_node()

        with self._progress("Starting the AWS emulator"):
            port = free_port()
            emulator = self._run(lambda: start_emulator(self._data, port))
            url = emulator_url(port)
            wait_for_emulator(emulator, url)
        with self._progress("Starting the graph"):
            address = self._start_graph()

        account = EmulatedAccount(url)
        account.put_graph_secret(address)
        cdk = Cdk(
            project=self._project,
            node=node,
            environment=aws_environment(url, without_settings(os.environ)),
            log=self._data.logs / "deploy.log",
            output=self._output(),
            run=self._run_to_end,
        )
        deployment = deploy(account, cdk, self._data, self._progress)
        account.apply_settings(deployment.template, shell_settings(os.environ))
        with self._progress("Starting the answer server and the gateway"):
            self._running = self._start_servers(url, address, deployment, bound)
        with self._signals.held():
            self._cleanup.callback(self._data.stack_file.unlink, missing_ok=True)
            self._running.write(self._data.stack_file)

    def _recover(self) -> None:
        """Clear what a run left that could not stop its parts."""
        self._data.stack_file.unlink(missing_ok=True)
        if self._data.children.exists():
            step = self._progress("Stopping what an earlier run left behind")
            # Half-stopped leftovers would keep the directory's files open.
            with self._signals.held(), step:
                stop_leftovers(self._data.children)
        self._data.clear_scratch()

    def _start_graph(self) -> GraphAddress:
        ports = free_port(), free_port()
        addresses: list[GraphAddress] = []

        def start() -> Child:
            child, address = start_graph(self._data, *ports)
            addresses.append(address)
            return child

        graph = self._run(start)
        wait_for_graph(graph, addresses[0], self._data)
        return addresses[0]

    def _start_servers(
        self, url: str, address: GraphAddress, deployment: Deployment, bound: socket.socket
    ) -> RunningStack:
        port = free_port()
        answer_url = f"http://{LOOPBACK}:{port}"
        answer = self._run(
            lambda: start_answer_server(
                self._project,
                self._data,
                port,
                deployed=deployment.answer_environment,
                emulator_url=url,
            )
        )
        wait_for_answer_server(answer, answer_url)
        table = RoutingTable.from_template(deployment.template)
        rest_api_url = f"{url}/_aws/execute-api/{deployment.outputs['ApiId']}/{table.stage}"
        app = gateway_app(Gateway(table, rest_api_url, answer_url))
        server = GatewayServer(app, bound, self._data.logs / "gateway.log")
        self._cleanup.callback(server.stop)
        server.start()
        return RunningStack(
            pid=os.getpid(),
            started=identity(os.getpid()) or "",
            url=self.url,
            port=self._port,
            emulator_url=url,
            graph_uri=address.uri,
            table_name=deployment.outputs["TableName"],
            workflow_arn=deployment.outputs["WorkflowArn"],
            rest_api_url=rest_api_url,
            answer_url=answer_url,
            log_dir=str(self._data.logs),
        )

    def _output(self) -> Path:
        output = self._data.root / "deploy"
        output.mkdir(exist_ok=True)
        return output

    def _run(self, start: Callable[[], Child]) -> Child:
        """Start a part that stays; from here on it is stopped with the stack."""
        with self._signals.held():
            child = start()
            self._ledger.add(child)
            self._children.append(child)
            self._cleanup.callback(self._end, child)
        return child

    def _run_to_end(self, start: Callable[[], Child]) -> int:
        """Start a program that ends by itself; it is stopped when the wait is interrupted."""
        child = self._run(start)
        try:
            return child.wait()
        finally:
            with self._signals.held():
                self._end(child)

    def _end(self, child: Child) -> None:
        # Once only: afterwards its pid may belong to somebody else.
        if child in self._children:
            child.stop()
            self._children.remove(child)
            self._ledger.remove(child)

    def _stop(self) -> None:
        # The emulator writes its state when it stops: a second Ctrl-C must not cut that short.
        self._signals.ignore()
        self._cleanup.close()
