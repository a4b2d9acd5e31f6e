"""A chat model that does what it is told, try by try."""

from collections.abc import AsyncGenerator

from clew.answering.chat_model import Delta, Finished
from clew.answering.prompting.prompt import Prompt


class ScriptedChat:
    """Of each try, gives the deltas and raises the error that it ends with; the last one is repeated."""

    reads_images = False

    def __init__(self, name: str, *tries: list[Delta | Exception]) -> None:
        self.name = name
        self._tries = tries
        self.asked = 0
        self.closed = 0

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.asked += 1
        try:
            for each in self._tries[min(self.asked, len(self._tries)) - 1]:
                if isinstance(each, Exception):
                    raise each
                yield Finished(each.usage, each.stop_reason, self.name) if isinstance(each, Finished) else each
        finally:
            self.closed += 1
