"""Every error has its problem document."""

import json

import pytest

from clew import errors, problem


def family(root: type[errors.ClewError]) -> list[type[errors.ClewError]]:
    children = [each for each in root.__subclasses__() if each.__module__ == errors.__name__]
    return [root, *(each for child in children for each in family(child))]


@pytest.mark.parametrize("kind", family(errors.ClewError), ids=lambda kind: kind.__name__)
def test_every_error_class_has_its_place_in_the_table(kind: type[errors.ClewError]) -> None:
    assert kind in problem._KINDS
    status = problem._KINDS[kind].status
    if issubclass(kind, errors.CallerError):
        assert 400 <= status < 500
    elif issubclass(kind, errors.TransientError):
        assert status == 503
    else:
        assert status in {500, 502}


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


def test_error_that_is_not_ours_gives_nothing_away() -> None:
    document = problem.problem_of(RuntimeError("password=hunter2 at arn:aws:iam::1:role/x"))
    assert (document.status, document.type) == (500, "urn:clew:problem:internal-error")
    assert "hunter2" not in document.to_json()
    assert "arn:" not in document.to_json()


def test_subclass_without_a_place_takes_its_parents() -> None:
    class OddError(errors.GraphUnavailableError):
        pass

    assert problem.problem_of(OddError("odd")).type == "urn:clew:problem:graph-unavailable"


@pytest.mark.parametrize(
    "error", [errors.MessageTooLongError(40_000, 32_000), errors.MessageTooLargeError(400_000, 307_200)]
)
def test_both_kinds_of_long_message_are_one_problem(error: errors.ClewError) -> None:
    assert problem.problem_of(error).type == "urn:clew:problem:message-too-long"
    assert problem.problem_of(error).status == 413


def test_unknown_path_and_wrong_method_have_documents_too() -> None:
    assert problem.not_found("/api/v1/nope").status == 404
    refused = problem.method_not_allowed("GET", "/api/v1/clear", "POST")
    assert (refused.status, refused.detail) == (405, "'/api/v1/clear' takes POST, not GET.")
