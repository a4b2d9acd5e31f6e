"""Whatever breaks wherever: the answer over HTTP, the ``error`` event and the problem table say the same."""

import importlib.util
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from clew import wiring
from clew.answering.events import Failed
from clew.errors import ClewError
from clew.problem import problem_of
from tests.unit.answering.stage import Model, Stage
from tests.unit.error_classes import error_classes, one_of

SECRET = "arn:aws:iam::123456789012:role/x hunter2"
BROKEN: tuple[Exception, ...] = (*map(one_of, error_classes()), RuntimeError(SECRET), KeyError(SECRET))


def expected(error: Exception) -> tuple[int, dict[str, Any]]:
    document = json.loads(problem_of(error).to_json())
    assert SECRET not in str(document)
    return document["status"], document


def shown(body: str | bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(body)
    assert document.pop("instance", "urn:clew:request:").startswith("urn:clew:request:")
    return document


def raising(error: Exception) -> Callable[..., Any]:
    def break_off(*_: Any, **__: Any) -> Any:
        raise error

    return break_off


@pytest.fixture
def answer_app(monkeypatch: pytest.MonkeyPatch, table: Any) -> Iterator[ModuleType]:
    environment = {
        "CLEW_STAGE": "dev",
        "CLEW_TABLE_NAME": table.name,
        "CLEW_NEO4J_SECRET": "graph",
        "CLEW_WORKFLOW_ARN": "arn:aws:states:us-east-1:123456789012:stateMachine:x",
        "CLEW_CHAT_MODEL": "extractive",
        "CLEW_EMBEDDER": "e5",
        "CLEW_IDENTITY": "none",
        "POWERTOOLS_SERVICE_NAME": "clew-answer",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    logging.Logger.manager.loggerDict.pop("clew-answer", None)
    cached = (wiring.stores.dynamodb_table, wiring.answering.turn, wiring.answering.answers)
    for each in cached:
        each.cache_clear()
    path = Path(__file__).parents[3] / "functions/answer/app.py"
    spec = importlib.util.spec_from_file_location("clew_functions_answer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    for each in cached:
        each.cache_clear()


def test_the_api_function_answers_with_the_errors_problem(
    load_handler: Any, read_event: Any, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load_handler("api", CLEW_IDENTITY="none")
    for error in BROKEN:
        monkeypatch.setattr(wiring.stores, "knowledge_bases", raising(error))
        event = read_event("api_gateway_proxy") | {"httpMethod": "GET", "path": "/api/v1/knowledge-bases"}
        answer = module.handler(event, context)
        assert (answer["statusCode"], shown(answer["body"])) == expected(error)


def test_the_router_function_answers_with_the_errors_problem(
    load_handler: Any, read_event: Any, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load_handler("router", CLEW_EMBEDDER="e5", CLEW_IDENTITY="none")
    for error in BROKEN:
        monkeypatch.setattr(module, "decide", raising(error))
        event = read_event("api_gateway_proxy") | {"httpMethod": "POST", "path": "/api/v1/route"}
        answer = module.handler(event | {"body": '{"message": "Who made it?"}'}, context)
        assert (answer["statusCode"], shown(answer["body"])) == expected(error)


async def test_the_answer_function_refuses_with_the_errors_problem(
    answer_app: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"user_id": "ann", "session_id": "s1", "message": "Who made it?"}
    transport = httpx.ASGITransport(answer_app.app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://answer") as client:
        for error in BROKEN:
            monkeypatch.setattr(wiring.models, "check_model", raising(error))
            for path in ("/api/v1/chat", "/api/v1/chat/stream"):
                answer = await client.post(path, json=body)
                assert answer.headers["content-type"] == "application/problem+json"
                assert (answer.status_code, shown(answer.content)) == expected(error)


async def test_a_stream_ends_with_the_errors_problem(table: Any) -> None:
    stage = Stage(table)
    for number, error in enumerate(BROKEN):
        stage.model = Model(error) if number % 2 else Model("Christopher ", error)
        events = await stage.events(session_id=f"s{number}")
        ended = events[-1]
        assert isinstance(ended, Failed)
        _, document = expected(error)
        assert (ended.type, ended.message) == (document["type"], document["detail"])
        assert sum(isinstance(event, Failed) for event in events) == 1
        assert isinstance(error, ClewError) or SECRET not in ended.model_dump_json()
