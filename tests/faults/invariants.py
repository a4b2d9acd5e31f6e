"""What holds in every scenario, whatever broke."""

from collections.abc import Sequence
from typing import Final

from clew.conversation.message import Message
from tests.faults.listening import LAST, Heard, listen
from tests.faults.script import word
from tests.faults.service import Service
from tests.faults.world import World, body

AFTERWARDS: Final = "Hello! What can you do?"
LONGEST_ANSWER: Final = 10_000  # words


def check_stream(heard: Heard, *, resumed: bool = False) -> None:
    """A client that stays gets ``start``, then events, then exactly one end; each with an id of its own."""
    assert heard.how == "whole", heard
    statuses = heard.statuses()
    if not resumed:
        assert statuses[0] == "start", statuses
    assert statuses.count("start") == (0 if resumed else 1), statuses
    assert [status for status in statuses if status in LAST] == statuses[-1:], statuses
    ids = [event.id for event in heard.events]
    assert all(ids), ids
    assert len(set(ids)) == len(ids), ids


def check_store(messages: Sequence[Message], question: str, *heard: Heard) -> list[Message]:
    """The question is stored once, its answers are the model's own words, and one at most is final; the answers.

    Who was told ``done`` finds that very text, and who was told ``error`` what was sent until then.
    """
    asked = [each for each in messages if each.role == "user" and each.content == question]
    assert len(asked) == 1, messages
    answers = [each for each in messages if each.debug.get("in_reply_to") == asked[0].seq]
    for each in answers:
        check_words(each.content)
    final = [each for each in answers if not each.debug.get("partial") or each.debug.get("cancelled")]
    assert len(final) <= 1, answers
    for each in heard:
        check_words(each.text)
        if each.ending == "done":
            (stored,) = final
            assert stored.message_id == each.last["content"]["message_id"]
            assert stored.content == each.text
    return answers


def check_words(text: str) -> None:
    """``text`` is the beginning of what the scripted model says, with nothing made up, lost or doubled in it."""
    said = ""
    for number in range(LONGEST_ANSWER):
        if len(said) >= len(text):
            break
        said += word(number)
    assert said.startswith(text), text


def check_goes_on(world: World, of: Service, session: str) -> None:
    """The next message of the session is answered, and stored behind what is there."""
    before = world.messages(session)
    heard = listen(of.url, body(AFTERWARDS, session))
    check_stream(heard)
    assert heard.ending == "done", heard
    question, answer = world.messages(session)[len(before) :]
    assert (question.role, question.content) == ("user", AFTERWARDS)
    assert (answer.role, answer.content) == ("assistant", heard.text)
