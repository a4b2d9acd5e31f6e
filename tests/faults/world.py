"""All that a scenario has: a running stack with proxies before its parts, a scripted model, and services over both."""

import contextlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import boto3
import httpx

from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.local.project import REGION, SECRET_NAME, STAGE
from tests.faults.aws_proxy import AwsProxy, aws_proxy
from tests.faults.chat_model import MODEL, ScriptedModel, scripted_model
from tests.faults.graph_proxy import GraphProxy, graph_proxy
from tests.faults.listening import Listening
from tests.faults.service import Deployed, Service, service

TENANT: Final = "default"
USER: Final = "faults"
TURN_SECONDS: Final = 2.0
RETRIEVAL: Final = f"clew-{STAGE}-retrieval"
MEMORY: Final = f"clew-{STAGE}-memory"


@dataclass(frozen=True)
class Pace:
    """How long what is slow stays so, in seconds."""

    silent_model: float
    silent_in_answer: float
    slow_graph: float
    silent_graph: float


FULL: Final = Pace(silent_model=60, silent_in_answer=15, slow_graph=4, silent_graph=20)
QUICK: Final = Pace(silent_model=2, silent_in_answer=2, slow_graph=2, silent_graph=20)


@dataclass
class World:
    deployed: Deployed
    model: ScriptedModel
    model_url: str
    aws: AwsProxy
    graph: GraphProxy
    pace: Pace
    _closing: contextlib.ExitStack
    _services: dict[tuple[tuple[str, str], ...], Service] = field(default_factory=dict)

    def service(self, **settings: str) -> Service:
        """The service with these settings; it is started when it is first asked for."""
        key = tuple(sorted(settings.items()))
        if key not in self._services:
            own = {"CLEW_CHAT_MODEL": "openai", "CLEW_OPENAI_BASE_URL": self.model_url, "CLEW_OPENAI_MODEL": MODEL}
            self._services[key] = self._closing.enter_context(service(self.deployed, own | settings, self.aws.url))
        return self._services[key]

    def hurried(self) -> Service:
        """A service that gives an answer ``TURN_SECONDS`` in all."""
        return self.service(CLEW_TURN_SECONDS=str(TURN_SECONDS))

    def another(self, **settings: str) -> Service:
        """A second process with the settings of a service."""
        return self.service(CLEW_ANOTHER="1", **settings)

    def ask(self, of: Service, message: str, session: str, message_id: str = "", last_event_id: str = "") -> Listening:
        return Listening(of.url, body(message, session, message_id), last_event_id)

    def cancel(self, of: Service, session: str, message_id: str) -> httpx.Response:
        told = {"user_id": USER, "session_id": session, "message_id": message_id}
        return httpx.post(f"{of.url}/api/v1/chat/cancel", json=told, timeout=30, trust_env=False)

    def messages(self, session: str) -> list[Message]:
        """What the table holds of a session."""
        store = store_of(self.deployed)
        found = store.find_conversation(USER, session)
        return list(store.list_messages(found.conversation_id).messages) if found else []


def body(message: str, session: str, message_id: str = "") -> dict[str, Any]:
    return {"user_id": USER, "session_id": session, "message": message, "message_id": message_id}


def store_of(deployed: Deployed) -> ConversationStore:
    """The table's conversations, past every proxy."""
    resource = _session().resource("dynamodb", endpoint_url=deployed.stack.emulator_url)
    return ConversationStore(resource.Table(deployed.stack.table_name), TENANT)


def new_session() -> str:
    return f"fault-{uuid.uuid4().hex[:16]}"


@contextlib.contextmanager
def world(data: Path, pace: Pace) -> Iterator[World]:
    """The world over the stack in ``data``, whose graph is reached through a proxy meanwhile."""
    deployed = Deployed.read(data)
    with contextlib.ExitStack() as closing:
        model, url = closing.enter_context(scripted_model())
        aws = closing.enter_context(aws_proxy(deployed.stack.emulator_url))
        graph = closing.enter_context(graph_proxy(deployed.stack.graph_uri))
        closing.enter_context(_graph_behind(graph, deployed))
        yield World(deployed, model, url, aws, graph, pace, closing)


@contextlib.contextmanager
def _graph_behind(proxy: GraphProxy, deployed: Deployed) -> Iterator[None]:
    """The graph's secret names the proxy, and nobody but retrieval uses the graph meanwhile.

    Memory takes in what was said when this is over.
    """
    url = deployed.stack.emulator_url
    secrets, functions = (
        _session().client("secretsmanager", endpoint_url=url),
        _session().client("lambda", endpoint_url=url),
    )
    before = secrets.get_secret_value(SecretId=SECRET_NAME)["SecretString"]
    secrets.put_secret_value(SecretId=SECRET_NAME, SecretString=json.dumps(json.loads(before) | {"uri": proxy.uri}))
    _let_memory(functions, go_on=False)
    _begin_anew(functions)
    try:
        yield
    finally:
        secrets.put_secret_value(SecretId=SECRET_NAME, SecretString=before)
        _begin_anew(functions)
        _let_memory(functions, go_on=True)


def _begin_anew(functions: Any) -> None:
    """A function keeps its connection; any change of its configuration ends its processes, and here it is none."""
    for name in (RETRIEVAL, MEMORY):
        now = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
        functions.update_function_configuration(FunctionName=name, Environment={"Variables": now})


def _let_memory(functions: Any, *, go_on: bool) -> None:
    for mapping in functions.list_event_source_mappings(FunctionName=MEMORY)["EventSourceMappings"]:
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=go_on)


def _session() -> boto3.Session:
    return boto3.Session("test", "test", region_name=REGION)
