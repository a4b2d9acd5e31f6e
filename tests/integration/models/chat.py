"""Reading a chat model's deltas in tests, within limits of time."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.errors import ModelError

SOON = 10.0
"""Seconds after which a test gives up; nothing that passes waits for it."""

SHORT = 0.3
"""Seconds of a read time-out that is waited for."""


async def collect(stream: AsyncIterator[Delta]) -> list[Delta]:
    return [delta async for delta in stream]


async def next_of(stream: AsyncIterator[Delta]) -> Delta:
    return await asyncio.wait_for(anext(stream), SOON)


async def finish_of(stream: AsyncIterator[Delta]) -> Finished:
    """The last delta, after any text."""
    finished = (await asyncio.wait_for(collect(stream), SOON))[-1]
    assert isinstance(finished, Finished)
    return finished


async def text_of(stream: AsyncIterator[Delta]) -> str:
    deltas = await asyncio.wait_for(collect(stream), SOON)
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


async def expect_broken_off(stream: AsyncIterator[Delta], said: str = "Chris") -> None:
    """The one delta that was sent, then a ModelError that says that it was."""
    assert await next_of(stream) == TextDelta(said)
    with pytest.raises(ModelError) as raised:
        await next_of(stream)
    assert raised.value.started
