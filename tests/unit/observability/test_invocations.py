"""What the functions under Lambda's runtime share: the id of a call, and what of an error leaves them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from clew.errors import GraphUnavailableError, InternalError, UnknownKnowledgeBaseError
from clew.observability.correlation import correlation_id
from clew.observability.invocations import observed

SECRET = "Zebrafinch 密语"


def call(handler: Callable[[], Any], event: Any = None, by: Callable[[Any], object] = lambda event: event["id"]) -> Any:
    return observed(by)(lambda event, context: handler())(event or {"id": "r7"}, object())  # type: ignore[arg-type]


def fail(error: Exception) -> Callable[[], Any]:
    def handler() -> Any:
        try:
            raise ValueError(SECRET)
        except ValueError:
            raise error  # noqa: B904  (so that a cause is there, as a library's error would be)

    return handler


def test_a_call_has_the_id_that_its_event_names() -> None:
    assert call(lambda: {"id": correlation_id()}) == {"id": "r7"}
    assert correlation_id() == ""


def test_threads_that_a_call_starts_have_its_id_whatever_starts_them() -> None:
    with ThreadPoolExecutor(1) as started_before:

        def handler() -> set[str]:
            with ThreadPoolExecutor(1) as started:
                return {each.submit(correlation_id).result() for each in (started, started_before)}

        assert call(handler) == {"r7"}
        assert call(handler, {"id": "r8"}) == {"r8"}
        assert started_before.submit(correlation_id).result() == ""


@pytest.mark.parametrize("event", [{"other": 1}, {"id": None}, {"id": {"x": 1}}, [1], "text", {"id": "a b"}], ids=repr)
def test_an_event_of_any_form_has_an_id(event: Any) -> None:
    assert len(call(correlation_id, event)) == 32


@pytest.mark.parametrize(
    ("error", "leaves"),
    [
        (GraphUnavailableError("The graph is away."), GraphUnavailableError("The graph is away.")),
        (UnknownKnowledgeBaseError(SECRET), UnknownKnowledgeBaseError(SECRET)),
        (KeyError(SECRET), InternalError("The function broke off with KeyError.")),
    ],
    ids=["ours", "a caller's", "a library's"],
)
def test_an_error_leaves_under_its_name_without_anybodys_words(
    error: Exception, leaves: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(type(leaves)) as raised:
        call(fail(error))
    told = str(raised.value)
    assert SECRET not in told
    assert told == (str(leaves) if SECRET not in str(leaves) else "Something that was asked for is refused.")
    assert raised.value.__suppress_context__
    assert raised.value.__cause__ is None
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is error
