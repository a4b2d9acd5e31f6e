"""What a turn reads of its conversation: summary, the messages after it, and the open follow-up question."""

from dataclasses import dataclass

from clew.conversation.message import Message
from clew.conversation.pending import PendingIntent
from clew.conversation.summary import Summary


@dataclass(frozen=True, slots=True)
class Recollection:
    """The state of a conversation before a message.

    ``messages`` are in order and begin right after ``summary.covered_seq``, so that nothing falls between
    summary and window; they are the last six at least, where there are so many.
    """

    summary: Summary = Summary()
    messages: tuple[Message, ...] = ()
    pending: PendingIntent | None = None
