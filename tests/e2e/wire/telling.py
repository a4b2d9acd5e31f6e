"""An answer of the scripted model, told piece by piece as the test allows."""

import asyncio
from typing import Literal

from tests.integration.models.scripted_server import CUT, Answer, Step
from tests.integration.models.wires import OpenAIWire

WIRE = OpenAIWire()


class Gate(asyncio.Event):
    """A gate that knows when somebody stands before it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self.reached.set()
        return await super().wait()


class Telling:
    """Each piece waits for its gate, and so does the end, or the break where ``cut``."""

    def __init__(self, *pieces: str, cut: bool = False) -> None:
        self.pieces = pieces
        self._gates = [Gate() for _ in range(len(pieces) + 1)]
        self._cut = cut

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def allow(self, number: int) -> None:
        """Let piece ``number`` go, counted from zero; the one behind the last is the end."""
        self._gates[number].set()

    async def told(self, number: int) -> None:
        """Return once piece ``number`` has been sent."""
        await self._gates[number + 1].reached.wait()

    def allow_all(self) -> None:
        for gate in self._gates:
            gate.set()

    def answer(self) -> Answer:
        steps: list[Step] = []
        for gate, piece in zip(self._gates, self.pieces, strict=False):
            steps += [gate, WIRE.delta(piece)]
        return WIRE.answer(*steps, self._gates[-1], *([CUT] if self._cut else WIRE.end()))
