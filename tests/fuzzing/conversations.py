"""What the conversations must hold after a run, and whether they do."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from clew.edge.identity import TENANT_HEADER
from clew.edge.requests import ChatRequest, ClearRequest, parse_body
from clew.errors import ClewError
from clew.openapi.schemas import ID_OR_NONE
from tests.fuzzing.about_answers import Given
from tests.fuzzing.judging import events
from tests.fuzzing.reading import Place, UnreadableError, exists, messages, sessions
from tests.fuzzing.request import Request
from tests.fuzzing.wire import Reply, Wire


@dataclass
class _Expected:
    """What a conversation must hold: the texts that were sent with each message's own id, and answers by theirs.

    ``asked`` is the own id of the message that is answered, by the answer's.
    """

    texts: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    answers: dict[str, str] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)


class Conversations:
    """Follows what is answered and what is refused; requests that clear must come after those that ask."""

    def __init__(self) -> None:
        self._expected: defaultdict[Place, _Expected] = defaultdict(_Expected)
        self._refused: set[Place] = set()

    @property
    def places(self) -> int:
        """How many conversations there must be."""
        return len(self._expected)

    @property
    def given(self) -> list[Given]:
        """All answers that must be there."""
        return [
            Given(place, message_id, expected.asked[message_id])
            for place, expected in self._expected.items()
            for message_id in expected.answers
        ]

    def note(self, request: Request, reply: Reply) -> None:
        if request.clears and reply.status == 200:
            # A buffered route gets its body as text, so the gateway has replaced what is none.
            cleared = parse_body(ClearRequest, request.body.decode("utf-8", "replace"))
            place = Place(request.header(TENANT_HEADER), cleared.user_id, cleared.session_id)
            if place in self._expected:
                self._expected[place] = _Expected()
        elif request.asks:
            self._note_question(request, reply)

    def _note_question(self, request: Request, reply: Reply) -> None:
        try:
            asked = parse_body(ChatRequest, request.body)
        except ClewError:
            return  # names no place, so there is nothing to look for
        place = Place(request.header(TENANT_HEADER), asked.user_id, asked.session_id)
        if reply.status != 200:
            if all(re.fullmatch(ID_OR_NONE, part) for part in place):
                self._refused.add(place)
            return
        expected = self._expected[place]
        expected.texts[asked.message_id or f"no id, {len(expected.texts)}"].add(asked.message)
        message_id, text = _answer(reply)
        expected.answers[message_id] = text
        expected.asked[message_id] = asked.message_id

    def violations(self, wire: Wire, users: Iterable[str]) -> Iterator[str]:
        """What is half-written, lost, doubled or made of nothing; ``users`` are the run's own."""
        try:
            for place, expected in self._expected.items():
                yield from (f"{place}: {found}" for found in _compared(messages(wire, place), expected))
            for place in self._refused - set(self._expected):
                if exists(wire, place):
                    yield f"{place}: was refused, and is a conversation all the same"
            for user in users:
                listed = sorted(sessions(wire, user))
                expected_sessions = sorted(place.session_id for place in self._expected if place[:2] == ("", user))
                if listed != expected_sessions:
                    yield f"{user} has the sessions {listed}, not {expected_sessions}"
        except UnreadableError as error:
            yield str(error)


def _compared(found: list[dict[str, Any]], expected: _Expected) -> Iterator[str]:
    numbers = [message["seq"] for message in found]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers)) if numbers else []):
        yield f"the messages have the numbers {numbers}"
    said = [message["content"] for message in found if message["role"] == "user"]
    # Ids that were sent with one text first: those sent with several take what is left.
    for id, texts in sorted(expected.texts.items(), key=lambda item: len(item[1])):
        if text := next((text for text in texts if text in said), None):
            said.remove(text)
        else:
            yield f"the message {id!r} is not there"
    if said:
        yield f"{len(said)} messages are there that were not taken, or twice: {said[0][:100]!r}"
    answers = {message["message_id"]: message["content"] for message in found if message["role"] == "assistant"}
    if missing := sorted(id for id, text in expected.answers.items() if answers.get(id) != text):
        yield f"the answers {missing} are not there as they were given"
    if new := sorted(answers.keys() - expected.answers):
        yield f"the answers {new} are there and were not given"


def _answer(reply: Reply) -> tuple[str, str]:
    """The answer's stored id and whole text, from a stream or from one body."""
    if reply.media_type.startswith("application/json"):
        body = json.loads(reply.body)
        return body["message_id"], body["answer"]
    told = events(reply)
    done: Any = told[-1].get("content")
    text = "".join(str(event["content"]) for event in told if event["status"] == "token")
    return (done["message_id"] if isinstance(done, dict) else ""), text
