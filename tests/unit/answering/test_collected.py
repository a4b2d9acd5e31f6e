"""The stream as one body."""

from collections.abc import AsyncIterator

import pytest

from clew.answering.collected import CollectedAnswer, collect
from clew.answering.events import Done, Event, Failed, Start
from clew.errors import RetrievalFailedError, UnknownKnowledgeBaseError
from clew.problem import Problem, problem_of
from tests.unit.answering.stage import Stage, found, run


async def replay(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def test_all_of_a_stream_is_in_it(stage: Stage) -> None:
    events = await stage.events(debug=True)
    answer = await collect(replay(*events))
    assert isinstance(answer, CollectedAnswer)
    assert answer.answer == "Christopher Nolan [1]."
    (done,) = [event for event in events if isinstance(event, Done)]
    assert answer.model_dump(include=set(type(done.content).model_fields)) == done.content.model_dump()
    assert [each.agent_type for each in answer.progress] == ["graph_agent"]
    assert answer.execution_log


async def test_without_debug_there_is_no_log(stage: Stage) -> None:
    answer = await collect(replay(*await stage.events()))
    assert isinstance(answer, CollectedAnswer)
    assert answer.execution_log == ()


@pytest.mark.parametrize(
    "error", [UnknownKnowledgeBaseError("x"), RetrievalFailedError({"w": "GraphError"}), RuntimeError("boom")], ids=repr
)
async def test_an_error_event_is_the_same_problem_as_over_http(error: Exception) -> None:
    problem = problem_of(error)
    collected = await collect(replay(Start(), Failed(message=problem.detail, type=problem.type)))
    assert collected == problem


async def test_a_failed_turn_is_a_problem_with_a_status(stage: Stage) -> None:
    stage.workflow.outcome = found(run(error="GraphUnavailableError"))
    collected = await collect(replay(*await stage.events()))
    assert isinstance(collected, Problem)
    assert collected.status == 502


@pytest.mark.parametrize("events", [(), (Start(),)], ids=["nothing", "start alone"])
async def test_a_stream_that_tears_is_a_problem(events: tuple[Event, ...]) -> None:
    collected = await collect(replay(*events))
    assert isinstance(collected, Problem)
    assert collected.status >= 500
