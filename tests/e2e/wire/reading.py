"""What a client made of a stream, as it goes on."""

import contextlib
import json
from dataclasses import dataclass
from typing import Any

from tests.lambda_runtime.watched import Watched


@dataclass(frozen=True)
class Message:
    """One call of a client's handler for messages."""

    id: str
    data: str

    @property
    def content(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.data)
        return parsed

    @property
    def status(self) -> str:
        return str(self.content["status"])


class Reading(Watched):
    """``messages`` in order; ``ended`` once the client is through, ``broken`` where its connection was."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Message] = []
        self.ended = False
        self.broken = False

    @property
    def statuses(self) -> list[str]:
        return [message.status for message in self.messages]

    @property
    def last_id(self) -> str:
        return self.messages[-1].id

    def add(self, id: str, data: str) -> None:
        self.messages.append(Message(id, data))
        self.changed()

    def end(self, *, broken: bool = False) -> None:
        self.ended, self.broken = True, broken
        self.changed()

    async def until(self, status: str, times: int = 1) -> None:
        with contextlib.suppress(TimeoutError):
            await self.wait(lambda: self.ended or self.statuses.count(status) >= times)
        assert self.statuses.count(status) >= times, self.messages

    async def until_end(self) -> None:
        await self.wait(lambda: self.ended)


def text_of(messages: list[Message]) -> str:
    return "".join(message.content["content"] for message in messages if message.status == "token")
