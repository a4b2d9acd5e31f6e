"""What every chat model that talks over a wire must do, on each wire: deltas as they come, and an end."""

import asyncio

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.answering.usage import Usage
from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from clew.text.tokens import estimate_tokens
from tests.integration.models.chat import collect, finish_of, next_of, text_of
from tests.integration.models.scripted_server import ScriptedServer, Step
from tests.integration.models.wires import Wire


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


async def test_a_slow_first_delta_is_waited_for_and_blocks_nobody(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    gate = asyncio.Event()
    server.answers = [wire.answer(gate, wire.delta("Nolan"), *wire.end())]
    reading = asyncio.ensure_future(collect(wire.model(server.url).stream(prompt)))
    await server.requested(1)
    done, _ = await asyncio.wait([reading], timeout=0.2)
    assert not done
    gate.set()
    assert (await reading)[0] == TextDelta("Nolan")


async def test_frames_that_arrive_in_pieces_are_put_together(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    frames = b"".join([wire.delta("克里斯托弗"), wire.delta("·诺兰 🎬")])
    server.answers = [wire.answer(*(frames[at : at + 7] for at in range(0, len(frames), 7)), *wire.end())]
    assert await text_of(wire.model(server.url).stream(prompt)) == "克里斯托弗·诺兰 🎬"


async def test_the_last_delta_reports_usage_and_model(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(wire.delta("诺兰 [1]。"), *wire.end())]
    deltas = await collect(wire.model(server.url).stream(prompt))
    assert deltas == [
        TextDelta("诺兰 [1]。"),
        Finished(Usage(input_tokens=11, output_tokens=7), "end", wire.model_name),
    ]


async def test_what_came_out_of_the_providers_cache_is_part_of_the_input(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(*wire.end(cached=(6, 0)))]
    usage = (await finish_of(wire.model(server.url).stream(prompt))).usage
    assert usage == Usage(input_tokens=11, output_tokens=7, cache_read_tokens=6)


@pytest.mark.parametrize("reason", ["max_tokens", "content_filtered", "tool_use"])
async def test_an_answer_that_did_not_end_by_itself_says_why(
    wire: Wire, server: ScriptedServer, prompt: Prompt, reason: str
) -> None:
    server.answers = [wire.answer(wire.delta("Christopher"), *wire.end(reason))]
    assert (await finish_of(wire.model(server.url).stream(prompt))).stop_reason == reason


async def test_usage_is_estimated_when_the_server_sends_none(
    wire: Wire, server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [wire.answer(wire.delta("Christopher Nolan"), *wire.end_without_usage())]
    usage = (await finish_of(wire.model(server.url).stream(prompt))).usage
    assert usage.estimated
    assert usage.output_tokens == estimate_tokens("Christopher Nolan")
    assert usage.input_tokens > 100


async def test_an_empty_answer_is_only_its_end(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.answer(*wire.end())]
    assert [type(delta) for delta in await collect(wire.model(server.url).stream(prompt))] == [Finished]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("throttled", ModelThrottledError),
        ("unavailable", ModelUnavailableError),
        ("denied", ModelError),
        ("invalid", ModelError),
    ],
)
async def test_a_refusal_is_raised_as_what_it_means_and_not_tried_again(
    wire: Wire, server: ScriptedServer, prompt: Prompt, kind: str, error: type[Exception]
) -> None:
    server.answers = [wire.refusal(kind)]
    with pytest.raises(error) as raised:
        await collect(wire.model(server.url).stream(prompt))
    assert not getattr(raised.value, "started", False)
    assert "a sentence of" not in str(raised.value)
    assert len(server.requests) == 1


async def test_nobody_listening_is_unavailable(wire: Wire, prompt: Prompt) -> None:
    gone = ScriptedServer()
    async with gone.running():
        pass
    with pytest.raises(ModelUnavailableError):
        await collect(wire.model(gone.url).stream(prompt))
