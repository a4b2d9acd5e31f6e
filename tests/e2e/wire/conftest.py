"""A scripted model, and beside the stack's own answer server those that ask it."""

import contextlib
import functools
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from clew.local.answer_server import answer_environment, start_answer_server, wait_for_answer_server
from clew.local.data_directory import DataDirectory
from clew.local.deployment import Deployment, EmulatedAccount
from clew.local.gateway import Gateway, gateway_app
from clew.local.gateway_server import GatewayServer
from clew.local.ports import free_port, reserve
from clew.local.project import STACK_NAME
from clew.local.routes import RoutingTable
from tests.e2e.service import SharedStack
from tests.e2e.wire.wires import GatewayWire, LambdaWire
from tests.integration.models.scripted_server import ScriptedServer
from tests.lambda_runtime.function import started
from tests.lambda_runtime.runtime_api import RuntimeApi
from tests.lambda_runtime.web_adapter import web_adapter
from tests.laptop import PROJECT

HEARTBEAT_SECONDS = 0.5
Serve = Callable[[str], str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[ScriptedServer]:
    """The chat model of all answer servers of a module; a test sets ``respond``."""
    async with ScriptedServer().running() as running:
        yield running


@pytest.fixture(scope="module")
def deployment(stack: SharedStack) -> Deployment:
    account = EmulatedAccount(stack.run.stack.emulator_url)
    return account.deployment(account.outputs(STACK_NAME) or {})


@pytest.fixture(scope="module")
def settings(model: ScriptedServer) -> dict[str, str]:
    """What is set in the shell of an answer server that asks the scripted model."""
    return {
        "CLEW_CHAT_MODEL": "openai",
        "CLEW_OPENAI_BASE_URL": f"{model.url}/v1",
        "CLEW_OPENAI_MODEL": "scripted",
        "CLEW_HEARTBEAT_SECONDS": str(HEARTBEAT_SECONDS),
    }


@pytest.fixture(scope="module")
def gateway(
    stack: SharedStack, deployment: Deployment, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Serve]:
    """The address of a local gateway before an answer server with such a ``CLEW_ON_CLIENT_GONE``."""
    with contextlib.ExitStack() as running:

        @functools.cache
        def serve(on_client_gone: str) -> str:
            port = free_port()
            answer_url = f"http://127.0.0.1:{port}"
            child = start_answer_server(  # noqa: S604  ("shell" is an environment)
                PROJECT,
                DataDirectory(stack.data),
                port,
                deployed=deployment.answer_environment,
                emulator_url=stack.run.stack.emulator_url,
                shell={**os.environ, **settings, "CLEW_ON_CLIENT_GONE": on_client_gone},
            )
            running.callback(child.stop)
            wait_for_answer_server(child, answer_url)
            table = RoutingTable.from_template(deployment.template)
            app = gateway_app(Gateway(table, stack.run.stack.rest_api_url, answer_url))
            front = free_port()
            bound = running.enter_context(reserve(front))
            server = GatewayServer(app, bound, tmp_path_factory.mktemp("gateway") / "gateway.log")
            running.callback(server.stop)
            server.start()
            return f"http://127.0.0.1:{front}"

        yield serve


@pytest.fixture
def gateway_wire(gateway: Serve) -> GatewayWire:
    return GatewayWire(gateway("stop"))


@pytest.fixture(scope="module")
def adapter() -> Path:
    return web_adapter()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lambda_wire(
    adapter: Path,
    stack: SharedStack,
    deployment: Deployment,
    settings: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[LambdaWire]:
    """The answer function under the Web Adapter, as a stage with Cognito has it."""
    from infra.functions import WEB_ADAPTER

    # 8080 may be taken on this machine, and the emulator's account has no user pool of its own.
    changed = {"CLEW_IDENTITY": "cognito", "PORT": str(free_port())}
    shell = {**os.environ, **settings}
    environment = answer_environment(deployment.answer_environment, stack.run.stack.emulator_url, shell)
    function = deployment.outputs["AnswerFunctionName"]
    async with RuntimeApi(f"arn:aws:lambda:us-east-1:000000000000:function:{function}").running() as runtime:
        logs = tmp_path_factory.mktemp("lambda")
        with started(PROJECT / "functions" / "answer", adapter, runtime, environment | WEB_ADAPTER | changed, logs):
            yield LambdaWire(runtime)
