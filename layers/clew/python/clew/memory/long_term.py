"""The protocol of a memory of users that outlives their conversations."""

from collections.abc import Sequence
from typing import Protocol

from clew.conversation.message import Message


class LongTermMemory(Protocol):
    """What is known of a user over all conversations. Its failure never fails a turn: callers go on without."""

    def recall(self, tenant_id: str, user_id: str, question: str) -> tuple[str, ...]:
        """Facts about the user that bear on ``question``, best first."""
        ...

    def remember(self, tenant_id: str, user_id: str, messages: Sequence[Message]) -> None:
        """Take in what was said in one finished turn."""
        ...
