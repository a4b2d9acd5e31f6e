"""The answer function: server-sent events, one JSON body, problem documents; called without a socket."""

import asyncio
import importlib.util
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from clew import __version__, wiring
from clew.answering.running.event_id import EventId
from clew.answering.turn.lookup import LookupInput, LookupResult
from clew.errors import GraphUnavailableError
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.retrieval.evidence import Passage, RetrievalRun
from clew.routing.decision import RagRunSpec, RouteDecision
from clew.routing.knowledge_base import KnowledgeBaseProfile
from tests.documented import assert_documented

ROOT = Path(__file__).parents[3]
SUB = "6f1c2d9e-3b4a-4c5d-8e7f-0a1b2c3d4e5f"
WORKER = "films:graph_agent:retrieve_only"
QUESTION = {"user_id": "ann", "session_id": "s1", "message": "Who directed Inception?"}
PASSAGE = Passage(id="p1", document_id="d1", title="Inception", text="Christopher Nolan directed Inception.", score=1.0)
FOUND = LookupResult(
    decision=RouteDecision(
        kb_prefix="films",
        confidence=1.0,
        method="heuristic",
        reason="Named.",
        worker_name=WORKER,
        plan=(RagRunSpec(agent_type="graph_agent", worker_name=WORKER),),
    ),
    runs=(RetrievalRun(worker_name=WORKER, agent_type="graph_agent", passages=(PASSAGE,)),),
)


class Workflow:
    """Answers when it may, in a thread as the real one's wait would be."""

    def __init__(self) -> None:
        self.outcome: LookupResult | Exception = FOUND
        self.asked: list[LookupInput] = []
        self.may_answer: asyncio.Event | None = None

    def run(self, lookup: LookupInput, execution: str) -> LookupResult:
        self.asked.append(lookup)
        if self.may_answer:
            asyncio.run_coroutine_threadsafe(self.may_answer.wait(), self.loop).result(30)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def wait(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.may_answer = asyncio.Event()


@pytest.fixture
def workflow(monkeypatch: pytest.MonkeyPatch) -> Workflow:
    made = Workflow()
    monkeypatch.setattr(wiring.retrieval, "retrieval_workflow", lambda _: made)
    return made


@pytest.fixture
def load(table: Any, workflow: Workflow, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """The app as uvicorn would load it, with the laptop's models and a workflow that answers as told."""

    def load(identity: str = "none") -> ModuleType:
        environment = {
            "CLEW_STAGE": "dev",
            "CLEW_TABLE_NAME": table.name,
            "CLEW_NEO4J_SECRET": "graph",
            "CLEW_WORKFLOW_ARN": "arn:aws:states:us-east-1:123456789012:stateMachine:x",
            "CLEW_CHAT_MODEL": "extractive",
            "CLEW_EMBEDDER": "e5",
            "CLEW_IDENTITY": identity,
            "POWERTOOLS_SERVICE_NAME": "clew-answer",
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        logging.Logger.manager.loggerDict.pop("clew-answer", None)
        spec = importlib.util.spec_from_file_location("clew_functions_answer", ROOT / "functions/answer/app.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    for cached in (wiring.stores.dynamodb_table, wiring.answering.turn, wiring.answering.answers):
        cached.cache_clear()
    KnowledgeBaseRegistry(table, "default").put(KnowledgeBaseProfile(prefix="films", title="Films"))
    return load


@pytest.fixture
async def client(load: Callable[..., ModuleType]) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(load()) as opened:
        yield opened
    wiring.answering.turn.cache_clear()
    wiring.answering.answers.cache_clear()
    wiring.stores.dynamodb_table.cache_clear()


def client_of(module: ModuleType) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(module.app, raise_app_exceptions=False),
        base_url="http://answer",
        timeout=60,
        event_hooks={"response": [documented]},
    )


async def documented(answer: httpx.Response) -> None:
    """Every answer of these tests is one that the OpenAPI document knows."""
    if (path := answer.request.url.path).startswith("/api/"):
        media_type = answer.headers.get("content-type", "")
        assert_documented(answer.request.method, path, answer.status_code, media_type, await answer.aread())


class Frames:
    """Talks to the app as a server does, frame by frame: httpx's transport waits for the whole body."""

    def __init__(self, app: Any, body: dict[str, Any]) -> None:
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._body: list[dict[str, Any]] = [{"type": "http.request", "body": json.dumps(body).encode()}]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "path": "/api/v1/chat/stream",
            "raw_path": b"/api/v1/chat/stream",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1),
            "server": ("answer", 80),
            "scheme": "http",
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._sent.put))

    async def _receive(self) -> dict[str, Any]:
        if self._body:
            return self._body.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    def leave(self) -> None:
        self._gone.set()

    async def next(self) -> bytes:
        """The next piece of the body; the head is passed over, b"" is the end."""
        while True:
            message = await asyncio.wait_for(self._sent.get(), 30)
            if message["type"] == "http.response.body":
                return bytes(message.get("body", b""))


def data_of(frame: bytes) -> dict[str, Any]:
    """The event of a frame of an id and one data line."""
    id, data = frame.decode().removesuffix("\n\n").split("\n")
    assert EventId.parse(id.removeprefix("id: ")) is not None
    event: dict[str, Any] = json.loads(data.removeprefix("data: "))
    return event


def events_of(text: str) -> list[dict[str, Any]]:
    """The events of a stream, which must be nothing but frames of an id and one data line, and comments."""
    text = re.sub("^:.*\n", "", text, flags=re.MULTILINE)
    assert text.endswith("\n\n")
    return [data_of(frame.encode()) for frame in text.removesuffix("\n\n").split("\n\n")]


async def test_the_stream_is_server_sent_events_from_start_to_done(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/chat/stream", json=QUESTION)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "no-store" in answer.headers["cache-control"] or "no-cache" in answer.headers["cache-control"]
    events = events_of(answer.text)
    assert [event["status"] for event in events][0 :: len(events) - 1] == ["start", "done"]
    said = "".join(event["content"] for event in events if event["status"] == "token")
    assert "Christopher Nolan" in said
    assert [citation["document_id"] for citation in events[-1]["content"]["citations"]] == ["d1"]


async def test_one_body_says_the_same(client: httpx.AsyncClient) -> None:
    streamed = events_of((await client.post("/api/v1/chat/stream", json=QUESTION)).text)
    answer = await client.post("/api/v1/chat", json=QUESTION | {"session_id": "s2"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    body = answer.json()
    assert body["answer"] == "".join(event["content"] for event in streamed if event["status"] == "token")
    assert {"message_id", "conversation_id", "route", "citations", "usage", "is_ask_user"} <= set(body)
    assert body["execution_log"] == []


async def test_steps_are_told_where_debug_is_asked(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/chat", json=QUESTION | {"debug": True})
    assert [entry["node"] for entry in answer.json()["execution_log"]]


@pytest.mark.parametrize("path", ["/health", "/api/v1/health"])
async def test_health_tells_version_and_stage(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.json() == {"status": "ok", "version": __version__, "stage": "dev"}


async def test_start_is_sent_before_anything_is_looked_up(load: Any, workflow: Workflow) -> None:
    workflow.wait()
    frames = Frames(load().app, QUESTION)
    assert data_of(await frames.next())["status"] == "start"
    assert workflow.may_answer is not None
    workflow.may_answer.set()
    while await frames.next():
        pass
    await asyncio.wait_for(frames.task, 30)


async def test_a_silent_stream_says_that_it_is_alive(
    load: Any, workflow: Workflow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_HEARTBEAT_SECONDS", "0.05")
    module = load()
    workflow.wait()
    frames = Frames(module.app, QUESTION)
    seen = b""
    while b": ping" not in seen:
        seen += await frames.next()
    assert b'"token"' not in seen
    assert workflow.may_answer is not None
    workflow.may_answer.set()
    while piece := await frames.next():
        seen += piece
    assert events_of(seen.decode())[-1]["status"] == "done"
    await asyncio.wait_for(frames.task, 30)


async def test_a_client_that_leaves_ends_the_turn_and_keeps_the_question(
    load: Any, workflow: Workflow, client: httpx.AsyncClient
) -> None:
    workflow.wait()
    frames = Frames(load().app, QUESTION)
    while b"retrieval" not in await frames.next():
        pass
    frames.leave()
    assert workflow.may_answer is not None
    workflow.may_answer.set()
    await asyncio.wait_for(frames.task, 30)
    workflow.may_answer = None
    answer = await client.post(
        "/api/v1/chat", json=QUESTION | {"message": "Who directed Inception then?", "debug": True}
    )
    remembered = next(each for each in answer.json()["execution_log"] if each["node"] == "remember")
    assert remembered["output"]["window"] == 1


BAD = [
    ("empty body", b"", 400, "invalid-request"),
    ("not json", b"{oops", 400, "invalid-request"),
    ("not utf-8", b'{"message": "\xff"}', 400, "invalid-request"),
    ("a list", b"[1]", 400, "invalid-request"),
    ("too deep", b"[" * 5_000, 400, "invalid-request"),
    ("no session", {"user_id": "ann", "message": "Hi"}, 400, "invalid-request"),
    ("no user", {"session_id": "s1", "message": "Hi"}, 400, "invalid-request"),
    ("no message", {"user_id": "ann", "session_id": "s1"}, 400, "invalid-request"),
    ("blank message", QUESTION | {"message": " \n "}, 400, "invalid-request"),
    ("wrong type", QUESTION | {"debug": "yes"}, 400, "invalid-request"),
    ("user with a hash", QUESTION | {"user_id": "a#b"}, 400, "invalid-request"),
    ("long session", QUESTION | {"session_id": "s" * 129}, 400, "invalid-request"),
    ("long message", QUESTION | {"message": "字" * 32_001}, 413, "message-too-long"),
    ("unknown knowledge base", QUESTION | {"kb_prefix": "nothing"}, 404, "unknown-knowledge-base"),
    ("no name at all", QUESTION | {"kb_prefix": "`; DROP"}, 404, "unknown-knowledge-base"),
    ("unknown agent", QUESTION | {"agent_type": "oracle"}, 400, "unknown-agent-type"),
]


@pytest.mark.parametrize("path", ["/api/v1/chat", "/api/v1/chat/stream"])
@pytest.mark.parametrize(("name", "body", "status", "slug"), BAD, ids=[each[0] for each in BAD])
async def test_what_is_wrong_with_a_request_is_told_before_any_event(
    client: httpx.AsyncClient, workflow: Workflow, path: str, name: str, body: Any, status: int, slug: str
) -> None:
    answer = await client.post(path, content=body if isinstance(body, bytes) else json.dumps(body).encode())
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["type"], problem["status"]) == (f"urn:clew:problem:{slug}", status)
    assert problem["title"]
    assert problem["detail"]
    assert workflow.asked == []


@pytest.mark.parametrize(
    ("method", "path", "status", "slug"),
    [
        ("GET", "/api/v1/chat", 405, "method-not-allowed"),
        ("DELETE", "/api/v1/chat/stream", 405, "method-not-allowed"),
        ("POST", "/api/v1/nothing", 404, "not-found"),
        ("GET", "/", 404, "not-found"),
    ],
)
async def test_a_wrong_place_or_method_is_a_problem_document(
    client: httpx.AsyncClient, method: str, path: str, status: int, slug: str
) -> None:
    answer = await client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["type"] == f"urn:clew:problem:{slug}"
    if status == 405:
        assert "POST" in answer.headers["allow"]


async def test_a_lookup_that_fails_ends_the_stream_with_one_error(
    client: httpx.AsyncClient, workflow: Workflow
) -> None:
    workflow.outcome = GraphUnavailableError("The knowledge graph does not answer.")
    events = events_of((await client.post("/api/v1/chat/stream", json=QUESTION)).text)
    assert [event["status"] for event in events].count("error") == 1
    assert events[-1].pop("instance").startswith("urn:clew:request:")
    assert events[-1] == {
        "status": "error",
        "message": "The knowledge graph does not answer.",
        "type": "urn:clew:problem:graph-unavailable",
    }


async def test_the_same_failure_is_a_problem_document_in_one_body(
    client: httpx.AsyncClient, workflow: Workflow
) -> None:
    workflow.outcome = GraphUnavailableError("The knowledge graph does not answer.")
    answer = await client.post("/api/v1/chat", json=QUESTION)
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert answer.json()["type"] == "urn:clew:problem:graph-unavailable"


async def test_line_breaks_in_an_answer_stay_within_their_frame(client: httpx.AsyncClient, workflow: Workflow) -> None:
    odd = PASSAGE.model_copy(update={"text": "Christopher Nolan directed\u2028 Inception\r\nand\ndata: {} more."})
    workflow.outcome = FOUND.model_copy(update={"runs": (FOUND.runs[0].model_copy(update={"passages": (odd,)}),)})
    events = events_of((await client.post("/api/v1/chat/stream", json=QUESTION)).text)
    assert events[-1]["status"] == "done"


def context_header(claims: dict[str, str]) -> dict[str, str]:
    return {"x-amzn-request-context": json.dumps({"authorizer": {"claims": claims}})}


async def test_the_token_decides_who_asks(load: Any, workflow: Workflow) -> None:
    body = {"session_id": "s1", "message": "Who directed Inception?"}
    async with client_of(load(identity="cognito")) as client:
        answer = await client.post(
            "/api/v1/chat", json=body, headers=context_header({"sub": SUB, "custom:tenant_id": "acme"})
        )
        assert answer.status_code == 200
        assert workflow.asked[-1].tenant_id == "acme"
        for headers, given in (
            (context_header({"sub": SUB}), body | {"user_id": "ann"}),
            ({}, body),
            ({"x-amzn-request-context": "{oops"}, body),
            ({"x-tenant-id": "acme"}, body),
        ):
            refused = await client.post("/api/v1/chat", json=given, headers=headers)
            assert (refused.status_code, refused.json()["type"]) == (403, "urn:clew:problem:forbidden")


async def test_where_there_is_no_identity_the_header_names_the_tenant(
    client: httpx.AsyncClient, workflow: Workflow
) -> None:
    await client.post("/api/v1/chat", json=QUESTION)
    await client.post("/api/v1/chat", json=QUESTION, headers={"X-Tenant-Id": "acme"})
    assert [asked.tenant_id for asked in workflow.asked] == ["default", "acme"]
    refused = await client.post("/api/v1/chat", json=QUESTION, headers={"X-Tenant-Id": "a#b"})
    assert refused.status_code == 400
