"""Something that changes while a test waits for it."""

import asyncio
from collections.abc import Callable

PATIENCE = 30.0


class Watched:
    """``changed()`` is called by what changes it; who waits looks again each time."""

    def __init__(self) -> None:
        self._change = asyncio.Event()

    def changed(self) -> None:
        self._change.set()

    async def wait(self, condition: Callable[[], bool]) -> None:
        """TimeoutError when ``condition`` does not come true."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._change.clear()
                await self._change.wait()
