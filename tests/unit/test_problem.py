"""Every error has its problem document, which is stable and tells no more than is good."""

import json
import random

import pytest

from clew import errors, problem
from tests.unit.error_classes import error_classes, one_of

# Clients compare types, so a class keeps its row. Classes that are not here have their parents'.
TABLE = {
    "ClewError": (500, "internal-error"),
    "CallerError": (400, "invalid-request"),
    "InvalidRequestError": (400, "invalid-request"),
    "MessageTooLongError": (413, "message-too-long"),
    "MessageTooLargeError": (413, "message-too-long"),
    "UnknownKnowledgeBaseError": (404, "unknown-knowledge-base"),
    "UnknownAgentTypeError": (400, "unknown-agent-type"),
    "WorkerNameError": (400, "invalid-worker-name"),
    "ConversationNotFoundError": (404, "conversation-not-found"),
    "ConversationClearedError": (409, "conversation-cleared"),
    "MessageNotFoundError": (404, "message-not-found"),
    "AnsweredElsewhereError": (409, "answered-elsewhere"),
    "EntityNotFoundError": (404, "entity-not-found"),
    "ImageError": (400, "invalid-image"),
    "ModelNotAllowedError": (403, "model-not-allowed"),
    "DocumentError": (400, "invalid-document"),
    "ForbiddenError": (403, "forbidden"),
    "TransientError": (503, "unavailable"),
    "GraphUnavailableError": (503, "graph-unavailable"),
    "ModelThrottledError": (503, "model-throttled"),
    "ModelUnavailableError": (503, "model-unavailable"),
    "ThrottledError": (503, "throttled"),
    "StoreUnavailableError": (503, "store-unavailable"),
    "InternalError": (500, "internal-error"),
    "ConfigurationError": (500, "misconfigured"),
    "TurnTimeoutError": (504, "turn-timed-out"),
    "WorkflowError": (502, "workflow-failed"),
    "RetrievalFailedError": (502, "retrieval-failed"),
    "GraphError": (502, "graph-failed"),
    "StoreError": (500, "store-failed"),
    "ModelError": (502, "model-failed"),
}
SECRETS = (
    "arn:aws:secretsmanager:eu-central-1:123456789012:secret:clew/neo4j-AbCdEf",
    "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k3x9",
    "arn:aws-cn:iam::123456789012:role/clew-answer",
    'Traceback (most recent call last):\n  File "/var/task/clew/turn.py", line 7, in stream\n    raise',
    "/var/task/functions/answer/app.py",
    "You answer questions from passages of a knowledge base",
    "password=hunter2 for account 123456789012",
)


@pytest.mark.parametrize("kind", error_classes(), ids=lambda kind: kind.__name__)
def test_every_error_class_has_the_row_that_it_always_had_or_its_familys(kind: type[errors.ClewError]) -> None:
    own = kind.__module__ == errors.__name__
    assert (kind.__name__ in TABLE) == own == (kind in problem._KINDS)
    row = next(TABLE[each.__name__] for each in kind.__mro__ if each.__name__ in TABLE)
    document = problem.problem_of(one_of(kind))
    assert (document.status, document.type) == (row[0], f"urn:clew:problem:{row[1]}")
    assert document.detail == str(one_of(kind))
    assert document.title
    if issubclass(kind, errors.CallerError):
        assert 400 <= document.status < 500
    else:
        assert document.status in ({503} if issubclass(kind, errors.TransientError) else {500, 502, 504})


def test_the_table_has_no_rows_beside_these_and_a_type_has_one_status() -> None:
    assert {kind.__name__ for kind in problem._KINDS} == set(TABLE)
    types = set(TABLE.values())
    assert len(types) == len({slug for _, slug in types})
    titles = {(kind.slug, kind.title) for kind in problem._KINDS.values()}
    assert len(titles) == len({slug for slug, _ in titles})


@pytest.mark.parametrize("kind", error_classes(), ids=lambda kind: kind.__name__)
def test_what_a_stream_told_of_is_the_same_problem_in_one_body(kind: type[errors.ClewError]) -> None:
    told = problem.problem_of(one_of(kind))
    assert problem.problem_of_type(told.type, told.detail) == told.model_copy(update={"errors": None})


def test_invalid_request_lists_its_fields() -> None:
    error = errors.InvalidRequestError("The request does not fit.", {"session_id": "is missing"})
    assert json.loads(problem.problem_of(error, "urn:clew:request:7").to_json()) == {
        "type": "urn:clew:problem:invalid-request",
        "title": "The request does not fit",
        "status": 400,
        "detail": "The request does not fit.",
        "instance": "urn:clew:request:7",
        "errors": [{"field": "session_id", "detail": "is missing"}],
    }


def test_document_leaves_out_what_it_has_not() -> None:
    document = json.loads(problem.problem_of(errors.UnknownKnowledgeBaseError("law", ["edu"])).to_json())
    assert set(document) == {"type", "title", "status", "detail"}
    assert document["type"] == "urn:clew:problem:unknown-knowledge-base"
    assert document["detail"] == "There is no knowledge base 'law'. Known: edu."


def test_an_error_that_is_not_ours_tells_only_that_it_happened() -> None:
    chance = random.Random(3)  # noqa: S311
    kinds = (RuntimeError, ValueError, KeyError, OSError, AssertionError, TimeoutError, ExceptionGroup)
    for _ in range(200):
        secrets = "; ".join(chance.sample(SECRETS, 3))
        kind = chance.choice(kinds)
        error = kind(secrets, [ValueError(secrets)]) if kind is ExceptionGroup else kind(secrets)
        error.__cause__ = errors.ModelError(secrets)
        error.add_note(secrets)
        document = problem.problem_of(error)
        assert document == problem.problem_of(RuntimeError())
        assert document.type == "urn:clew:problem:internal-error"


@pytest.mark.parametrize("kind", error_classes(), ids=lambda kind: kind.__name__)
def test_what_led_to_an_error_of_ours_stays_behind(kind: type[errors.ClewError]) -> None:
    error = one_of(kind)
    alone = problem.problem_of(error)
    error.__cause__ = error.__context__ = RuntimeError("; ".join(SECRETS))
    error.add_note(SECRETS[0])
    assert problem.problem_of(error) == alone


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "The secret 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:clew/neo4j-AbCdEf' lacks uri.",
            "The secret 'neo4j-AbCdEf' lacks uri.",
        ),
        (
            "The model 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k3x9' is busy.",
            "The model 'k3x9' is busy.",
        ),
        ("No access to arn:aws-cn:iam::123456789012:role/clew-answer: refused", "No access to clew-answer refused"),
        ("Cut off: 'arn:aws:bedrock:us-east-1:12345", "Cut off: '(ARN)"),
        ("arn:aws:s3:::bucket/", "bucket"),
        ("No barn: no ARN.", "No barn: no ARN."),
    ],
)
def test_errors_of_ours_name_resources_without_their_accounts(said: str, shown: str) -> None:
    assert str(errors.ConfigurationError(said)) == shown
    assert str(errors.InvalidRequestError(said)) == shown
    assert problem.problem_of(errors.ModelError(said)).detail == shown


def test_a_detail_is_one_line_and_not_too_long() -> None:
    long = problem.problem_of(errors.InvalidRequestError("x" * 5_000, {"y" * 5_000: "z\n" * 5_000}))
    assert [len(long.detail), *(len(text) for each in long.errors or () for text in (each.field, each.detail))] == [
        problem.MOST_DETAIL
    ] * 3
    lines = problem.problem_of(errors.WorkerNameError("One.\nTwo.\r\nThree.\u2028Four.\ud800")).to_json()
    assert json.loads(lines)["detail"] == "One. Two. Three. Four.?"


@pytest.mark.parametrize(
    "error",
    [
        errors.UnknownKnowledgeBaseError("k" * 100_000, ["law"] * 100_000),
        errors.UnknownAgentTypeError("a" * 100_000, ("graph_agent",)),
        errors.ConversationNotFoundError("s" * 100_000),
        errors.MessageNotFoundError("m" * 100_000),
        errors.EntityNotFoundError("e" * 100_000, "movie", []),
        errors.RetrievalFailedError({"movie:graph_agent:retrieve_only": "E" * 100_000}),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_somebody_sent_is_repeated_in_part(error: errors.ClewError) -> None:
    assert len(str(error)) < 400


def test_subclass_without_a_place_takes_its_parents() -> None:
    class OddError(errors.GraphUnavailableError):
        pass

    assert problem.problem_of(OddError("odd")).type == "urn:clew:problem:graph-unavailable"


def test_unknown_path_and_wrong_method_have_documents_too() -> None:
    assert problem.not_found("/api/v1/nope").status == 404
    refused = problem.method_not_allowed("GET", "/api/v1/clear", "POST")
    assert (refused.status, refused.detail) == (405, "'/api/v1/clear' takes POST, not GET.")
