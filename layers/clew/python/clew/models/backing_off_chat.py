"""A chat model that is asked again while it is busy, and another one that is asked in its place."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from itertools import count
from typing import Final

from clew.answering.chat_model import ChatModel, Delta
from clew.answering.prompting.prompt import Prompt
from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError, TransientError
from clew.models.retry_after import retry_after

TRIES: Final = 4
FIRST_WAIT: Final = 1.0
PATIENCE: Final = 20.0
"""Seconds after the first try in which another one may begin. The waits are at most 1, 2 and 4 seconds; so what
this bounds is a server that asks for more with Retry-After, and one that takes long to fail."""

logger = logging.getLogger(__name__)


class BackingOffChat:
    """Asks ``first``; while that is busy or away, again after a wait, and at last ``fallback`` once, if there is one.

    All of this ends with the first delta: what has been sent is never generated anew. A model that refuses (no
    access, no such model, an answer that cannot be read) would refuse again, so then the fallback is asked at
    once. A ConfigurationError is raised as it is: both models are reached in the same way, and it is the operator
    who must hear of it. If both fail, what the fallback raised is raised.

    Waits grow exponentially with full jitter (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
    ``sleep``, ``jitter`` (of the longest wait, the wait) and ``clock`` can be set, for tests.
    """

    def __init__(
        self,
        first: ChatModel,
        fallback: ChatModel | None = None,
        *,
        tries: int = TRIES,
        patience: float = PATIENCE,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[float], float] = lambda longest: random.uniform(0, longest),  # noqa: S311  # no secret
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._first = first
        self._fallback = fallback
        self._tries = tries
        self._patience = patience
        self._sleep = sleep
        self._jitter = jitter
        self._clock = clock

    @property
    def name(self) -> str:
        """The first model's; ``Finished`` tells who answered."""
        return self._first.name

    @property
    def reads_images(self) -> bool:
        return self._first.reads_images

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        fallback = self._fallback
        sent = False
        try:
            async with aclosing(self._patiently(prompt)) as deltas:
                async for delta in deltas:
                    sent = True
                    yield delta
            return
        except (ModelThrottledError, ModelUnavailableError, ModelError) as error:
            if sent or fallback is None:
                raise
            logger.warning("%s from %s, asking %s instead", type(error).__name__, self.name, fallback.name)
        async with aclosing(fallback.stream(prompt)) as deltas:
            async for delta in deltas:
                yield delta

    async def _patiently(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """The first model's answer, asked for again as long as it is busy and somebody would wait."""
        began = self._clock()
        for tried in count(1):
            sent = False
            try:
                async with aclosing(self._first.stream(prompt)) as deltas:
                    async for delta in deltas:
                        sent = True
                        yield delta
                return
            except (ModelThrottledError, ModelUnavailableError) as error:
                wait = None if sent else self._wait(error, tried, began)
                if wait is None:
                    raise
                logger.info("%s from %s at try %d, waiting %.1f s", type(error).__name__, self.name, tried, wait)
            await self._sleep(wait)

    def _wait(self, error: TransientError, tried: int, began: float) -> float | None:
        """Seconds until the next try; None where there is to be none."""
        wait = max(self._jitter(FIRST_WAIT * 2 ** (tried - 1)), retry_after(error))
        late = self._clock() - began + wait > self._patience
        return None if late or tried >= self._tries else wait
