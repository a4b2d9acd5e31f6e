"""The graph is down, falls silent and comes back, or is cut; a worker that searches it dies."""

import os
import signal
import time
from collections.abc import Callable

from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.processes import function_workers
from tests.faults.world import RETRIEVAL, World, new_session

QUESTION = "Who directed Parasite?"
OF_TWO_WORKERS = "In which city was the composer of Interstellar born?"


def down(world: World) -> Outcome:
    session = new_session()
    with world.graph.down():
        heard = world.ask(world.service(), QUESTION, session).end()
    check_stream(heard)
    assert (heard.ending, heard.words) == ("retrieval-failed", 0)
    messages = world.messages(session)
    assert check_store(messages, QUESTION, heard) == []
    check_goes_on(world, world.service(), session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


def silent_and_back(world: World) -> Outcome:
    """For less than a search may take: the answer comes late."""
    outcome = _disturbed(world, QUESTION, lambda: time.sleep(world.pace.slow_graph))
    assert "done" in outcome.client
    return outcome


def silent_for_long_and_back(world: World) -> Outcome:
    """For longer than the driver and the retrieval function wait."""
    return _disturbed(world, QUESTION, lambda: time.sleep(world.pace.silent_graph))


def cut_in_a_search(world: World) -> Outcome:
    return _disturbed(world, QUESTION, world.graph.cut)


def worker_killed(world: World) -> Outcome:
    """One of the two workers of a plan, in its search."""
    emulator = world.deployed.child("emulator")

    def kill() -> None:
        searching = function_workers(emulator, RETRIEVAL)
        assert searching
        os.kill(searching[-1], signal.SIGKILL)

    return _disturbed(world, OF_TWO_WORKERS, kill)


def _disturbed(world: World, question: str, disturb: Callable[[], None]) -> Outcome:
    """Ask, and ``disturb`` while the graph holds the search back."""
    session = new_session()
    of = world.service()
    with world.graph.frozen():
        asking = world.ask(of, question, session)
        world.graph.until_held()
        disturb()
    heard = asking.end()
    check_stream(heard)
    assert heard.ending in ("done", "retrieval-failed"), heard
    messages = world.messages(session)
    answers = check_store(messages, question, heard)
    assert len(answers) == (heard.ending == "done")
    check_goes_on(world, of, session)
    return Outcome(seen(heard), kept(messages), heard.seconds)


GROUP = "graph"
SCENARIOS = (
    Scenario(GROUP, "down", down),
    Scenario(GROUP, "silent for {slow_graph:.0f} s and back", silent_and_back, quick=True),
    Scenario(GROUP, "silent for {silent_graph:.0f} s and back", silent_for_long_and_back),
    Scenario(GROUP, "connections cut in a search", cut_in_a_search),
    Scenario(GROUP, "a retrieval worker killed in its search", worker_killed, quick=True),
)
