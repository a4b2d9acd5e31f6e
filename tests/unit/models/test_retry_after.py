"""How long servers ask to be left alone."""

import httpx
import pytest
from botocore.exceptions import ClientError

from clew.errors import ModelThrottledError
from clew.models.retry_after import retry_after


def throttled(cause: Exception | None) -> ModelThrottledError:
    error = ModelThrottledError("busy")
    error.__cause__ = cause
    return error


def by_httpx(headers: dict[str, str]) -> Exception:
    request = httpx.Request("POST", "http://localhost")
    return httpx.HTTPStatusError("429", request=request, response=httpx.Response(429, headers=headers))


def by_botocore(headers: dict[str, str]) -> Exception:
    small = {name.lower(): value for name, value in headers.items()}
    return ClientError({"Error": {}, "ResponseMetadata": {"HTTPHeaders": small}}, "ConverseStream")  # type: ignore[typeddict-item]


@pytest.mark.parametrize("vendor", [by_httpx, by_botocore])
@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3), ("0.5", 0.5), ("Sun, 06 Nov 2033 08:49:37 GMT", 0), ("-1", 0), ("nan", 0), ("", 0)],
)
def test_seconds_are_read_and_nothing_else(vendor, value: str, seconds: float) -> None:  # type: ignore[no-untyped-def]
    assert retry_after(throttled(vendor({"Retry-After": value}))) == seconds


def test_most_errors_ask_for_nothing() -> None:
    inside_a_stream = ClientError({"Error": {"Code": "throttlingException"}}, "ConverseStream")
    for cause in (None, by_httpx({}), by_botocore({}), inside_a_stream, ConnectionError("cut")):
        assert retry_after(throttled(cause)) == 0
