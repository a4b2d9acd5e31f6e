"""The protocol of what extends a summary."""

from collections.abc import Sequence
from typing import Protocol

from clew.conversation.message import Message


class Summariser(Protocol):
    """Makes the summary of a conversation's beginning from the summary so far and what was said since.

    It never sees the whole conversation again. Implementations that call a model raise ModelThrottledError,
    ModelUnavailableError or ModelError.
    """

    def extend(self, summary: str, messages: Sequence[Message]) -> str:
        """The summary that covers ``summary`` and ``messages`` (in order), in the conversation's language.

        At most some 400 tokens, however often it is extended.
        """
        ...
