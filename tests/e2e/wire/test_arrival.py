"""What arrives of a stream, byte by byte, and when: through Lambda and API Gateway, and through the local gateway."""

import time
import uuid
from collections.abc import Callable

import pytest

from clew.problem import MEDIA_TYPE
from tests.e2e.client import new_session
from tests.e2e.wire.frames import PING, frames, text_of
from tests.e2e.wire.telling import Telling
from tests.e2e.wire.wires import Wire
from tests.integration.models.scripted_server import ScriptedServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "Who directed Parasite?"
AT_ONCE = 1.0
"""Seconds within which a piece has to be there once the model has sent it: many times what it takes."""


@pytest.fixture(params=["lambda_wire", "gateway_wire"], ids=["lambda", "gateway"])
def wire(request: pytest.FixtureRequest) -> Wire:
    found: Wire = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def user_id() -> str:
    return f"user-{uuid.uuid4().hex[:12]}"


async def test_events_arrive_as_they_are_made(
    wire: Wire, model: ScriptedServer, user_id: str, tell: Callable[[str], None]
) -> None:
    told = Telling("Bong", " Joon-ho", " directed it.")
    model.respond = lambda _: told.answer()
    async with wire.ask("/chat/stream", {"session_id": new_session(), "message": QUESTION}, user_id) as exchange:
        assert exchange.status == 200
        assert exchange.headers["content-type"].startswith("text/event-stream")
        arrivals = exchange.arrivals
        await arrivals.until(b'"start"')
        waits = []
        for number, piece in enumerate(told.pieces):
            token = f'"content":"{piece}"'.encode()
            assert token not in arrivals.content
            allowed = time.monotonic()
            told.allow(number)
            waits.append(await arrivals.until(token) - allowed)
        assert b'"done"' not in arrivals.content
        told.allow_all()
        events = frames(await exchange.whole())
    assert max(waits[1:]) < AT_ONCE
    tell(f"a piece of the model is with the client after {1000 * max(waits[1:]):.1f} ms")
    statuses = [event.status for event in events]
    assert statuses[0] == "start"
    assert statuses[-1] == "done"
    assert not {"done", "error"} & set(statuses[:-1])
    assert text_of(events) == told.text
    ids = [event.id for event in events]
    assert len(set(ids)) == len(ids)


async def test_heartbeats_arrive_while_the_model_is_silent(wire: Wire, model: ScriptedServer, user_id: str) -> None:
    told = Telling("Bong Joon-ho.")
    model.respond = lambda _: told.answer()
    async with wire.ask("/chat/stream", {"session_id": new_session(), "message": QUESTION}, user_id) as exchange:
        await exchange.arrivals.until(PING, times=3)
        told.allow_all()
        events = frames(await exchange.whole())
    assert text_of(events) == told.text


async def test_a_client_that_comes_back_gets_what_it_missed(wire: Wire, model: ScriptedServer, user_id: str) -> None:
    told = Telling("Bong", " Joon-ho", " directed it.")
    told.allow_all()
    model.respond = lambda _: told.answer()
    body = {"session_id": new_session(), "message": QUESTION, "message_id": "m-1"}
    async with wire.ask("/chat/stream", body, user_id) as exchange:
        events = frames(await exchange.whole())
    had = next(number for number, event in enumerate(events) if event.status == "token")
    async with wire.ask("/chat/stream", body, user_id, {"Last-Event-ID": events[had].id}) as exchange:
        rest = frames(await exchange.whole())
    assert text_of(events[: had + 1] + rest) == told.text
    assert [event.status for event in rest if event.status != "token"] == ["done"]
    assert rest[-1].content == events[-1].content


async def test_a_refusal_has_its_status_and_is_a_problem_document(wire: Wire, user_id: str) -> None:
    body = {"session_id": new_session(), "message": QUESTION, "kb_prefix": "no-such-base"}
    async with wire.ask("/chat/stream", body, user_id) as exchange:
        assert exchange.status == 404
        assert exchange.headers["content-type"] == MEDIA_TYPE
        problem = await exchange.whole()
    assert problem.startswith(b"{")
    assert b'"status":404' in problem.replace(b" ", b"")


async def test_the_collected_answer_is_one_json_body(wire: Wire, model: ScriptedServer, user_id: str) -> None:
    told = Telling("Bong Joon-ho.")
    told.allow_all()
    model.respond = lambda _: told.answer()
    async with wire.ask("/chat", {"session_id": new_session(), "message": QUESTION}, user_id) as exchange:
        assert exchange.status == 200
        assert exchange.headers["content-type"] == "application/json"
        assert b"Bong Joon-ho." in await exchange.whole()
