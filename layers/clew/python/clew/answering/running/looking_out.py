"""What others want of the answers that this process gives: one look for all of them that are due together."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from anyio.to_thread import run_sync

from clew.conversation.running_answers import RunningAnswers, Wanted

TOGETHER: Final = 0.25  # seconds that a look waits for others to join it

Place = tuple[str, int]

logger = logging.getLogger(__name__)


class LookingOut:
    """Shared by all answers of a process, which else would ask the table each for itself."""

    def __init__(self, running: Callable[[], RunningAnswers]) -> None:
        self._running = running
        self._joining: dict[Place, asyncio.Future[Wanted | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looks: set[asyncio.Task[None]] = set()

    async def wanted(self, conversation_id: str, seq: int) -> Wanted | None:
        """What is wanted of one answer, as it was a moment ago; None where the table does not tell."""
        loop = asyncio.get_running_loop()
        if not self._joining or self._loop is not loop:
            self._joining, self._loop = {}, loop
            look = loop.create_task(self._look())
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)
        return await asyncio.shield(self._joining.setdefault((conversation_id, seq), loop.create_future()))

    async def _look(self) -> None:
        await asyncio.sleep(TOGETHER)
        asked, self._joining = self._joining, {}
        found: dict[Place, Wanted] | None = None
        try:
            found = await run_sync(self._running().wanted_of, list(asked))
        except Exception as error:  # the answers go on, and the next look tries again
            logger.warning("running answers not looked after: %s", type(error).__name__)
        finally:
            for place, waiting in asked.items():
                waiting.set_result(None if found is None else found.get(place, Wanted()))
