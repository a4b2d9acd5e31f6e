"""The chat model refuses, throttles, falls silent, breaks off, or says nothing."""

from tests.faults.invariants import check_goes_on, check_store, check_stream
from tests.faults.listening import Heard
from tests.faults.outcome import Outcome, Scenario, kept, seen
from tests.faults.script import FOR_EVER, WORDS, Script
from tests.faults.service import Service
from tests.faults.world import World, new_session

QUESTION = "Tell me something nice."
FALLBACK = "scripted-fallback"
HEARTBEAT = 10  # seconds
SHORT = {"CLEW_MODEL_READ_SECONDS": "1.5"}


def _asked(world: World, of: Service, *scripts: Script) -> tuple[Heard, Outcome]:
    """Ask while the model keeps to ``scripts``; checks all that holds in any case."""
    session = new_session()
    world.model.next.clear()
    world.model.next.extend(scripts)
    heard = world.ask(of, QUESTION, session).end()
    world.model.next.clear()
    check_stream(heard)
    messages = world.messages(session)
    answers = check_store(messages, QUESTION, heard)
    if heard.ending != "done":
        assert [each.content for each in answers] == [heard.text] * bool(heard.text)
        assert all(each.debug["partial"] for each in answers)
    check_goes_on(world, of, session)
    return heard, Outcome(seen(heard), kept(messages), heard.seconds)


def refuses(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), Script(status=403))
    assert (heard.ending, heard.words) == ("model-failed", 0)
    return outcome


def throttles_once(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), Script(status=429))
    assert heard.ending == "done"
    assert heard.words == WORDS
    return outcome


def throttles_always(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), *[Script(status=429)] * 9)
    assert (heard.ending, heard.words) == ("model-throttled", 0)
    return outcome


def throttles_with_a_fallback(world: World) -> Outcome:
    of = world.service(CLEW_FALLBACK_MODEL_ID=FALLBACK)
    world.model.of_model[FALLBACK] = Script()
    heard, outcome = _asked(world, of, *[Script(status=429)] * 9)
    assert heard.ending == "done"
    assert heard.last["content"]["model"] == FALLBACK
    return outcome


def silent_before_the_first_token(world: World) -> Outcome:
    silence = world.pace.silent_model
    heard, outcome = _asked(world, world.service(), Script(silent_at=0, silent_s=silence))
    assert heard.ending == "done"
    assert heard.seconds > silence
    assert heard.pings >= int(silence / HEARTBEAT) - 1
    return outcome


def silent_in_the_answer(world: World) -> Outcome:
    silence = world.pace.silent_in_answer
    heard, outcome = _asked(world, world.service(), Script(silent_at=5, silent_s=silence))
    assert heard.ending == "done"
    assert heard.seconds > silence
    assert heard.pings >= int(silence / HEARTBEAT)
    return outcome


def silent_for_ever_before_the_first_token(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(**SHORT), *[Script(silent_at=0, silent_s=FOR_EVER)] * 9)
    assert (heard.ending, heard.words) == ("model-unavailable", 0)
    return outcome


def silent_for_ever_in_the_answer(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(**SHORT), Script(silent_at=5, silent_s=FOR_EVER))
    assert heard.ending == "model-failed"
    assert heard.words == 5
    return outcome


def cut_in_a_token(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), Script(breaks_at=5, breaks="cut"))
    assert heard.ending == "model-failed"
    assert heard.words == 5
    assert world.model.asked[-2].end == "broken"  # the last one is the question afterwards: nothing was asked again
    return outcome


def malformed(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), Script(breaks_at=5, breaks="malformed"))
    assert heard.ending == "model-failed"
    assert heard.words == 5
    return outcome


def says_nothing(world: World) -> Outcome:
    heard, outcome = _asked(world, world.service(), Script(tokens=0))
    assert (heard.ending, heard.words) == ("model-failed", 0)
    return outcome


GROUP = "model"
SCENARIOS = (
    Scenario(GROUP, "refuses (403)", refuses, quick=True),
    Scenario(GROUP, "throttles once", throttles_once),
    Scenario(GROUP, "throttles always", throttles_always),
    Scenario(GROUP, "throttles always, with a fallback model", throttles_with_a_fallback),
    Scenario(
        GROUP, "silent for {silent_model:.0f} s before the first token", silent_before_the_first_token, quick=True
    ),
    Scenario(GROUP, "silent for {silent_in_answer:.0f} s after 5 tokens", silent_in_the_answer),
    Scenario(
        GROUP, "silent for ever before the first token, read time-out 1.5 s", silent_for_ever_before_the_first_token
    ),
    Scenario(GROUP, "silent for ever after 5 tokens, read time-out 1.5 s", silent_for_ever_in_the_answer),
    Scenario(GROUP, "cut in the middle of the sixth token", cut_in_a_token, quick=True),
    Scenario(GROUP, "malformed frame after 5 tokens", malformed),
    Scenario(GROUP, "returns nothing", says_nothing, quick=True),
)
