"""The bytes of a stream, and when each piece of them arrived."""

import contextlib
import time
from dataclasses import dataclass

from tests.lambda_runtime.watched import Watched


@dataclass(frozen=True)
class Piece:
    """What one read gave; ``at`` is on the clock of ``time.monotonic``."""

    at: float
    content: bytes


class Arrivals(Watched):
    """Pieces in the order in which they came; ``ended`` once there will be no more."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self.ended = False

    @property
    def content(self) -> bytes:
        return b"".join(piece.content for piece in self.pieces)

    def add(self, content: bytes) -> None:
        self.pieces.append(Piece(time.monotonic(), content))
        self.changed()

    def end(self) -> None:
        self.ended = True
        self.changed()

    async def until(self, wanted: bytes, times: int = 1) -> float:
        """The moment at which ``wanted`` had arrived so many times, waited for where it has not yet."""
        with contextlib.suppress(TimeoutError):
            await self.wait(lambda: self.ended or self.content.count(wanted) >= times)
        at = self._time_of(wanted, times)
        assert at is not None, f"{times} of {wanted!r} did not arrive, but {self.content!r}, {self.ended=}"
        return at

    async def until_end(self) -> bytes:
        await self.wait(lambda: self.ended)
        return self.content

    def _time_of(self, wanted: bytes, times: int) -> float | None:
        content = b""
        for piece in self.pieces:
            content += piece.content
            if content.count(wanted) >= times:
                return piece.at
        return None
