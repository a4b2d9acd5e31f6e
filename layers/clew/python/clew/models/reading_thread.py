"""A blocking iterator, read in a thread of its own so that the event loop stays free."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

THREAD_NAME = "clew-model-read"


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None = None


async def read_in_thread(
    read: Callable[[], Generator[T, None, None]], interrupt: Callable[[], None]
) -> AsyncGenerator[T, None]:
    """Yield what ``read()`` yields, each item as soon as it is there, and raise what it raises.

    Closing this generator early closes the other one too, at its next item; ``interrupt`` is then
    called, from the event loop, and must wake a read that is waiting for the network.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[_Item[T] | _End] = asyncio.Queue()
    closed = threading.Event()

    def pass_on(what: _Item[T] | _End) -> None:
        # RuntimeError: the event loop is closed, so nobody waits for this any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(arrived.put_nowait, what)

    def run() -> None:
        try:
            with contextlib.closing(read()) as items:
                for item in items:
                    if closed.is_set():
                        return
                    pass_on(_Item(item))
        except BaseException as exc:  # whatever it is, the waiting side must hear of it or waits for ever
            pass_on(_End(exc))
        else:
            pass_on(_End())

    # A daemon, so that a model that stays silent cannot keep the process from ending.
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name=THREAD_NAME, daemon=True).start()
    what: _Item[T] | _End | None = None
    try:
        while isinstance(what := await arrived.get(), _Item):
            yield what.value
        if what.error is not None:
            raise what.error
    finally:
        if not isinstance(what, _End):
            closed.set()
            interrupt()
