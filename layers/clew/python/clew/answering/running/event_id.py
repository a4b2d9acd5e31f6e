"""The id of an event in a stream, from which a client that comes back can be told what it has missed."""

import re
import secrets
from dataclasses import dataclass
from typing import Final

_FORM: Final = re.compile(r"(0|[0-9a-f]{12})-([0-9a-f]{6})-([0-9]{1,7})-([0-9]{1,7})")
OWN_KEY: Final = "0"


@dataclass(frozen=True, slots=True)
class EventId:
    """The place of an event: ``number`` counts from 0 in the ``attempt`` to answer, one generation of an answer.

    ``offset`` is how many characters of the answer have been sent with this event and before it. ``key`` is the id
    that the message was given where its client gave none, else ``0``: the repeated request has it in its body.
    """

    key: str
    attempt: str
    number: int
    offset: int

    def __str__(self) -> str:
        return f"{self.key}-{self.attempt}-{self.number}-{self.offset}"

    @classmethod
    def parse(cls, text: str) -> "EventId | None":
        """The id that ``text`` is, None for any other text."""
        match = _FORM.fullmatch(text)
        return cls(match[1], match[2], int(match[3]), int(match[4])) if match else None


def new_key() -> str:
    """An id for a message whose client gave none: 48 bits, unique among the few that a conversation remembers."""
    return secrets.token_hex(6)


def new_attempt() -> str:
    return secrets.token_hex(3)
