"""Errors in the log: what broke and where is told; what somebody wrote is not."""

from collections.abc import Callable

import pytest
from botocore.exceptions import ClientError, ParamValidationError
from neo4j.exceptions import CypherSyntaxError
from pydantic import BaseModel

from clew.errors import GraphError, StoreError, ThrottledError, UnknownAgentTypeError, UnknownKnowledgeBaseError
from clew.observability.failures import place, told

SECRET = "Zebrafinch 密语"


class Form(BaseModel):
    number: int


def of_a_library() -> None:
    raise ValueError(f"cannot read {SECRET!r}")


def of_validation() -> None:
    Form.model_validate({"number": SECRET})


def of_a_caller() -> None:
    raise UnknownKnowledgeBaseError(SECRET)


def caused() -> None:
    try:
        of_a_library()
    except ValueError as error:
        raise StoreError("The table refused a request.") from error


def while_handling() -> None:
    try:
        of_a_library()
    except ValueError:
        raise KeyError(SECRET)  # noqa: B904  (the point is that it is not chained on purpose)


def of_dynamodb() -> None:
    said = {"Error": {"Code": "ValidationException", "Message": f"bad value {SECRET}"}}
    raise ClientError(said, "PutItem")


def of_parameters() -> None:
    raise ParamValidationError(report=f"Invalid type for {SECRET}")


def of_the_graph() -> None:
    raise CypherSyntaxError(f"Invalid input {SECRET}")


def of_several() -> None:
    raise ExceptionGroup(SECRET, [ValueError(SECRET), ThrottledError("Too much at once.")])


def with_a_note() -> None:
    error = ValueError("x")
    error.add_note(SECRET)
    raise error


def of_the_network() -> None:
    raise ConnectionRefusedError(111, f"Connect call failed {SECRET}")


BROKEN = [
    of_a_library,
    of_validation,
    of_a_caller,
    caused,
    while_handling,
    of_dynamodb,
    of_parameters,
    of_the_graph,
    of_several,
    with_a_note,
    of_the_network,
]


def raised(work: Callable[[], None]) -> Exception:
    try:
        work()
    except Exception as error:
        return error
    raise AssertionError(work)


@pytest.mark.parametrize("work", BROKEN, ids=lambda work: work.__name__)
def test_class_and_place_are_told_and_nobodys_words(work: Callable[[], None]) -> None:
    error = raised(work)
    text = told(error)
    assert type(error).__name__ in text
    assert work.__name__ in text
    assert __file__ in text
    for word in SECRET.split():
        assert word not in text


def test_what_led_to_an_error_comes_before_it() -> None:
    text = told(raised(caused))
    assert text.index("ValueError\n") < text.index("which led to") < text.index("StoreError: The table refused")
    assert told(raised(while_handling)).splitlines()[-1] == "KeyError"


@pytest.mark.parametrize(
    ("work", "last"),
    [
        (of_dynamodb, "ClientError: ValidationException"),
        (of_validation, "ValidationError: Form: int_parsing"),
        (of_the_network, "ConnectionRefusedError: Connection refused"),
        (of_several, "ThrottledError: Too much at once."),
    ],
)
def test_what_helps_and_is_no_text_is_told(work: Callable[[], None], last: str) -> None:
    assert told(raised(work)).splitlines()[-1] == last


@pytest.mark.parametrize("error", [GraphError("The graph refused (Neo.X)."), UnknownAgentTypeError(SECRET, ())])
def test_our_own_words_are_told_unless_they_repeat_a_field_of_the_request(error: Exception) -> None:
    assert ("(Neo.X)" in told(error)) is isinstance(error, GraphError)
    assert SECRET not in told(error)


def test_errors_that_lead_to_each_other_end() -> None:
    first, second = ValueError("x"), KeyError("y")
    first.__context__, second.__context__ = second, first
    assert told(first).splitlines()[-1] == "ValueError"


def test_the_place_is_the_line_that_raised() -> None:
    file, _, line = place(raised(caused)).rpartition(":")
    assert file == __file__
    assert int(line) == caused.__code__.co_firstlineno + 4
    assert place(ValueError("never raised")) == ""
