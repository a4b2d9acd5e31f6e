"""Streams that break, on each wire: before the first delta they may be asked for again, after it never."""

import asyncio

import pytest

from clew.answering.prompting.prompt import Prompt
from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from tests.integration.models.chat import SHORT, SOON, collect, expect_broken_off
from tests.integration.models.scripted_server import CUT, SILENCE, Answer, ScriptedServer, Step
from tests.integration.models.wires import Wire

ENDINGS = pytest.mark.parametrize("ending", [[CUT], []], ids=["connection reset", "end of body"])
WAYS = pytest.mark.parametrize("which", range(3))


async def test_throttling_reported_inside_the_stream_before_the_first_delta(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(wire.throttled_inside())]
    with pytest.raises(ModelThrottledError):
        await collect(wire.model(server.url).stream(prompt))


async def test_throttling_after_the_first_delta(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), wire.throttled_inside())]
    await expect_broken_off(wire.model(server.url).stream(prompt))
    assert len(server.requests) == 1


@ENDINGS
async def test_a_cut_before_the_first_delta(
    wire: Wire, server: ScriptedServer, prompt: Prompt, ending: list[Step]
) -> None:
    server.answers = [wire.answer(*ending)]
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(server.url).stream(prompt))


@ENDINGS
async def test_a_cut_in_the_middle_keeps_what_came(
    wire: Wire, server: ScriptedServer, prompt: Prompt, ending: list[Step]
) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), *ending)]
    await expect_broken_off(wire.model(server.url).stream(prompt))
    assert len(server.requests) == 1


@ENDINGS
@pytest.mark.parametrize("word", ["Nolan", "诺兰"], ids=["between characters", "within a character"])
async def test_half_a_frame_is_no_part_of_the_answer(
    wire: Wire, server: ScriptedServer, prompt: Prompt, ending: list[Step], word: str
) -> None:
    frame = wire.delta(word)
    half = frame[: frame.index(word.encode()) + 2]
    server.answers = [wire.answer(wire.delta("Chris"), half, *ending)]
    await expect_broken_off(wire.model(server.url).stream(prompt))
    assert len(server.requests) == 1


@WAYS
async def test_a_malformed_frame_before_the_first_delta(
    wire: Wire, server: ScriptedServer, prompt: Prompt, which: int
) -> None:
    server.answers = [wire.answer(wire.malformed()[which], *wire.end())]
    with pytest.raises(ModelError) as raised:
        await collect(wire.model(server.url).stream(prompt))
    assert not raised.value.started


@WAYS
async def test_a_malformed_frame_in_the_middle(wire: Wire, server: ScriptedServer, prompt: Prompt, which: int) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), wire.malformed()[which], *wire.end())]
    await expect_broken_off(wire.model(server.url).stream(prompt))
    assert len(server.requests) == 1


async def test_a_server_that_never_answers_is_given_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [Answer(headers_after=SILENCE)]
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(server.url, read_timeout=SHORT).stream(prompt))
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)


async def test_a_stream_that_falls_silent_is_given_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), SILENCE)]
    await expect_broken_off(wire.model(server.url, read_timeout=SHORT).stream(prompt))
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)
    assert len(server.requests) == 1
