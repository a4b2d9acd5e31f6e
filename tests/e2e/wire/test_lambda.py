"""The answer function as Lambda runs it: under the Web Adapter, fed by the Runtime API."""

import json
import uuid

import pytest

from clew.problem import MEDIA_TYPE
from clew.table_keys import session_key
from tests.e2e.client import new_session
from tests.e2e.service import SharedStack
from tests.e2e.wire.frames import frames, text_of
from tests.e2e.wire.telling import Telling
from tests.e2e.wire.wires import LambdaWire
from tests.integration.models.scripted_server import ScriptedServer
from tests.lambda_runtime.invocation import DELIMITER

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "Who directed Parasite?"
STREAM = "/chat/stream"


def named() -> str:
    return f"user-{uuid.uuid4().hex[:12]}"


async def test_the_response_has_the_form_that_api_gateway_asks_for(
    lambda_wire: LambdaWire, model: ScriptedServer
) -> None:
    told = Telling("Bong Joon-ho.")
    told.allow_all()
    model.respond = lambda _: told.answer()
    async with lambda_wire.ask(STREAM, {"session_id": new_session(), "message": QUESTION}, named()) as exchange:
        await exchange.whole()
        invocation = exchange.invocation
    assert lambda_wire.runtime.extensions == ["lambda-adapter"]
    assert lambda_wire.runtime.init_errors == []
    assert invocation.headers["lambda-runtime-function-response-mode"] == "streaming"
    assert invocation.headers["content-type"] == "application/vnd.awslambda.http-integration-response"
    assert invocation.headers["transfer-encoding"] == "chunked"
    metadata, delimiter, body = invocation.arrivals.content.partition(DELIMITER)
    assert set(json.loads(metadata)) <= {"statusCode", "headers", "multiValueHeaders", "cookies"}
    assert delimiter == DELIMITER
    assert not body.startswith(b"\0")
    assert text_of(frames(body)) == told.text
    assert invocation.trailers == {}
    assert (invocation.error, invocation.broken) == (None, False)


async def test_one_environment_answers_one_invocation_after_the_other(
    lambda_wire: LambdaWire, model: ScriptedServer
) -> None:
    texts = ["Bong", " Joon-ho", " directed it."]
    model.respond = lambda _: (told := Telling(texts[len(answers)])).allow_all() or told.answer()
    answers: list[str] = []
    for _ in texts:
        body = {"session_id": new_session(), "message": QUESTION}
        async with lambda_wire.ask(STREAM, body, named()) as exchange:
            answers.append(text_of(frames(await exchange.whole())))
    assert answers == texts


async def test_a_body_in_base64_is_read(lambda_wire: LambdaWire, model: ScriptedServer) -> None:
    told = Telling("奉俊昊。")
    told.allow_all()
    model.respond = lambda _: told.answer()
    body = {"session_id": new_session(), "message": "《寄生虫》的导演是谁？"}
    async with lambda_wire.ask(STREAM, body, named(), in_base64=True) as exchange:
        assert text_of(frames(await exchange.whole())) == told.text
    assert body["message"] in json.dumps(model.requests[-1].body, ensure_ascii=False)


async def test_the_token_says_who_asks_and_a_header_of_the_client_does_not(
    lambda_wire: LambdaWire, model: ScriptedServer, stack: SharedStack
) -> None:
    told = Telling("Bong Joon-ho.")
    told.allow_all()
    model.respond = lambda _: told.answer()
    user_id, session_id = named(), new_session()
    forged = json.dumps({"authorizer": {"claims": {"sub": "someone-else"}}})
    body = {"session_id": session_id, "message": QUESTION}
    async with lambda_wire.ask(STREAM, body, user_id, headers={"x-amzn-request-context": forged}) as exchange:
        await exchange.whole()
    table = stack.table()
    assert "Item" in table.get_item(Key=session_key("default", user_id, session_id)._asdict())
    assert "Item" not in table.get_item(Key=session_key("default", "someone-else", session_id)._asdict())


async def test_an_error_names_the_request_as_api_gateway_does(lambda_wire: LambdaWire, model: ScriptedServer) -> None:
    told = Telling("Bong", cut=True)
    told.allow_all()
    model.respond = lambda _: told.answer()
    async with lambda_wire.ask(STREAM, {"session_id": new_session(), "message": QUESTION}, named()) as exchange:
        failed = frames(await exchange.whole())[-1]
        request_id = exchange.invocation.event["requestContext"]["requestId"]
    assert failed.status == "error"
    assert failed.content["instance"].endswith(request_id)
    assert exchange.headers["x-request-id"] == request_id
    assert exchange.invocation.trailers == {}


async def test_a_turn_ends_before_the_function_runs_out_of_time(lambda_wire: LambdaWire, model: ScriptedServer) -> None:
    told = Telling("Bong", " Joon-ho.")
    told.allow(0)
    model.respond = lambda _: told.answer()
    body = {"session_id": new_session(), "message": QUESTION}
    # Ten seconds of them are kept back for what has to be stored at the end.
    async with lambda_wire.ask(STREAM, body, named(), seconds=12.0) as exchange:
        events = frames(await exchange.whole())
    assert text_of(events) == "Bong"
    assert (events[-1].status, events[-1].content["type"]) == ("error", "urn:clew:problem:turn-timed-out")


@pytest.mark.parametrize(
    ("user_id", "body", "status"),
    [("", {}, 403), ("ann", {"user_id": "bob"}, 403), ("ann", {"session_id": "#"}, 400)],
    ids=["no token", "another user", "no id"],
)
async def test_what_is_refused_is_refused_in_the_metadata(
    lambda_wire: LambdaWire, user_id: str, body: dict[str, str], status: int
) -> None:
    sent = {"session_id": new_session(), "message": QUESTION, **body}
    async with lambda_wire.ask(STREAM, sent, user_id) as exchange:
        assert (exchange.status, exchange.headers["content-type"]) == (status, MEDIA_TYPE)
        assert json.loads(await exchange.whole())["status"] == status
        assert exchange.invocation.error is None
