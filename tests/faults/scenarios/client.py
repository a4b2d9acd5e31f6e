"""The client goes, comes back, cancels, or sends a message twice."""

import time
from collections.abc import Callable

from clew.conversation.message import Message
from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.listening import Heard, has, listen
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.script import WORDS, Script
from tests.faults.service import Service
from tests.faults.world import World, body, new_session

QUESTION = "Tell me something nice."
LOOKED_UP = "Who directed Parasite?"
MESSAGE_ID = "m-1"
LONG = Script(tokens=100)  # two seconds
STOPS_WITHIN = 1.0
CANCELS_WITHIN = 2.0
FINISH = {"CLEW_ON_CLIENT_GONE": "finish"}
GENERATING = has("token", 5)


def gone_at_start(world: World) -> Outcome:
    """Nothing is generated; the message is stored unless it had not come so far."""
    session, of = new_session(), world.service()
    asked_before = len(world.model.asked)
    asking = world.ask(of, QUESTION, session)
    asking.until(has("start"))
    left_at = asking.leave()
    messages, over = _settled(world, session, left_at, 0)
    assert [each.role for each in messages] in ([], ["user"]), messages
    assert all(each.end in ("left", "whole") for each in world.model.asked[asked_before:])
    check_goes_on(world, of, session)
    return Outcome(seen(asking.heard), kept(messages), over)


def gone_in_retrieval(world: World) -> Outcome:
    session, of = new_session(), world.service()
    asked_before = len(world.model.asked)
    with world.graph.frozen():
        asking = world.ask(of, LOOKED_UP, session)
        asking.until(has("progress"))
        world.graph.until_held()
        left_at = asking.leave()
        messages, over = _settled(world, session, left_at, 1)
    assert check_store(messages, LOOKED_UP) == []
    assert len(world.model.asked) == asked_before
    check_goes_on(world, of, session)
    return Outcome(seen(asking.heard), kept(messages), over)


def gone_in_generation(world: World) -> Outcome:
    session, of = new_session(), world.service()
    world.model.next.append(LONG)
    asking = world.ask(of, QUESTION, session)
    asking.until(GENERATING)
    left_at = asking.leave()
    messages, over = _settled(world, session, left_at, 2)
    stopped = _stopped_after(world, left_at)
    (answer,) = check_store(messages, QUESTION)
    assert answer.debug["partial"] is True
    assert answer.content.startswith(asking.heard.text)
    check_goes_on(world, of, session)
    return Outcome(seen(asking.heard), kept(messages), over, f"the model stopped {1000 * stopped:.0f} ms after that")


def gone_in_generation_finish(world: World) -> Outcome:
    session, of = new_session(), world.service(**FINISH)
    world.model.next.append(LONG)
    asking = world.ask(of, QUESTION, session)
    asking.until(GENERATING)
    left_at = asking.leave()
    messages, over = _settled(world, session, left_at, 2)
    (answer,) = check_store(messages, QUESTION)
    assert answer.content == LONG.text()
    assert "partial" not in answer.debug
    check_goes_on(world, of, session)
    return Outcome(seen(asking.heard), kept(messages), over)


def comes_back(world: World) -> Outcome:
    """With ``Last-Event-ID``, to an answer that goes on: what was missed and the rest, nothing twice."""
    session, of = new_session(), world.service(**FINISH)
    world.model.next.append(LONG)
    asked_before = len(world.model.asked)
    asking = world.ask(of, QUESTION, session, MESSAGE_ID)
    asking.until(GENERATING)
    asking.leave()
    last = asking.heard.events[-1].id
    again = world.ask(of, QUESTION, session, MESSAGE_ID, last).end()
    check_stream(again, resumed=True)
    assert again.ending == "done"
    assert asking.heard.text + again.text == LONG.text()
    assert len(world.model.asked) == asked_before + 1
    messages = world.messages(session)
    (answer,) = check_store(messages, QUESTION)
    assert answer.content == LONG.text()
    check_goes_on(world, of, session)
    return Outcome(f"{seen(asking.heard)}; then {seen(again)}", kept(messages), again.seconds)


def cancelled(world: World) -> Outcome:
    session, of = new_session(), world.service()
    world.model.next.append(LONG)
    asking = world.ask(of, QUESTION, session, MESSAGE_ID)
    asking.until(GENERATING)
    return _cancelled(world, of, session, asking.end, QUESTION)


def cancelled_in_retrieval(world: World) -> Outcome:
    session, of = new_session(), world.service()
    with world.graph.frozen():
        asking = world.ask(of, LOOKED_UP, session, MESSAGE_ID)
        asking.until(has("progress"))
        world.graph.until_held()
        return _cancelled(world, of, session, asking.end, LOOKED_UP)


def _cancelled(world: World, of: Service, session: str, end: Callable[[], Heard], question: str) -> Outcome:
    at = time.monotonic()
    response = world.cancel(of, session, MESSAGE_ID)
    heard = end()
    took = time.monotonic() - at
    assert response.status_code == 200, response.text
    assert took < CANCELS_WITHIN
    check_stream(heard)
    assert heard.last["content"]["stop_reason"] == "cancelled"
    messages = world.messages(session)
    (answer,) = check_store(messages, question, heard)
    assert answer.debug["partial"] is answer.debug["cancelled"] is True
    check_goes_on(world, of, session)
    return Outcome(seen(heard), kept(messages), heard.seconds, f"over {took:.2f} s after the request")


def repeated_while_it_runs(world: World) -> Outcome:
    return _reads_along(world, world.service())


def repeated_at_another_process(world: World) -> Outcome:
    return _reads_along(world, world.another())


def _reads_along(world: World, other: Service) -> Outcome:
    """The same message again: one generation, and both clients have all of it."""
    session = new_session()
    world.model.next.append(LONG)
    asked_before = len(world.model.asked)
    first = world.ask(world.service(), QUESTION, session, MESSAGE_ID)
    first.until(GENERATING)
    second = listen(other.url, body(QUESTION, session, MESSAGE_ID))
    messages = world.messages(session)
    for heard in (first.end(), second):
        check_stream(heard)
        assert heard.text == LONG.text()
    check_store(messages, QUESTION, first.heard, second)
    assert len(world.model.asked) == asked_before + 1
    check_goes_on(world, other, session)
    return Outcome(f"{seen(first.heard)}; the second {seen(second)}", kept(messages), second.seconds)


def repeated_when_answered(world: World) -> Outcome:
    session, of = new_session(), world.service()
    first = listen(of.url, body(QUESTION, session, MESSAGE_ID))
    asked_before = len(world.model.asked)
    second = listen(of.url, body(QUESTION, session, MESSAGE_ID))
    for heard in (first, second):
        check_stream(heard)
        assert heard.ending == "done"
    assert len(world.model.asked) == asked_before
    messages = world.messages(session)
    check_store(messages, QUESTION, first, second)
    check_goes_on(world, of, session)
    return Outcome(seen(second), kept(messages), second.seconds)


def two_at_once(world: World) -> Outcome:
    """Both are answered, each under its own number; the numbers are in the order in which they came."""
    session, of = new_session(), world.service()
    questions = (QUESTION, "And something sad.")
    asking = [world.ask(of, question, session) for question in questions]
    heard = [each.end() for each in asking]
    messages = world.messages(session)
    for question, each in zip(questions, heard, strict=True):
        check_stream(each)
        assert (each.ending, each.words) == ("done", WORDS)
        assert len(check_store(messages, question, each)) == 1
    assert [each.seq for each in messages] == [1, 2, 3, 4]
    check_goes_on(world, of, session)
    return Outcome("; ".join(map(seen, heard)), kept(messages), max(each.seconds for each in heard))


def _settled(world: World, session: str, left_at: float, stored: int) -> tuple[list[Message], float]:
    """What the table holds once nobody works on the session's answer any more, and how long after leaving that was.

    At least so many messages are ``stored`` then. That nothing comes later is seen by waiting a second longer.
    """
    until = time.monotonic() + 15
    while any(not each.end for each in world.model.asked) or len(world.messages(session)) < stored:
        assert time.monotonic() < until, (world.model.asked[-1], world.messages(session))
        time.sleep(0.02)
    over = time.monotonic() - left_at
    time.sleep(1)
    return world.messages(session), over


def _stopped_after(world: World, left_at: float) -> float:
    """Seconds from the client's leaving until nobody read the model any more."""
    asked = world.model.asked[-1]
    assert asked.end == "left"
    assert asked.ended - left_at < STOPS_WITHIN
    return asked.ended - left_at


GROUP = "client"
SCENARIOS = (
    Scenario(GROUP, "gone at `start`", gone_at_start),
    Scenario(GROUP, "gone in retrieval", gone_in_retrieval),
    Scenario(GROUP, "gone in generation", gone_in_generation, quick=True),
    Scenario(GROUP, "gone in generation, `CLEW_ON_CLIENT_GONE=finish`", gone_in_generation_finish),
    Scenario(GROUP, "gone and back with `Last-Event-ID`, `CLEW_ON_CLIENT_GONE=finish`", comes_back),
    Scenario(GROUP, "cancels from another connection, in generation", cancelled, quick=True),
    Scenario(GROUP, "cancels from another connection, in retrieval", cancelled_in_retrieval),
    Scenario(GROUP, "repeats a message that is being answered", repeated_while_it_runs, quick=True),
    Scenario(GROUP, "repeats it at another process", repeated_at_another_process),
    Scenario(GROUP, "repeats a message that has its answer", repeated_when_answered),
    Scenario(GROUP, "sends two messages of a session at once", two_at_once, quick=True),
)
