"""Where a page of a user's conversations ends: a cursor that goes into a URL as it is."""

import re
from datetime import datetime
from typing import NamedTuple, Self

from clew.conversation.message import Conversation
from clew.errors import InvalidRequestError


class ListPosition(NamedTuple):
    """A conversation's place in the list, which is ordered by the last write, in milliseconds, and then by id."""

    updated_ms: int
    conversation_id: str

    @classmethod
    def of(cls, conversation: Conversation) -> Self:
        updated_at = datetime.fromisoformat(conversation.updated_at)
        return cls(round(updated_at.timestamp() * 1000), conversation.conversation_id)

    @classmethod
    def parse(cls, text: str) -> Self:
        match = re.fullmatch(r"([0-9]{1,15})\.(c[0-9a-f]{31})", text)
        if not match:
            raise InvalidRequestError(
                f"before {text[:140]!r} is no next_before of a page of conversations.",
                {"before": "is no next_before of a page of conversations"},
            )
        return cls(int(match[1]), match[2])

    def __str__(self) -> str:
        return f"{self.updated_ms}.{self.conversation_id}"
