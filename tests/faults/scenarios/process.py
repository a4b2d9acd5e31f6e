"""The process that gives an answer is killed, or the time for it passes."""

from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.listening import has
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.script import Script
from tests.faults.world import TURN_SECONDS, World, new_session

QUESTION = "Tell me something nice."
MESSAGE_ID = "m-1"
LONG = Script(tokens=100)  # two seconds


def killed_and_asked_again(world: World) -> Outcome:
    """The answer server with SIGKILL in mid-answer, started again, and the message repeated with its id."""
    return _killed(world, resume=False)


def killed_and_resumed(world: World) -> Outcome:
    return _killed(world, resume=True)


def _killed(world: World, *, resume: bool) -> Outcome:
    session, of = new_session(), world.service()
    world.model.next.append(LONG)
    asking = world.ask(of, QUESTION, session, MESSAGE_ID)
    asking.until(has("token", 5))
    of.kill()
    first = asking.end()
    assert first.how == "torn"
    messages = world.messages(session)
    assert check_store(messages, QUESTION) == []
    of.start()
    world.model.next.append(LONG)
    again = world.ask(of, QUESTION, session, MESSAGE_ID, first.events[-1].id if resume else "").end()
    # The answer is given anew, and ``start`` says so to who has a part of the lost one.
    check_stream(again)
    assert (again.ending, again.text) == ("done", LONG.text())
    after = world.messages(session)
    check_store(after, QUESTION, again)
    check_goes_on(world, of, session)
    return Outcome(f"{seen(first)}; again: {seen(again)}", f"{kept(messages)}; then: {kept(after)}", again.seconds)


def deadline_in_generation(world: World) -> Outcome:
    session, of = new_session(), world.hurried()
    world.model.next.append(Script(tokens=1000))
    heard = world.ask(of, QUESTION, session).end()
    check_stream(heard)
    assert heard.ending == "turn-timed-out"
    assert heard.words > 0
    messages = world.messages(session)
    (answer,) = check_store(messages, QUESTION, heard)
    assert answer.debug["partial"] is True
    assert answer.content == heard.text
    assert TURN_SECONDS <= heard.seconds < TURN_SECONDS + 1
    check_goes_on(world, of, session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


GROUP = "process"
SCENARIOS = (
    Scenario(GROUP, "killed in mid-answer, message sent again", killed_and_asked_again, quick=True),
    Scenario(GROUP, "killed in mid-answer, resumed with `Last-Event-ID`", killed_and_resumed),
    Scenario(GROUP, "deadline of 2 s passes in generation", deadline_in_generation, quick=True),
)
