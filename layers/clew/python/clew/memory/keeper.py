"""Keeping a conversation's memory up to date, message by message, as the table tells of them.

What is done for a message may be done again, late, or by two at once: an episode is stored once, and a summary is
replaced only by who has seen it as it is. Whoever was lost on the way is made up for: before messages leave the
window for the summary, those of their episodes that are missing are stored.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from clew.conversation.change import Cleared
from clew.conversation.clock import Clock, utc_now
from clew.conversation.message import Message
from clew.conversation.replies import without_superseded
from clew.errors import ClewError, InternalError
from clew.memory.due import is_due, may_be_due
from clew.memory.finished_turn import episode_of
from clew.memory.long_term import LongTermMemory
from clew.memory.summariser import Summariser

if TYPE_CHECKING:
    from clew.conversation.store import ConversationStore
    from clew.memory.episodes import Episodes

MOST_AT_ONCE: Final = 20
"""Messages that one extension takes in: a summary that lags catches up with the next messages."""

LONGEST_TURN: Final = 8
"""Messages before an answer that can belong to its turn: a question, and what was asked back and replied."""

STILL_WRITING: Final = timedelta(minutes=15)
"""The longest request: a number that has no message by then belongs to none."""

CLEARS_NOTED: Final = 1_000
"""Conversations of which a keeper still knows up to where it heard that they were cleared."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Kept:
    """What keeping memory came to, in numbers.

    ``indexed`` are turns, of which ``recovered`` are those whose own record was lost; ``not_remembered`` are turns
    that long-term memory did not take.
    """

    indexed: int = 0
    recovered: int = 0
    forgotten: int = 0
    summarised: int = 0
    not_remembered: int = 0


class MemoryKeeper:
    """Keeps the memory of one tenant's conversations. Without ``long_term_memory`` nothing is kept of users."""

    def __init__(
        self,
        *,
        store: "ConversationStore",
        episodes: "Episodes",
        summariser: Summariser,
        long_term_memory: Callable[[], LongTermMemory | None] = lambda: None,
        tenant_id: str,
        clock: Clock = utc_now,
    ) -> None:
        self._store = store
        self._episodes = episodes
        self._summariser = summariser
        self._long_term_memory = long_term_memory
        self._tenant_id = tenant_id
        self._clock = clock
        self._cleared: dict[str, int] = {}

    def take_in(self, change: Message | Cleared) -> Kept:
        """Do what a new message or a clear asks for; TransientError where another try may help."""
        kept = Kept()
        if isinstance(change, Cleared):
            self._note_clear(change)
            kept.forgotten = self._episodes.forget(change.conversation_id, change.up_to_seq)
        elif change.role == "assistant" and not self._is_of_a_cleared_question(change):  # a turn ends with it
            self._index([change], kept)
            if may_be_due(change.seq, change.summary_seq):
                self._summarise(change.conversation_id, change.seq, kept)
        return kept

    def _note_clear(self, clear: Cleared) -> None:
        last = max(clear.up_to_seq, self._cleared.pop(clear.conversation_id, 0))
        self._cleared[clear.conversation_id] = last
        if len(self._cleared) > CLEARS_NOTED:
            del self._cleared[next(iter(self._cleared))]  # the one that was heard of longest ago

    def _is_of_a_cleared_question(self, answer: Message) -> bool:
        """Whether the user's message is known to be gone: what an answer repeats of it is not kept either.

        An answer that does not tell what it replies to replies to the message before it, or to one before that.
        """
        told = answer.debug.get("in_reply_to")
        asked = told if isinstance(told, int) else answer.seq - 1
        return 0 < asked <= self._cleared.get(answer.conversation_id, 0)

    def _index(self, messages: Sequence[Message], kept: Kept) -> int:
        """Store the episodes of finished turns that are missing, and remember these of the user; how many."""
        ends = {message.seq: message for message in messages}
        added = self._episodes.add([episode for message in messages if (episode := episode_of(message))])
        kept.indexed += len(added)
        for episode in added:
            self._remember(ends[episode.seq], kept)
        return len(added)

    def _remember(self, answer: Message, kept: Kept) -> None:
        """Tell long-term memory of a turn, once: neither its failure nor a turn that it has is tried again."""
        try:
            memory = self._long_term_memory()
            if memory is None or (conversation := self._store.get_conversation(answer.conversation_id)) is None:
                return
            before = self._store.list_messages(answer.conversation_id, LONGEST_TURN, before=answer.message_id)
            turn = whole_turn(before.messages, answer)
            if any(message.role == "user" for message in turn):  # or it has been cleared meanwhile
                memory.remember(self._tenant_id, conversation.user_id, turn)
        except ClewError as error:
            logger.warning("not remembered: %s", type(error).__name__, extra={"message_id": answer.message_id})
            kept.not_remembered += 1

    def _summarise(self, conversation_id: str, newest_seq: int, kept: Kept) -> None:
        summary = self._store.summaries.find(conversation_id)
        if not is_due(newest_seq, summary):
            return
        uncovered = self._store.summaries.uncovered(conversation_id, summary, newest_seq)
        messages = written(uncovered, summary.covered_seq, self._clock() - STILL_WRITING)[:MOST_AT_ONCE]
        if not messages:
            return
        self._recover(messages, kept)
        text = self._summariser.extend(summary.text, without_superseded(messages))
        # Where it is not stored, another has made it, or the conversation was cleared: either is well.
        kept.summarised += self._store.summaries.extend(conversation_id, text, messages[-1].seq, summary)

    def _recover(self, messages: Sequence[Message], kept: Kept) -> None:
        """Store the episodes whose records were lost; one that cannot be stored does not hold up the summary."""
        try:
            kept.recovered += self._index(messages, kept)
        except InternalError as error:
            logger.error("turns not recovered: %s", type(error).__name__, extra={"message_id": messages[-1].message_id})


def whole_turn(before: Sequence[Message], answer: Message) -> list[Message]:
    """The messages of the turn that ``answer`` ends, in order, with what was asked back and replied.

    What was said after its question is of other turns, or an answer that broke off.
    """
    turn, asked = [answer], answer.debug.get("in_reply_to")
    for message in reversed(before):
        if isinstance(asked, int) and message.seq > asked:
            continue
        if message.role == "assistant" and not message.is_ask_user:
            break
        turn.append(message)
    return turn[::-1]


def written(messages: Sequence[Message], covered_seq: int, since: datetime) -> Sequence[Message]:
    """Those of ``messages`` before the first number whose message may still be on its way.

    Numbers have no gaps unless an append died, or is between its two writes: one whose next message is older
    than ``since`` has died.
    """
    expected = covered_seq + 1
    for place, message in enumerate(messages):
        if message.seq != expected and datetime.fromisoformat(message.created_at) > since:
            return messages[:place]
        expected = message.seq + 1
    return messages
