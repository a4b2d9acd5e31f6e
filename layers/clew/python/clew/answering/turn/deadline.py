"""The one deadline of a turn, and what its steps get of it."""

import time
from collections.abc import Callable


class Deadline:
    """``seconds`` from now on for the whole turn."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def left(self) -> float:
        """Seconds that remain, never less than 0."""
        return max(0.0, self._end - self._clock())

    def share(self, part: float, at_most: float) -> float:
        """Seconds for a step that may take ``part`` of what remains, and never more than ``at_most``."""
        return min(self.left() * part, at_most)
