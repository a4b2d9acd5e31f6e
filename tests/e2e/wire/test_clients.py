"""Clients that others wrote read whole streams, silence, errors, and what a cut connection left out."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.e2e.client import new_session
from tests.e2e.wire.clients import Client, Curl, FetchEventSource, HttpxSse, require_curl, require_fetch_event_source
from tests.e2e.wire.conftest import Serve
from tests.e2e.wire.frames import PING
from tests.e2e.wire.lossy_link import LossyLink
from tests.e2e.wire.reading import Reading, text_of
from tests.e2e.wire.telling import Telling
from tests.integration.models.scripted_server import ScriptedServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

STREAM = "/api/v1/chat/stream"


@pytest.fixture(params=["httpx-sse", "curl", "fetch-event-source"])
def client(request: pytest.FixtureRequest) -> Client:
    match request.param:
        case "httpx-sse":
            return HttpxSse()
        case "curl":
            require_curl()
            return Curl()
        case _:
            require_fetch_event_source()
            return FetchEventSource()


@pytest_asyncio.fixture(loop_scope="module")
async def link(gateway: Serve) -> AsyncIterator[LossyLink]:
    """To a service that finishes answers whose client has gone."""
    async with LossyLink(gateway("finish")).running() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def stopping_link(gateway: Serve) -> AsyncIterator[LossyLink]:
    """To a service that stops them."""
    async with LossyLink(gateway("stop")).running() as running:
        yield running


def asking() -> dict[str, Any]:
    session_id = new_session()
    return {
        "user_id": f"user-{session_id}",
        "session_id": session_id,
        "message": "Who directed Parasite?",
        "message_id": f"m-{session_id}",
    }


async def test_a_whole_stream(client: Client, link: LossyLink, model: ScriptedServer) -> None:
    told = Telling("Bong", " Joon-ho", " directed it.")
    model.respond = lambda _: told.answer()
    async with client.read(link.url + STREAM, asking()) as reading:
        await reading.until("start")
        for number in range(len(told.pieces)):
            told.allow(number)
            await reading.until("token", times=number + 1)
        told.allow_all()
        await reading.until_end()
    assert not reading.broken
    assert reading.statuses[0] == "start"
    assert reading.statuses[-1] == "done"
    assert text_of(reading.messages) == told.text
    assert len(link.connections) == 1


async def test_a_silence_with_nothing_but_heartbeats_is_no_message_and_no_end(
    client: Client, link: LossyLink, model: ScriptedServer
) -> None:
    told = Telling("Bong", " Joon-ho.")
    model.respond = lambda _: told.answer()
    async with client.read(link.url + STREAM, asking()) as reading:
        told.allow(0)
        await reading.until("token")
        before = list(reading.messages)
        beats = link.last.answered.content.count(PING)
        await link.last.answered.until(PING, times=beats + 3)
        assert reading.messages == before
        told.allow_all()
        await reading.until_end()
    assert text_of(reading.messages) == told.text
    assert len(link.connections) == 1


async def test_an_error_is_the_last_message(client: Client, link: LossyLink, model: ScriptedServer) -> None:
    told = Telling("Bong", cut=True)
    told.allow_all()
    model.respond = lambda _: told.answer()
    async with client.read(link.url + STREAM, asking()) as reading:
        await reading.until_end()
    assert not reading.broken
    assert reading.statuses[-2:] == ["token", "error"]
    failed = reading.messages[-1].content
    assert failed["type"].startswith("urn:clew:problem:")
    assert failed["message"]
    assert len(link.connections) == 1


async def stored(link: LossyLink, body: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Of each message that the conversation holds: the role, the text, and whether it is a part only."""
    path = f"/api/v1/conversations/{body['session_id']}/messages"
    async with httpx.AsyncClient(timeout=30, trust_env=False) as asking_api:
        answer = await asking_api.get(link.url + path, params={"user_id": body["user_id"]})
    messages = answer.json()["messages"]
    return [(each["role"], each["content"], "partial" in each["debug"]) for each in messages]


@contextlib.asynccontextmanager
async def coming_back(client: Client, url: str, body: dict[str, Any], reading: Reading) -> AsyncIterator[None]:
    """The client after its connection broke: back by itself, or with a request that tells the last id it has."""
    if client.reconnects:
        yield
        return
    await reading.until_end()
    assert reading.broken
    async with client.read(url, body, reading):
        yield


async def test_a_cut_stream_is_continued_and_nothing_comes_twice(
    client: Client, link: LossyLink, model: ScriptedServer
) -> None:
    told = Telling("Bong", " Joon-ho", " directed", " it.")
    model.respond = lambda _: told.answer()
    before, body = len(model.requests), asking()
    async with client.read(link.url + STREAM, body) as reading:
        told.allow(0)
        told.allow(1)
        await reading.until("token", times=2)
        link.cut()
        told.allow(2)
        await told.told(2)  # while nobody could hear it
        link.mend()
        async with coming_back(client, link.url + STREAM, body, reading):
            await reading.until("token", times=3)
            told.allow_all()
            await reading.until_end()
    assert not reading.broken
    assert reading.statuses.count("start") == 1
    assert reading.statuses[-1] == "done"
    assert text_of(reading.messages) == told.text
    assert len({message.id for message in reading.messages}) == len(reading.messages)
    assert len(link.connections) == 2
    assert len(model.requests) == before + 1
    assert await stored(link, body) == [("user", body["message"], False), ("assistant", told.text, False)]


async def test_a_stream_that_was_stopped_begins_anew(
    client: Client, stopping_link: LossyLink, model: ScriptedServer
) -> None:
    link, first, second = stopping_link, Telling("Bong", " Joon-ho."), Telling("It was", " Bong Joon-ho.")
    second.allow_all()
    before, body = len(model.requests), asking()
    model.respond = lambda _: (first if len(model.requests) == before else second).answer()
    async with client.read(link.url + STREAM, body) as reading:
        first.allow(0)
        await reading.until("token")
        link.cut()
        await model.requests[before].hung_up.wait()
        link.mend()
        async with coming_back(client, link.url + STREAM, body, reading):
            await reading.until_end()
    assert not reading.broken
    assert reading.statuses.count("start") == 2
    anew = reading.messages[1 + reading.statuses.index("start", 1) :]
    assert text_of(anew) == second.text
    assert reading.statuses[-1] == "done"
    assert len(model.requests) == before + 2
    assert await stored(link, body) == [
        ("user", body["message"], False),
        ("assistant", "Bong", True),
        ("assistant", second.text, False),
    ]
