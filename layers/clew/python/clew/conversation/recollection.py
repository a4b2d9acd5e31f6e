"""What a turn reads of its conversation: summary, the messages after it, and the open follow-up question."""

from dataclasses import dataclass, field

from clew.conversation.message import Message
from clew.conversation.pending import PendingIntent
from clew.conversation.summary import Summary


@dataclass(frozen=True, slots=True)
class Recollection:
    """The state of a conversation before a message.

    ``messages`` are in order and begin right after ``summary.covered_seq``, so that nothing falls between
    summary and window, or earlier: they are the last six at least, where there are so many. ``left_out`` is how
    many were not read because the summary lags far behind; they lie between it and the first of ``messages``.
    """

    summary: Summary = field(default_factory=Summary)
    messages: tuple[Message, ...] = ()
    pending: PendingIntent | None = None
    left_out: int = 0
