"""What the tests of keeping memory share: a conversation that goes on, and memories that note what they are given."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from clew.conversation.message import Message
from clew.conversation.store import ConversationStore
from clew.memory.episode import Episode
from clew.memory.keeper import MemoryKeeper


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


class NotedEpisodes:
    """Episodes as the graph keeps them, without the graph: once each, and none that was cleared.

    ``fails`` is asked before a batch is stored and may raise.
    """

    def __init__(self) -> None:
        self.stored: dict[tuple[str, int], Episode] = {}
        self.cleared: dict[str, int] = {}
        self.fails: Callable[[Sequence[Episode]], None] = lambda _: None

    def add(self, episodes: Sequence[Episode]) -> list[Episode]:
        new = [each for each in episodes if (each.conversation_id, each.seq) not in self.stored]
        new = [each for each in new if each.seq > self.cleared.get(each.conversation_id, 0)]
        self.fails(new)
        self.stored |= {(each.conversation_id, each.seq): each for each in new}
        return new

    def forget(self, conversation_id: str, up_to_seq: int) -> int:
        self.cleared[conversation_id] = max(up_to_seq, self.cleared.get(conversation_id, 0))
        gone = [key for key in self.stored if key[0] == conversation_id and key[1] <= up_to_seq]
        for key in gone:
            del self.stored[key]
        return len(gone)

    def numbers(self) -> list[int]:
        return sorted(seq for _, seq in self.stored)


class NotingSummariser:
    """Notes the numbers of what it has read; ``meanwhile`` happens while it reads, and may raise."""

    def __init__(self) -> None:
        self.read: list[list[int]] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def extend(self, summary: str, messages: Sequence[Message]) -> str:
        numbers = [message.seq for message in messages]
        self.read.append(numbers)
        self.meanwhile()
        return " ".join(filter(None, [summary, *map(str, numbers)]))


class NotedUsers:
    """Long-term memory that notes whom it was told what."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, list[str]]] = []
        self.fails: Callable[[], None] = lambda: None

    def recall(self, tenant_id: str, user_id: str, question: str) -> tuple[str, ...]:
        raise AssertionError("it is only written to")

    def remember(self, tenant_id: str, user_id: str, messages: Sequence[Message]) -> None:
        self.fails()
        self.told.append((tenant_id, user_id, [message.content for message in messages]))


class Talk:
    """A conversation in the table; ``changes`` are its messages as the stream tells of them, in order."""

    def __init__(self, store: ConversationStore, user_id: str = "ann") -> None:
        self.store = store
        self.user_id = user_id
        self.id = store.get_or_create_conversation_id(user_id, "s1")
        self.changes: list[Message] = []

    def user(self, content: str) -> Message:
        return self._note(self.store.append_message(self.id, "user", content))

    def assistant(self, content: str, debug: dict[str, Any] | None = None, **values: Any) -> Message:
        """An answer, which says up to where the summary stood for messages when it was made, if there was one."""
        summary = self.store.summaries.find(self.id)
        seen = summary.covered_seq if summary.text else 0
        return self._note(
            self.store.append_message(self.id, "assistant", content, (), debug, summary_seq=seen, **values)
        )

    def turns(self, count: int) -> list[Message]:
        """So many turns; their messages."""
        said = []
        for _ in range(count):
            number = len(self.changes) // 2 + 1
            said.append(self.user(f"Question {number}?"))
            said.append(self.assistant(f"Answer {number}.", {"question": f"Question {number}?"}))
        return said

    def summary(self) -> tuple[str, int]:
        """The numbers that the summary's text was made of, and the number up to which it covers."""
        found = self.store.summaries.find(self.id)
        return found.text, found.covered_seq

    def _note(self, message: Message) -> Message:
        self.changes.append(message)
        return message


def keeper_of(
    store: ConversationStore, episodes: NotedEpisodes, summariser: NotingSummariser, **values: Any
) -> MemoryKeeper:
    return MemoryKeeper(
        store=store,
        episodes=episodes,  # type: ignore[arg-type]
        summariser=summariser,
        tenant_id="acme",
        **values,
    )
