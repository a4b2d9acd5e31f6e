"""An event loop on a thread of its own, for servers beside a client that blocks."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Runs from its making until ``stop()``; everything below it belongs to its loop."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 30) -> T:
        """Run ``work`` on the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the loop, between two of its steps, and wait for its result."""

        async def once() -> T:
            return work()

        return self.run(once())

    def stop(self) -> None:
        """Cancel what still runs, end the thread and close the loop."""

        async def leave() -> None:
            # Again and again: a connection that is just being taken makes a task of its own.
            while others := asyncio.all_tasks() - {asyncio.current_task()}:
                for task in others:
                    task.cancel()
                await asyncio.gather(*others, return_exceptions=True)

        self.run(leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
