"""The protocol of a memory of users that outlives their conversations."""

from collections.abc import Sequence
from typing import Protocol

from clew.conversation.message import Message
from clew.errors import InternalError


class LongTermMemoryError(InternalError):
    """The memory of users does not answer, or not in a way that can be read."""


class LongTermMemory(Protocol):
    """What is known of a user over all conversations. Its failure never fails a turn: callers go on without.

    Both methods raise LongTermMemoryError.
    """

    def recall(self, tenant_id: str, user_id: str, question: str) -> tuple[str, ...]:
        """Facts about the user that bear on ``question``, best first."""
        ...

    def remember(self, tenant_id: str, user_id: str, messages: Sequence[Message]) -> None:
        """Take in what was said in one finished turn."""
        ...
