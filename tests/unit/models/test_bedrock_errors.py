"""What Bedrock's errors become."""

import botocore.exceptions
import pytest
import urllib3.exceptions
from botocore.eventstream import ChecksumMismatch

from clew.errors import ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.bedrock_errors import model_error

MODEL = "anthropic.claude-haiku-4-5-20251001-v1:0"
URL = "https://bedrock-runtime.us-east-1.amazonaws.com"


def refused(code: str, status: int = 400) -> botocore.exceptions.ClientError:
    response = {
        "Error": {"Code": code, "Message": "user arn:aws:iam::1:user/x may not"},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return botocore.exceptions.ClientError(response, "ConverseStream")


CASES = [
    (refused("ThrottlingException", 429), ModelThrottledError),
    (refused("TooManyRequestsException", 429), ModelThrottledError),
    (refused("ServiceQuotaExceededException"), ModelThrottledError),
    (refused("SomethingNew", 429), ModelThrottledError),
    (refused("throttlingException", 0), ModelThrottledError),
    (refused("ModelNotReadyException", 429), ModelUnavailableError),
    (refused("ModelTimeoutException", 408), ModelUnavailableError),
    (refused("ServiceUnavailableException", 503), ModelUnavailableError),
    (refused("SomethingNew", 502), ModelUnavailableError),
    (refused("DependencyFailedException", 424), ModelUnavailableError),
    (refused("modelStreamErrorException", 0), ModelUnavailableError),
    (botocore.exceptions.ConnectTimeoutError(endpoint_url=URL), ModelUnavailableError),
    (botocore.exceptions.ReadTimeoutError(endpoint_url=URL), ModelUnavailableError),
    (botocore.exceptions.EndpointConnectionError(endpoint_url=URL), ModelUnavailableError),
    (botocore.exceptions.ConnectionClosedError(endpoint_url=URL), ModelUnavailableError),
    (urllib3.exceptions.ProtocolError("cut"), ModelUnavailableError),
    (ConnectionError("no messageStop"), ModelUnavailableError),
    (refused("AccessDeniedException", 403), ModelError),
    (refused("ValidationException"), ModelError),
    (refused("ResourceNotFoundException", 404), ModelError),
    (ChecksumMismatch(1, 2), ModelError),
    (KeyError("delta"), ModelError),
    (refused("UnrecognizedClientException", 403), ConfigurationError),
    (botocore.exceptions.NoCredentialsError(), ConfigurationError),
]


@pytest.mark.parametrize(
    ("error", "expected"),
    CASES,
    ids=[f"{type(error).__name__}: {str(error)[:60]}" for error, _ in CASES],
)
def test_before_the_first_delta(error: Exception, expected: type[Exception]) -> None:
    raised = model_error(error, MODEL)
    assert type(raised) is expected
    assert "arn:" not in str(raised)


@pytest.mark.parametrize("error", [error for error, _ in CASES[:20:4]])
def test_after_the_first_delta_everything_is_a_broken_answer(error: Exception) -> None:
    raised = model_error(error, MODEL, started=True)
    assert isinstance(raised, ModelError)
    assert raised.started
