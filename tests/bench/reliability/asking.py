"""Questions for a load: each stream has a session of its own, and what it leaves is read back from the table."""

import uuid
from dataclasses import dataclass
from typing import Any, Final

from clew.conversation.store import ConversationStore
from tests.bench.reliability.load import Load, Result, Stream, generate

USER: Final = "load"
PATH: Final = "/api/v1/chat/stream"


@dataclass(frozen=True)
class Asked:
    """What came of a load; ``sessions`` are in the order of its streams."""

    sessions: tuple[str, ...]
    result: Result

    @property
    def streams(self) -> list[Stream]:
        return self.result.streams

    def wrong(self) -> list[Stream]:
        """Streams that ended otherwise than with ``done``."""
        return [each for each in self.streams if each.end != "done"]

    def lost_or_doubled(self, store: ConversationStore) -> int:
        """Messages that the table lacks, has twice, or has otherwise than the client; of streams that ended well."""
        return sum(
            _amiss(store, session, stream)
            for session, stream in zip(self.sessions, self.streams, strict=True)
            if stream.end == "done"
        )

    def at_once(self) -> int:
        """How many streams were between their first token and their last at the same time, at most."""
        changes = [
            change
            for each in self.streams
            if each.tokens
            for change in ((each.began + each.tokens[0] / 1000, 1), (each.began + each.tokens[-1] / 1000, -1))
        ]
        most = now = 0
        for _, change in sorted(changes):
            now += change
            most = max(most, now)
        return most


def ask(url: str, message: str, streams: int, rounds: int, apart_s: float = 0.0, per_session: int = 1) -> Asked:
    """Ask at ``url``, a gateway's or an answer server's; ``per_session`` questions of a client share a session."""
    run = uuid.uuid4().hex[:8]
    sessions = [
        [f"load-{run}-{client}-{number // per_session}" for number in range(rounds)] for client in range(streams)
    ]
    load = Load(url + PATH, [[_body(message, each) for each in of_client] for of_client in sessions], apart_s)
    return Asked(tuple(each for of_client in sessions for each in of_client), generate(load))


def ask_model(base_url: str, streams: int, rounds: int, apart_s: float = 0.0) -> Result:
    """The same load on the scripted model itself."""
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Hello!"}]}
    return generate(Load(f"{base_url}/chat/completions", [[body] * rounds] * streams, apart_s))


def _body(message: str, session: str) -> dict[str, Any]:
    return {"user_id": USER, "session_id": session, "message": message}


def _amiss(store: ConversationStore, session: str, stream: Stream) -> int:
    found = store.find_conversation(USER, session)
    messages = store.list_messages(found.conversation_id).messages if found else ()
    said = [(each.role, each.content) for each in messages]
    questions = [content for role, content in said if role == "user"]
    answers = [content for role, content in said if role == "assistant"]
    return abs(len(questions) - 1) + abs(len(answers) - 1) + sum(each != stream.text for each in answers)
