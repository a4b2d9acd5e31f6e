"""Reading a blocking iterator from an event loop."""

import asyncio
import threading
from collections.abc import Generator

import pytest

from clew.models.reading_thread import read_in_thread


def nothing() -> None:
    pass


async def test_items_come_in_order_and_the_end_ends() -> None:
    def numbers() -> Generator[int, None, None]:
        yield from range(5)

    assert [number async for number in read_in_thread(numbers, nothing)] == [0, 1, 2, 3, 4]


async def test_an_error_is_raised_after_what_came_before_it() -> None:
    def broken() -> Generator[int, None, None]:
        yield 1
        raise KeyError("delta")

    stream = read_in_thread(broken, nothing)
    assert await anext(stream) == 1
    with pytest.raises(KeyError):
        await anext(stream)


async def test_the_event_loop_runs_on_while_an_item_is_awaited() -> None:
    release = threading.Event()

    def waiting() -> Generator[int, None, None]:
        assert release.wait(10)
        yield 1

    async def release_from_the_loop() -> None:
        release.set()

    stream = read_in_thread(waiting, nothing)
    number, _ = await asyncio.gather(anext(stream), release_from_the_loop())
    assert number == 1


async def test_closing_early_interrupts_and_closes_the_iterator() -> None:
    interrupted, closed = threading.Event(), threading.Event()

    def endless() -> Generator[int, None, None]:
        try:
            yield 1
            interrupted.wait(10)
            yield 2
            pytest.fail("read on after closing")
        finally:
            closed.set()

    stream = read_in_thread(endless, interrupted.set)
    assert await anext(stream) == 1
    await stream.aclose()
    assert await asyncio.to_thread(closed.wait, 10)
    assert interrupted.is_set()


async def test_a_stream_read_to_its_end_is_not_interrupted() -> None:
    interruptions: list[int] = []

    def one() -> Generator[int, None, None]:
        yield 1

    assert [n async for n in read_in_thread(one, lambda: interruptions.append(1))] == [1]
    assert interruptions == []
