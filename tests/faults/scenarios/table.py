"""DynamoDB throttles, fails on the final write, or loses its answer to it."""

from tests.faults.aws_proxy import Fault
from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.listening import Heard
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.script import WORDS
from tests.faults.world import World, new_session

QUESTION = "Tell me something nice."
MESSAGE_ID = "m-1"


def of_the_answer(body: bytes) -> bool:
    """Whether a write is that of the assistant's message."""
    return b'"assistant"' in body


def throttled_twice(world: World) -> Outcome:
    return _answered(world, Fault("UpdateItem", "throttle", times=2))


def late(world: World) -> Outcome:
    """One request takes longer than is waited for; it is given up, and tried again."""
    return _answered(world, Fault("Query", "delay", times=1, seconds=7))


def throttled_for_good(world: World) -> Outcome:
    """From the first write on; the message cannot be stored, and the client hears that."""
    session = new_session()
    with world.aws.injected(Fault("UpdateItem", "throttle"), Fault("PutItem", "throttle")):
        heard = _ask(world, session)
    check_stream(heard)
    assert (heard.ending, heard.words) == ("throttled", 0), heard
    messages = world.messages(session)
    assert messages == []
    _answered_when_repeated(world, session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


def final_write_fails_twice(world: World) -> Outcome:
    return _answered(world, Fault("PutItem", "fail", times=2, when=of_the_answer))


def final_write_loses_its_answer(world: World) -> Outcome:
    return _answered(world, Fault("PutItem", "lose", times=1, when=of_the_answer))


def final_write_fails_for_good(world: World) -> Outcome:
    """The answer was sent and cannot be stored: the client is told, and may send the message again."""
    session = new_session()
    with world.aws.injected(Fault("PutItem", "fail", when=of_the_answer)):
        heard = _ask(world, session)
    check_stream(heard)
    assert (heard.ending, heard.words) == ("store-unavailable", WORDS), heard
    messages = world.messages(session)
    assert check_store(messages, QUESTION, heard) == []
    _answered_when_repeated(world, session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


def _ask(world: World, session: str) -> Heard:
    return world.ask(world.service(), QUESTION, session, MESSAGE_ID).end()


def _answered(world: World, fault: Fault) -> Outcome:
    """A fault that is got over: the client notices nothing but the time."""
    session = new_session()
    with world.aws.injected(fault):
        heard = _ask(world, session)
    assert fault.met >= fault.times
    check_stream(heard)
    assert (heard.ending, heard.words) == ("done", WORDS), heard
    messages = world.messages(session)
    assert len(check_store(messages, QUESTION, heard)) == 1
    check_goes_on(world, world.service(), session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


def _answered_when_repeated(world: World, session: str) -> None:
    """The same message sent again is stored once, and answered."""
    again = _ask(world, session)
    check_stream(again)
    assert again.ending == "done", again
    assert len(check_store(world.messages(session), QUESTION, again)) == 1
    check_goes_on(world, world.service(), session)


GROUP = "DynamoDB"
SCENARIOS = (
    Scenario(GROUP, "throttles twice", throttled_twice, quick=True),
    Scenario(GROUP, "takes 7 s for a read", late),
    Scenario(GROUP, "throttles every write", throttled_for_good),
    Scenario(GROUP, "fails twice on the final write", final_write_fails_twice),
    Scenario(GROUP, "loses its answer to the final write", final_write_loses_its_answer, quick=True),
    Scenario(GROUP, "fails for good on the final write", final_write_fails_for_good, quick=True),
)
