"""Correlation ids: where they come from, and that those of requests that run at once never mix."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from anyio.to_thread import run_sync
from aws_lambda_powertools import Logger
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from clew.observability.asgi import Observed
from clew.observability.correlation import bound, correlation_id, correlation_of, fitting, instance
from clew.observability.logs import function_logger

AT_ONCE = 200


def test_the_gateways_id_is_taken_whatever_the_client_says() -> None:
    context = json.dumps({"requestId": "0f1e2d3c-4b5a", "authorizer": {"claims": {"sub": "ann"}}})
    assert correlation_of({"x-amzn-request-context": context, "x-request-id": "mine"}) == "0f1e2d3c-4b5a"


@pytest.mark.parametrize("context", ["", "{}", "[]", "null", "{", '{"requestId": 7}', '{"requestId": null}'])
def test_without_an_id_of_the_gateway_the_clients_is_taken(context: str) -> None:
    assert correlation_of({"x-amzn-request-context": context, "x-request-id": "mine:7@host"}) == "mine:7@host"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 129, "name\nlevel", '","level":"ERROR', "编号", "<script>"])
def test_what_could_be_anything_but_an_id_is_replaced_by_a_new_one(sent: str) -> None:
    found = correlation_of({"x-request-id": sent})
    assert found != correlation_of({"x-request-id": sent})
    assert found.isalnum()


@pytest.mark.parametrize("sent", [None, 7, {"id": "x"}, ["x"]])
def test_only_text_is_an_id(sent: object) -> None:
    assert len(fitting(sent)) == 32


def test_a_block_has_its_own_id_and_gives_the_outer_one_back() -> None:
    assert (correlation_id(), instance()) == ("", "urn:clew:request:unknown")
    with bound(correlation_id="outer"):
        with bound(correlation_id="inner", session_id="s1"):
            assert instance() == "urn:clew:request:inner"
        assert instance() == "urn:clew:request:outer"
    assert correlation_id() == ""


@pytest.fixture
def own_logger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Logger]:
    """A function's logger, which takes over the process's log; given back at the end."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "clew-test")
    logging.Logger.manager.loggerDict.pop("clew-test", None)
    root, package = logging.getLogger(), logging.getLogger("clew")
    handlers, level = root.handlers[:], package.level
    yield function_logger()
    root.handlers[:] = [each for each in root.handlers if each in handlers]
    package.setLevel(level)


@pytest.fixture
def written(own_logger: Logger, capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def log_from(where: str, of: str) -> None:
    logging.getLogger("clew.answering.turn").warning("a line", extra={"where": where, "of": of})


async def answer(request: Request) -> Response:
    """Logs from the request's task, from a task that it starts, from a worker thread, and while it streams."""
    of = request.query_params["of"]
    log_from("request", of)

    async def task() -> None:
        await asyncio.sleep(0)
        log_from("task", of)

    await asyncio.gather(asyncio.create_task(task()), run_sync(log_from, "thread", of))

    async def body() -> Any:
        for _ in range(2):
            await asyncio.sleep(0.001)
            log_from("stream", of)
            yield b"."

    return StreamingResponse(body())


async def fail(_: Request) -> Response:
    raise ZeroDivisionError


async def break_off(_: Request) -> Response:
    async def body() -> Any:
        yield b"."
        raise ZeroDivisionError

    return StreamingResponse(body())


async def failed(_: Request, __: Exception) -> Response:
    return Response(instance(), 500)


ROUTES = [Route("/", answer), Route("/fail", fail), Route("/break-off", break_off)]
APP = Observed(Starlette(routes=ROUTES, exception_handlers={Exception: failed}))


async def test_two_hundred_requests_at_once_each_log_under_their_own_id(written: Callable[[], Any]) -> None:
    transport = httpx.ASGITransport(APP)
    async with httpx.AsyncClient(transport=transport, base_url="http://answer") as client:

        async def ask(number: int) -> httpx.Response:
            return await client.get("/", params={"of": f"r{number}"}, headers={"X-Request-Id": f"r{number}"})

        answers = await asyncio.gather(*(ask(number) for number in range(AT_ONCE)))
    assert [each.headers["x-request-id"] for each in answers] == [f"r{number}" for number in range(AT_ONCE)]
    lines = written()
    assert len(lines) == AT_ONCE * 5
    assert [each for each in lines if each["correlation_id"] != each["of"]] == []
    assert {each["where"] for each in lines} == {"request", "task", "thread", "stream"}


async def test_the_answer_to_what_breaks_names_the_request_too() -> None:
    transport = httpx.ASGITransport(APP, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://answer") as client:
        refused = await client.get("/fail")
    assert refused.status_code == 500
    assert refused.text == f"urn:clew:request:{refused.headers['x-request-id']}"


async def test_an_answer_that_breaks_off_is_logged_under_its_id(written: Callable[[], Any]) -> None:
    transport = httpx.ASGITransport(APP, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://answer") as client:
        await client.get("/break-off", headers={"X-Request-Id": "r7"})
        await client.get("/fail", headers={"X-Request-Id": "r8"})
    told = [(each["message"], each["correlation_id"]) for each in written()]
    assert told == [("answer broke off", "r7")]


async def test_what_is_no_request_is_passed_on_as_it_is() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope, receive, send))

    told: tuple[Any, Any, Any] = ({"type": "lifespan"}, object(), object())
    await Observed(app)(*told)
    assert seen == [told]
