"""The workflow is throttled, fails, hangs, or says that it has timed out."""

import json

from tests.faults.aws_proxy import Fault
from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.service import Service
from tests.faults.world import TURN_SECONDS, World, new_session

QUESTION = "Who directed Parasite?"
START = "StartSyncExecution"
TIMED_OUT = {
    "executionArn": "arn:aws:states:us-east-1:000000000000:express:clew:timed-out",
    "startDate": 1_700_000_000.0,
    "stopDate": 1_700_000_060.0,
    "status": "TIMED_OUT",
    "error": "States.Timeout",
}


def throttled(world: World) -> Outcome:
    return _faulty(world, world.service(), Fault(START, "throttle"), "throttled")


def fails(world: World) -> Outcome:
    return _faulty(world, world.service(), Fault(START, "fail"), "workflow-failed")


def says_timed_out(world: World) -> Outcome:
    return _faulty(world, world.service(), Fault(START, "answer", body=json.dumps(TIMED_OUT)), "workflow-failed")


def hangs(world: World) -> Outcome:
    """Beyond what the turn has left for it."""
    outcome = _faulty(world, world.hurried(), Fault(START, "hang"), "workflow-failed")
    assert outcome.seconds < TURN_SECONDS + 1
    return outcome


def _faulty(world: World, of: Service, fault: Fault, ending: str) -> Outcome:
    session = new_session()
    with world.aws.injected(fault):
        heard = world.ask(of, QUESTION, session).end()
    check_stream(heard)
    assert (heard.ending, heard.words) == (ending, 0), heard
    messages = world.messages(session)
    assert check_store(messages, QUESTION, heard) == []
    check_goes_on(world, of, session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


GROUP = "workflow"
SCENARIOS = (
    Scenario(GROUP, "throttled", throttled, quick=True),
    Scenario(GROUP, "fails (500)", fails),
    Scenario(GROUP, "says `TIMED_OUT`", says_timed_out),
    Scenario(GROUP, "does not answer, with 2 s for the turn", hangs, quick=True),
)
