"""When a busy model is asked again, how long that takes at most, and when another one is asked instead."""

import asyncio
import logging

import httpx
import pytest

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.answering.usage import Usage
from clew.errors import ClewError, ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.backing_off_chat import BackingOffChat
from tests.unit.models.scripted_chat import ScriptedChat

PROMPT = Prompt("Who?", "Who?", "en")
BUSY, AWAY, REFUSED = ModelThrottledError("busy"), ModelUnavailableError("away"), ModelError("refused")
ANSWER: list[Delta | Exception] = [TextDelta("Nolan"), Finished(Usage(output_tokens=1))]


class Time:
    """A clock that only waiting moves; ``waits`` are the waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def backing_off(
    time: Time, first: ScriptedChat, fallback: ScriptedChat | None = None, jitter: float = 1
) -> BackingOffChat:
    return BackingOffChat(first, fallback, sleep=time.sleep, clock=time.clock, jitter=lambda longest: jitter * longest)


async def answer(model: BackingOffChat) -> list[Delta]:
    return [delta async for delta in model.stream(PROMPT)]


@pytest.mark.parametrize("error", [BUSY, AWAY])
async def test_what_passes_is_waited_for(time: Time, error: ClewError) -> None:
    first = ScriptedChat("one", [error], [error], ANSWER)
    assert await answer(backing_off(time, first)) == [
        TextDelta("Nolan"),
        Finished(Usage(output_tokens=1), "end", "one"),
    ]
    assert time.waits == [1, 2]
    assert (first.asked, first.closed) == (3, 3)


async def test_waits_are_drawn_from_nothing_to_the_longest(time: Time) -> None:
    first = ScriptedChat("one", [BUSY])
    for _ in range(20):
        with pytest.raises(ModelThrottledError):
            await answer(BackingOffChat(first, sleep=time.sleep, clock=time.clock))
    for place, longest in enumerate((1, 2, 4)):
        waits = time.waits[place::3]
        assert 0 <= min(waits) < longest / 2 < max(waits) <= longest


async def test_tries_end_with_their_number(time: Time) -> None:
    first = ScriptedChat("one", [BUSY])
    with pytest.raises(ModelThrottledError):
        await answer(backing_off(time, first))
    assert (first.asked, sum(time.waits)) == (4, 7)


async def test_a_model_that_takes_long_to_fail_is_not_asked_again(time: Time) -> None:
    class Slow(ScriptedChat):
        async def stream(self, prompt: Prompt):  # type: ignore[no-untyped-def]
            await time.sleep(120)
            async for delta in super().stream(prompt):
                yield delta

    first, other = Slow("one", [AWAY]), ScriptedChat("two", ANSWER)
    assert (await answer(backing_off(time, first, other)))[0] == TextDelta("Nolan")
    assert (first.asked, time.waits) == (1, [120])


async def test_who_asks_for_more_patience_than_there_is_gets_none(time: Time) -> None:
    busy = ModelThrottledError("busy")
    busy.__cause__ = httpx.HTTPStatusError(
        "429", request=httpx.Request("POST", "http://m"), response=httpx.Response(429, headers={"Retry-After": "60"})
    )
    first, other = ScriptedChat("one", [busy]), ScriptedChat("two", ANSWER)
    await answer(backing_off(time, first, other))
    assert (first.asked, other.asked, time.waits) == (1, 1, [])


@pytest.mark.parametrize("error", [BUSY, AWAY, ModelError("broke off", started=True)])
async def test_after_the_first_delta_nothing_is_asked_again_whatever_is_raised(time: Time, error: ClewError) -> None:
    first, other = ScriptedChat("one", [TextDelta("Chris"), error]), ScriptedChat("two", ANSWER)
    stream = backing_off(time, first, other).stream(PROMPT)
    assert await anext(stream) == TextDelta("Chris")
    with pytest.raises(type(error)):
        await anext(stream)
    assert (first.asked, other.asked, time.waits) == (1, 0, [])


async def test_a_refusal_goes_to_the_fallback_without_a_wait(time: Time, caplog: pytest.LogCaptureFixture) -> None:
    first, other = ScriptedChat("one", [REFUSED]), ScriptedChat("two", ANSWER)
    with caplog.at_level(logging.WARNING):
        finished = (await answer(backing_off(time, first, other)))[-1]
    assert isinstance(finished, Finished)
    assert (finished.model, time.waits) == ("two", [])
    assert [record.getMessage() for record in caplog.records] == ["ModelError from one, asking two instead"]


async def test_the_fallback_is_asked_once_and_its_error_is_the_one(time: Time) -> None:
    first, other = ScriptedChat("one", [BUSY]), ScriptedChat("two", [AWAY])
    with pytest.raises(ModelUnavailableError, match="away"):
        await answer(backing_off(time, first, other))
    assert (first.asked, other.asked) == (4, 1)


async def test_the_operator_hears_of_what_is_not_set_up(time: Time) -> None:
    other = ScriptedChat("two", ANSWER)
    with pytest.raises(ConfigurationError):
        await answer(backing_off(time, ScriptedChat("one", [ConfigurationError("no region")]), other))
    assert other.asked == 0


async def test_closing_early_closes_what_is_read(time: Time) -> None:
    for tries in ([ANSWER], [[REFUSED]]):
        first, other = ScriptedChat("one", *tries), ScriptedChat("two", ANSWER)
        stream = backing_off(time, first, other).stream(PROMPT)
        await anext(stream)
        await stream.aclose()
        assert (first.closed, other.closed) == (1, other.asked)


async def test_cancelling_ends_a_wait() -> None:
    first = ScriptedChat("one", [BUSY])
    waiting = asyncio.Event()

    async def wait(seconds: float) -> None:
        waiting.set()
        await asyncio.sleep(seconds)

    answering = asyncio.ensure_future(answer(BackingOffChat(first, sleep=wait, jitter=lambda longest: 10)))
    await waiting.wait()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(answering, 1)
    assert (first.asked, first.closed) == (1, 1)


def test_it_shows_itself_as_the_first_model(time: Time) -> None:
    model = backing_off(time, ScriptedChat("one"), ScriptedChat("two"))
    assert (model.name, model.reads_images) == ("one", False)
