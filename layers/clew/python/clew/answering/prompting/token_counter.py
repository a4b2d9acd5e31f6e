"""How many tokens a text takes in the model that will read it: estimated, and corrected by what models report."""

import threading
from collections.abc import Callable, Sequence
from math import ceil
from typing import Final, Protocol

from clew.answering.prompting.prompt import ChatMessage
from clew.answering.usage import Usage
from clew.text.tokens import estimate_by_script, estimate_tokens

MESSAGE_TOKENS: Final = 4
"""What a chat template puts around each message: who speaks, where it begins and ends."""

LOWEST_RATIO: Final = 0.5
HIGHEST_RATIO: Final = 2.0
SMALLEST_PROMPT: Final = 200  # estimated tokens; below it, what the template adds outweighs the text
LOWEST_WEIGHT: Final = 0.1  # of one observation, once there are many

CountPrompt = Callable[[Sequence[ChatMessage]], int | None]
"""A model's own count of a whole prompt; None where the model does not tell, or not in time."""


class TokenCounter(Protocol):
    """Counts tokens as one model does, more or less."""

    def count(self, text: str) -> int: ...

    def measure(self, messages: Sequence[ChatMessage]) -> bool:
        """Take the model's own count of a prompt, if it is worth a request; whether counts have changed by it.

        Never raises, and takes a second at most.
        """
        ...


class EstimatedCounter:
    """The estimate alone."""

    def count(self, text: str) -> int:
        return estimate_tokens(text)

    def measure(self, messages: Sequence[ChatMessage]) -> bool:
        return False


class CalibratedCounter:
    """The estimate times what one model has been found to take of it, for Chinese and for all else apart.

    Vocabularies agree on English within a few per cent and differ by half on Chinese, so one ratio would
    swing with the language of the last prompt. Each prompt whose size the model reports moves the two
    ratios towards it, each by its share of the text: for a prompt in one language this is an exponential
    moving average. A script's first observations weigh 1/2, 1/3, …, later ones a tenth. Safe in threads.

    ``count_prompt`` is the model's own counter, where it has one.
    """

    def __init__(self, count_prompt: CountPrompt | None = None) -> None:
        self._count_prompt = count_prompt
        self._lock = threading.Lock()
        self._han = 1.0
        self._other = 1.0
        self._seen_han = 0.0
        self._seen_other = 0.0

    @property
    def ratios(self) -> tuple[float, float]:
        """Of Chinese and of all else; 1 is the estimate itself."""
        return self._han, self._other

    def count(self, text: str) -> int:
        han, other = estimate_by_script(text)
        with self._lock:
            return ceil(han * self._han + other * self._other)

    def measure(self, messages: Sequence[ChatMessage]) -> bool:
        """Ask the model as long as nothing is known of it: later its reported usage tells the same for nothing."""
        if self._count_prompt is None or self._seen_han or self._seen_other:
            return False
        tokens = self._count_prompt(messages)
        return tokens is not None and self._observe(messages, tokens)

    def learn(self, messages: Sequence[ChatMessage], usage: Usage) -> None:
        """Take in what the model reported of a prompt; a usage that was itself estimated teaches nothing."""
        if not usage.estimated:
            self._observe(messages, usage.input_tokens)

    def _observe(self, messages: Sequence[ChatMessage], tokens: int) -> bool:
        """Whether the ratios have moved.

        Less than half of the estimate is no vocabulary but a prompt of which a part was not counted: read
        from a cache, or cut by the server.
        """
        parts = [estimate_by_script(message.content) for message in messages]
        han, other = sum(each[0] for each in parts), sum(each[1] for each in parts)
        reported = tokens - MESSAGE_TOKENS * len(messages)
        if han + other < SMALLEST_PROMPT or reported < LOWEST_RATIO * (han + other):
            return False
        squares = han * han + other * other
        with self._lock:
            missing = reported - han * self._han - other * self._other
            self._seen_han += han * han / squares
            self._seen_other += other * other / squares
            self._han = _bounded(self._han + _weight(self._seen_han) * missing * han / squares)
            self._other = _bounded(self._other + _weight(self._seen_other) * missing * other / squares)
        return True


_counters: dict[str, CalibratedCounter] = {}
_making: Final = threading.Lock()


def counter_of(model: str, count_prompt: CountPrompt | None = None) -> CalibratedCounter:
    """The process's one counter for ``model``, by the name that the chat model has."""
    with _making:
        if model not in _counters:
            _counters[model] = CalibratedCounter(count_prompt)
        return _counters[model]


def _weight(seen: float) -> float:
    """Of the last of so many observations; what the estimate began with counts as one."""
    return max(LOWEST_WEIGHT, 1 / (seen + 1))


def _bounded(ratio: float) -> float:
    return min(HIGHEST_RATIO, max(LOWEST_RATIO, ratio))
