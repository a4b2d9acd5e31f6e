"""Who goes away ends the generation, on each wire and wherever it is: the connection is closed at once."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from tests.integration.models.chat import SOON, collect, next_of
from tests.integration.models.scripted_server import SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import Wire

AT_ONCE = 0.5
"""Seconds; a client that goes is to end the generation within one."""

STILL: dict[str, Callable[[Wire], Answer]] = {
    "before the headers": lambda wire: Answer(headers_after=SILENCE),
    "before the first delta": lambda wire: wire.answer(SILENCE),
    "after the first delta": lambda wire: wire.answer(wire.delta("Chris"), SILENCE),
}


@asynccontextmanager
async def hanging_up(server: ScriptedServer) -> AsyncIterator[None]:
    """What is done inside makes the client hang up, soon."""
    began = time.monotonic()
    yield
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)
    assert time.monotonic() - began < AT_ONCE


@pytest.mark.parametrize("where", STILL)
async def test_cancelling_a_waiting_reader_hangs_up_at_once(
    wire: Wire, server: ScriptedServer, prompt: Prompt, where: str
) -> None:
    server.answers = [STILL[where](wire)]
    reading = asyncio.ensure_future(collect(wire.model(server.url).stream(prompt)))
    await server.requested(1)
    async with hanging_up(server):
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading


async def test_closing_early_hangs_up_at_once(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), SILENCE)]
    stream = wire.model(server.url).stream(prompt)
    assert await next_of(stream) == TextDelta("Chris")
    async with hanging_up(server):
        await stream.aclose()


async def test_closing_one_stream_leaves_the_other_alone(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    gate = asyncio.Event()
    server.answers = [
        wire.answer(wire.delta("one"), SILENCE),
        wire.answer(wire.delta("two"), gate, wire.delta(" more"), *wire.end()),
    ]
    model = wire.model(server.url)
    first = model.stream(prompt)
    assert await next_of(first) == TextDelta("one")
    second = model.stream(prompt)
    assert await next_of(second) == TextDelta("two")

    async with hanging_up(server):
        await first.aclose()
    gate.set()
    assert await next_of(second) == TextDelta(" more")
    assert isinstance(await next_of(second), Finished)
