"""Whatever breaks, a stream ends with one event, keeps what the user said and makes nothing up."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from clew.answering.events import Failed, Start, Token
from clew.conversation.store import ConversationStore
from clew.errors import (
    ConfigurationError,
    GraphUnavailableError,
    MessageTooLargeError,
    ModelError,
    ModelThrottledError,
    StoreUnavailableError,
    ThrottledError,
    UnknownKnowledgeBaseError,
    WorkflowError,
)
from clew.problem import TYPE_PREFIX
from tests.unit.answering.stage import Halting, Model, Stage, found, request, run, statuses


class FailingStore(ConversationStore):
    """Loses the connection at the ``nth`` message that is stored, from 1."""

    def __init__(self, *values: Any, nth: int) -> None:
        super().__init__(*values)
        self._left = nth

    def begin(self, *values: Any, **options: Any) -> Any:
        self._count()
        return super().begin(*values, **options)

    def append_message(self, *values: Any, **options: Any) -> Any:
        self._count()
        return super().append_message(*values, **options)

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            raise StoreUnavailableError("The table cannot be reached at the moment. Try again later.")


def failing(stage: Stage, nth: int) -> Callable[[str], FailingStore]:
    made: dict[str, FailingStore] = {}
    return lambda tenant_id: made.setdefault(tenant_id, FailingStore(stage.table, tenant_id, nth=nth))


async def ended(stage: Stage, **options: Any) -> tuple[Failed, list[str]]:
    """The one error that a stream ended with, and the tokens sent before it."""
    events = await stage.events(**options)
    assert isinstance(events[0], Start)
    assert statuses(events).count("error") == 1
    assert "done" not in statuses(events)
    assert isinstance(events[-1], Failed)
    return events[-1], [event.content for event in events if isinstance(event, Token)]


WORKFLOW_ERRORS = [
    (WorkflowError("The retrieval workflow failed. Try again later.", "States.Timeout"), "workflow-failed"),
    (ThrottledError("Too many."), "throttled"),
    (UnknownKnowledgeBaseError("nothing"), "unknown-knowledge-base"),
    (ConfigurationError("Setting CLEW_WORKFLOW_ARN: missing."), "misconfigured"),
    (RuntimeError("secret arn:aws:states:us-east-1:123456789012:stateMachine:x"), "internal-error"),
    (KeyError("decision"), "internal-error"),
]


@pytest.mark.parametrize(("error", "slug"), WORKFLOW_ERRORS, ids=lambda value: value if isinstance(value, str) else "")
async def test_a_lookup_that_fails_keeps_the_question_and_invents_no_answer(
    stage: Stage, error: Exception, slug: str
) -> None:
    stage.workflow.outcome = error
    failed, tokens = await ended(stage)
    assert failed.type == TYPE_PREFIX + slug
    assert "arn:" not in failed.message
    assert tokens == []
    assert [(message.role, message.content) for message in stage.stored()] == [("user", "Who directed Inception?")]


async def test_when_every_worker_failed_that_is_the_error(stage: Stage) -> None:
    other = "movie:naive_rag_agent:retrieve_only"
    stage.workflow.outcome = found(run(error="GraphUnavailableError"), run(other, error="GraphError"))
    failed, tokens = await ended(stage)
    assert failed.type == TYPE_PREFIX + "retrieval-failed"
    assert tokens == []
    assert stage.model.prompts == []
    assert [message.role for message in stage.stored()] == ["user"]


@pytest.mark.parametrize(
    ("error", "slug"),
    [
        (ModelThrottledError("The model is busy."), "model-throttled"),
        (ModelError("The model refused."), "model-failed"),
        (RuntimeError("boom"), "internal-error"),
    ],
    ids=["throttled", "refused", "unexpected"],
)
async def test_a_model_that_fails_before_its_first_token_leaves_no_answer(
    stage: Stage, error: Exception, slug: str
) -> None:
    stage.model = Model(error)
    failed, tokens = await ended(stage)
    assert failed.type == TYPE_PREFIX + slug
    assert tokens == []
    assert [message.role for message in stage.stored()] == ["user"]


@pytest.mark.parametrize(
    "error", [ModelError("It broke off.", started=True), RuntimeError("boom")], ids=["told", "not"]
)
async def test_a_model_that_breaks_off_leaves_what_it_had_said_marked_as_partial(
    stage: Stage, error: Exception
) -> None:
    stage.model = Model("Christopher Nolan [1]", " was", error)
    _, tokens = await ended(stage)
    assert "".join(tokens) == "Christopher Nolan [1] was"
    _, answer = stage.stored()
    assert (answer.role, answer.content) == ("assistant", "Christopher Nolan [1] was")
    assert answer.debug["partial"] is True
    assert [citation.number for citation in answer.citations] == [1]


@pytest.mark.parametrize("script", [(), ("",), ("  ", "\n")], ids=["nothing", "empty", "blank"])
async def test_an_empty_answer_is_an_error(stage: Stage, script: tuple[str, ...]) -> None:
    stage.model = Model(*script)
    failed, _ = await ended(stage)
    assert failed.type == TYPE_PREFIX + "model-failed"
    assert [message.role for message in stage.stored()] == ["user"]


async def test_a_model_that_cannot_be_made_is_an_error(stage: Stage) -> None:
    def model(_: str) -> Model:
        raise ConfigurationError("Setting CLEW_OPENAI_MODEL: missing.")

    failed, _ = await ended(stage, turn=stage.turn(model=model))
    assert failed.type == TYPE_PREFIX + "misconfigured"
    assert [message.role for message in stage.stored()] == ["user"]


async def test_a_store_that_fails_at_the_question_ends_the_stream_before_anything_is_asked(stage: Stage) -> None:
    failed, tokens = await ended(stage, turn=stage.turn(store=failing(stage, nth=1)))
    assert failed.type == TYPE_PREFIX + "store-unavailable"
    assert (tokens, stage.workflow.asked, stage.stored()) == ([], [], [])


async def test_a_store_that_fails_at_the_answer_is_told_and_tried_once_more(stage: Stage) -> None:
    failed, tokens = await ended(stage, turn=stage.turn(store=failing(stage, nth=2)))
    assert failed.type == TYPE_PREFIX + "store-unavailable"
    assert "".join(tokens) == "Christopher Nolan [1]."
    stored = stage.stored()
    assert [message.role for message in stored] == ["user", "assistant"]
    assert "partial" not in stored[1].debug


async def test_a_message_that_is_too_large_to_store_is_the_callers_error(stage: Stage) -> None:
    failed, _ = await ended(stage, message="字" * 150_000)
    assert failed.type == TYPE_PREFIX + "message-too-long"
    assert stage.stored() == []
    assert str(MessageTooLargeError(450_000, 300_000))[:20] in failed.message


async def test_a_consumer_that_closes_early_leaves_the_part_it_had_read(stage: Stage) -> None:
    stage.model = Halting("Christopher", " Nolan")
    events = stage.turn().stream(request("Who directed Inception?"))
    async for event in events:
        if isinstance(event, Token) and event.content == " Nolan":
            break
    await asyncio.wait_for(events.aclose(), 1)
    assert stage.model.closed
    _, answer = stage.stored()
    assert (answer.content, answer.debug["partial"]) == ("Christopher Nolan", True)


async def test_a_consumer_that_closes_before_the_answer_leaves_the_question_alone(stage: Stage) -> None:
    events = stage.turn().stream(request("Who directed Inception?"))
    async for event in events:
        if event.status == "progress":
            break
    await events.aclose()
    assert [message.role for message in stage.stored()] == ["user"]


async def test_a_consumer_that_closes_after_start_leaves_nothing(stage: Stage) -> None:
    events = stage.turn().stream(request("Who directed Inception?"))
    assert isinstance(await anext(events), Start)
    await events.aclose()
    assert stage.stored() == []


async def test_a_cancelled_task_leaves_the_part_that_was_sent(stage: Stage) -> None:
    stage.model = model = Halting("Christopher", " Nolan")
    task = asyncio.create_task(stage.events())
    await asyncio.wait_for(model.halted.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    _, answer = stage.stored()
    assert (answer.content, answer.debug["partial"]) == ("Christopher Nolan", True)


async def test_after_a_failure_the_conversation_goes_on(stage: Stage) -> None:
    stage.workflow.outcome = GraphUnavailableError("down")
    await ended(stage)
    stage.workflow.outcome = found(run())
    events = await stage.events("Who directed Inception, please?")
    assert statuses(events)[-1] == "done"
    assert [message.role for message in stage.stored()] == ["user", "user", "assistant"]


async def test_a_message_sent_again_after_its_answer_broke_off_is_answered_whole(stage: Stage) -> None:
    stage.model = Model("Christopher", ModelError("It broke off.", started=True))
    await ended(stage, client_message_id="m1")
    stage.model = Model("Christopher Nolan [1].")
    events = await stage.events(client_message_id="m1")
    assert statuses(events)[-1] == "done"
    assert [(message.role, message.content) for message in stage.stored()] == [
        ("user", "Who directed Inception?"),
        ("assistant", "Christopher"),
        ("assistant", "Christopher Nolan [1]."),
    ]


async def test_logs_tell_the_kind_of_error_and_never_what_was_said(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    stage.model = Model("A secret answer", ModelError("It broke off.", started=True))
    await ended(stage, message="A secret question about Inception?")
    assert "ModelError" in caplog.text
    assert "secret" not in caplog.text
