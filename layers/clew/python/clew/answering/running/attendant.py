"""Looking after a running answer: whether somebody wants it to stop, or to read along."""

import logging
from collections.abc import Callable
from typing import Final, TypeVar

from anyio.to_thread import run_sync

from clew.answering.running.answer_run import AnswerRun
from clew.answering.running.looking_out import LookingOut
from clew.conversation.running_answers import RunningAnswers, Wanted

FIRST_LOOK: Final = 0.8  # seconds; an answer that is given by then costs no look
NEXT_LOOK: Final = 0.7  # and a quarter for others to join it: a cancelled answer stops well within two seconds
PUBLISHING: Final = 0.25
BEAT_AFTER: Final = 3  # publications: a sign of life every three quarters of a second

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Attendant:
    """Looks into the table while a run goes on, and publishes its events once somebody reads along."""

    def __init__(
        self,
        running: RunningAnswers,
        looking_out: LookingOut,
        run: AnswerRun,
        conversation_id: str,
        seq: int,
        *,
        followed: bool = False,
    ) -> None:
        self._running = running
        self._looking_out = looking_out
        self._run = run
        self._place = conversation_id, seq
        self._published = 0
        self.followed = followed

    async def attend(self) -> None:
        """Return once the run is over and, if anybody reads along, all of it is published."""
        if not self.followed and not await self._wait_for_a_follower():
            return
        rounds = 0
        while True:
            over = self._run.over  # before publishing: what is added meanwhile is published in the next round
            await self._publish()
            if over:
                return
            if rounds % BEAT_AFTER == 0:
                await self._beat()
            rounds += 1
            await self._run.ended(PUBLISHING)

    async def _wait_for_a_follower(self) -> bool:
        pause = FIRST_LOOK
        while not await self._run.ended(pause):
            pause = NEXT_LOOK
            wanted = await self._looking_out.wanted(*self._place)
            if wanted is None:
                continue
            self._stop_if_wanted(wanted)
            if wanted.followed:
                self.followed = True
                return True
        return False

    async def _beat(self) -> None:
        lost = False

        def beat() -> Wanted | None:
            nonlocal lost
            wanted = self._running.beat(*self._place, self._run.attempt)
            lost = wanted is None
            return wanted

        wanted = await self._safely(beat)
        if lost:
            self._run.stop("taken_over")
        elif wanted is not None:
            self._stop_if_wanted(wanted)

    async def _publish(self) -> None:
        first, events = self._published, [each.published() for each in self._run.events[self._published :]]
        if not events:
            return

        def publish() -> bool:
            self._running.publish(*self._place, self._run.attempt, first, events)
            return True

        if await self._safely(publish):
            self._published += len(events)

    def _stop_if_wanted(self, wanted: Wanted) -> None:
        if wanted.attempt not in ("", self._run.attempt):
            self._run.stop("taken_over")
        elif wanted.cancelled:
            self._run.stop("cancelled")

    async def _safely(self, call: Callable[[], T]) -> T | None:
        """What ``call`` gives; the answer goes on where the table fails, and the next round tries again."""
        try:
            return await run_sync(call)
        except Exception as error:
            logger.warning("running answer not looked after: %s", type(error).__name__)
            return None
