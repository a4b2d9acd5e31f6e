"""What every chat model that talks over a wire must do, on each wire."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.usage import Usage
from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from clew.text.tokens import estimate_tokens
from tests.integration.models.scripted_server import CUT, SILENCE, Answer, ScriptedServer, Step
from tests.integration.models.wires import Wire

SOON = 10.0
"""Seconds after which a test gives up; nothing that passes waits for it."""

SHORT = 0.3


async def collect(stream: AsyncIterator[Delta]) -> list[Delta]:
    return [delta async for delta in stream]


async def next_of(stream: AsyncIterator[Delta]) -> Delta:
    return await asyncio.wait_for(anext(stream), SOON)


async def test_deltas_arrive_while_the_rest_is_not_yet_sent(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    first, second = asyncio.Event(), asyncio.Event()
    steps: list[Step] = [wire.delta("Christopher "), first, wire.delta("Nolan"), second, wire.delta(" [1].")]
    server.answers = [wire.answer(*steps, *wire.end())]
    stream = wire.model(server.url).stream(prompt)

    assert await next_of(stream) == TextDelta("Christopher ")
    sent = server.requests[0].sent
    first.set()
    assert await next_of(stream) == TextDelta("Nolan")
    assert server.requests[0].sent == sent + 1
    second.set()
    assert await next_of(stream) == TextDelta(" [1].")
    assert [type(delta) for delta in await collect(stream)] == [Finished]


async def test_the_last_delta_reports_usage_and_model(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("诺兰 [1]。"), *wire.end())]
    deltas = await collect(wire.model(server.url).stream(prompt))
    assert deltas == [
        TextDelta("诺兰 [1]。"),
        Finished(Usage(input_tokens=11, output_tokens=7), "end", wire.model_name),
    ]


async def test_an_answer_cut_at_the_token_limit_says_so(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Christopher"), *wire.end("max_tokens"))]
    finished = (await collect(wire.model(server.url).stream(prompt)))[-1]
    assert isinstance(finished, Finished)
    assert finished.stop_reason == "max_tokens"


async def test_usage_is_estimated_when_the_server_sends_none(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(wire.delta("Christopher Nolan"), *wire.end_without_usage())]
    finished = (await collect(wire.model(server.url).stream(prompt)))[-1]
    assert isinstance(finished, Finished)
    assert finished.usage.estimated
    assert finished.usage.output_tokens == estimate_tokens("Christopher Nolan")
    assert finished.usage.input_tokens > 100


async def test_an_empty_answer_is_only_its_end(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(*wire.end())]
    assert [type(delta) for delta in await collect(wire.model(server.url).stream(prompt))] == [Finished]


async def test_the_request_carries_the_rendered_prompt(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(*wire.end())]
    await collect(wire.model(server.url).stream(prompt))
    assert wire.asked(server.requests[0].body) == [(turn.role, turn.content) for turn in render(prompt)]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("throttled", ModelThrottledError),
        ("unavailable", ModelUnavailableError),
        ("denied", ModelError),
        ("invalid", ModelError),
    ],
)
async def test_a_refusal_is_raised_as_what_it_means(
    wire: Wire, server: ScriptedServer, prompt: Prompt, kind: str, error: type[Exception]
) -> None:
    server.answers = [wire.refusal(kind)]
    with pytest.raises(error) as raised:
        await collect(wire.model(server.url).stream(prompt))
    assert not getattr(raised.value, "started", False)
    assert "a sentence of" not in str(raised.value)
    assert len(server.requests) == 1


async def test_throttling_reported_inside_the_stream_before_the_first_delta(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(wire.throttled_inside())]
    with pytest.raises(ModelThrottledError):
        await collect(wire.model(server.url).stream(prompt))


async def test_throttling_after_the_first_delta_is_not_to_be_retried(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), wire.throttled_inside())]
    await expect_broken_off(wire, server, prompt)


@pytest.mark.parametrize("ending", [[CUT], []], ids=["connection reset", "end of body"])
async def test_a_cut_before_the_first_delta_may_be_retried(
    wire: Wire, server: ScriptedServer, prompt: Prompt, ending: list[Step]
) -> None:
    server.answers = [wire.answer(*ending)]
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(server.url).stream(prompt))


@pytest.mark.parametrize("ending", [[CUT], []], ids=["connection reset", "end of body"])
async def test_a_cut_in_the_middle_keeps_what_came_and_raises(
    wire: Wire, server: ScriptedServer, prompt: Prompt, ending: list[Step]
) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), *ending)]
    await expect_broken_off(wire, server, prompt)


@pytest.mark.parametrize("which", range(3))
async def test_a_malformed_frame_before_the_first_delta(
    wire: Wire, server: ScriptedServer, prompt: Prompt, which: int
) -> None:
    server.answers = [wire.answer(wire.malformed()[which], *wire.end())]
    with pytest.raises(ModelError) as raised:
        await collect(wire.model(server.url).stream(prompt))
    assert not raised.value.started


@pytest.mark.parametrize("which", range(3))
async def test_a_malformed_frame_in_the_middle(wire: Wire, server: ScriptedServer, prompt: Prompt, which: int) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), wire.malformed()[which], *wire.end())]
    await expect_broken_off(wire, server, prompt)


async def test_a_server_that_never_answers_is_given_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [Answer(headers_after=SILENCE)]
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(server.url, read_timeout=SHORT).stream(prompt))
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)


async def test_a_stream_that_falls_silent_is_given_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), SILENCE)]
    await expect_broken_off(wire, server, prompt, read_timeout=SHORT)
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)


async def test_nobody_listening_is_unavailable(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    gone = ScriptedServer()
    async with gone.running():
        pass
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(gone.url).stream(prompt))


async def test_closing_early_hangs_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("Chris"), SILENCE)]
    stream = wire.model(server.url).stream(prompt)
    assert await next_of(stream) == TextDelta("Chris")
    await stream.aclose()
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)


async def test_cancelling_a_waiting_reader_hangs_up(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(SILENCE)]
    reading = asyncio.ensure_future(collect(wire.model(server.url).stream(prompt)))
    await asyncio.wait_for(server.asked.wait(), SOON)
    await asyncio.wait_for(server.requests[0].begun.wait(), SOON)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)


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

    await first.aclose()
    await asyncio.wait_for(server.requests[0].hung_up.wait(), SOON)
    gate.set()
    assert await next_of(second) == TextDelta(" more")
    assert isinstance(await next_of(second), Finished)


async def expect_broken_off(wire: Wire, server: ScriptedServer, prompt: Prompt, read_timeout: float = 30.0) -> None:
    """The one delta that was sent, then a ModelError that says that it was; and no second request."""
    stream = wire.model(server.url, read_timeout=read_timeout).stream(prompt)
    assert await next_of(stream) == TextDelta("Chris")
    with pytest.raises(ModelError) as raised:
        await next_of(stream)
    assert raised.value.started
    assert len(server.requests) == 1
