"""A busy model is asked again and another in its place, on each wire: until the first delta and never after it."""

import asyncio
import time

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.backing_off_chat import BackingOffChat
from tests.integration.models.chat import SHORT, collect, expect_broken_off, finish_of
from tests.integration.models.scripted_server import CUT, SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import Wire


class Waits(list[float]):
    """The waits that a model would have made, none of which is waited."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


def patient(wire: Wire, url: str, waits: Waits, *, fallback: bool = False) -> BackingOffChat:
    other = wire.model(url, name=wire.other_model) if fallback else None
    return BackingOffChat(wire.model(url), other, sleep=waits, jitter=lambda longest: longest)


async def test_a_throttled_model_is_asked_again_after_growing_waits(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    answer = wire.answer(wire.delta("Nolan"), *wire.end())
    server.answers = [
        wire.refusal("throttled"),
        wire.answer(wire.throttled_inside()),
        wire.refusal("unavailable"),
        answer,
    ]
    assert (await collect(patient(wire, server.url, waits).stream(prompt)))[0] == TextDelta("Nolan")
    assert waits == [1, 2, 4]
    assert [wire.asks_for(request) for request in server.requests] == [wire.model_name] * 4


async def test_a_model_that_stays_throttled_is_given_up(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    server.answers = [wire.refusal("throttled")] * 9
    with pytest.raises(ModelThrottledError):
        await collect(patient(wire, server.url, waits).stream(prompt))
    assert len(server.requests) == 4


async def test_the_wait_is_as_long_as_the_server_asks_for(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    refusals = [wire.refusal("throttled", **{"Retry-After": seconds}) for seconds in ("7", "0.5")]
    server.answers = [*refusals, wire.answer(wire.delta("Nolan"), *wire.end())]
    await collect(patient(wire, server.url, waits).stream(prompt))
    assert waits == [7, 2]


@pytest.mark.parametrize("breaking", ["throttled", "cut", "silent", "malformed"])
async def test_nothing_is_asked_again_once_a_delta_has_been_sent(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits, breaking: str
) -> None:
    step = {"throttled": wire.throttled_inside(), "cut": CUT, "silent": SILENCE, "malformed": wire.malformed()[0]}
    server.answers = [wire.answer(wire.delta("Chris"), step[breaking])] * 2
    first = wire.model(server.url, read_timeout=SHORT)
    model = BackingOffChat(first, wire.model(server.url, name=wire.other_model), sleep=waits)
    await expect_broken_off(model.stream(prompt))
    assert (len(server.requests), waits) == (1, [])


async def test_the_fallback_is_asked_once_when_the_first_model_is_given_up(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    server.answers = [wire.refusal("throttled")] * 4 + [wire.answer(wire.delta("Nolan"), *wire.end())]
    finished = await finish_of(patient(wire, server.url, waits, fallback=True).stream(prompt))
    assert finished.model == wire.other_model
    assert [wire.asks_for(request) for request in server.requests] == [wire.model_name] * 4 + [wire.other_model]


async def test_if_both_fail_the_fallbacks_error_is_raised(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    server.answers = [wire.refusal("throttled")] * 4 + [wire.refusal("unavailable")] * 2
    with pytest.raises(ModelUnavailableError, match=wire.other_model):
        await collect(patient(wire, server.url, waits, fallback=True).stream(prompt))
    assert len(server.requests) == 5


@pytest.mark.parametrize("kind", ["denied", "invalid"])
async def test_a_model_that_refuses_is_not_asked_again_but_its_fallback_is(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits, kind: str
) -> None:
    server.answers = [wire.refusal(kind), wire.answer(wire.delta("Nolan"), *wire.end()), wire.refusal(kind)]
    finished = await finish_of(patient(wire, server.url, waits, fallback=True).stream(prompt))
    assert isinstance(finished, Finished)
    assert (finished.model, waits) == (wire.other_model, [])
    with pytest.raises(ModelError):
        await collect(patient(wire, server.url, waits).stream(prompt))
    assert len(server.requests) == 3


async def test_cancelling_ends_the_wait_at_once(wire: Wire, server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [wire.refusal("throttled")] * 2
    reading = asyncio.ensure_future(
        collect(BackingOffChat(wire.model(server.url), jitter=lambda longest: 30, patience=60).stream(prompt))
    )
    await server.requested(1)
    await asyncio.sleep(0.1)
    began = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert time.monotonic() - began < 0.5
    assert len(server.requests) == 1


async def test_cancelling_while_the_fallback_is_silent_hangs_up(
    wire: Wire, server: ScriptedServer, prompt: Prompt, waits: Waits
) -> None:
    server.answers = [wire.refusal("denied"), Answer(headers_after=SILENCE)]
    reading = asyncio.ensure_future(collect(patient(wire, server.url, waits, fallback=True).stream(prompt)))
    await server.requested(2)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.wait_for(server.requests[1].hung_up.wait(), 1)
