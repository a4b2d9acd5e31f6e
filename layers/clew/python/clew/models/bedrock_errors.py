"""What Bedrock's failures mean to Clew: vendor errors in, the error to raise out."""

from clew.errors import ClewError, ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError

THROTTLED = {"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"}

UNAVAILABLE = {
    "BadGatewayException",
    "DependencyFailedException",
    "InternalServerException",
    "ModelNotReadyException",
    "ModelStreamErrorException",
    "ModelTimeoutException",
    "ServiceUnavailableException",
}

CREDENTIALS = {
    "ExpiredTokenException",
    "InvalidSignatureException",
    "UnrecognizedClientException",
}


def model_error(error: Exception, model_id: str, started: bool = False) -> ClewError:
    """The error to raise for what botocore, urllib3 or langchain_aws raised.

    Once a delta has been sent nothing is transient any more: a second try would repeat what the
    client has already shown, so whatever went wrong is a ModelError with ``started``.
    """
    if isinstance(error, ClewError) and not started:
        return error
    if started:
        return ModelError(f"The model {model_id!r} broke off its answer.", started=True)
    return _before_the_first_delta(error, model_id)


def _before_the_first_delta(error: Exception, model_id: str) -> ClewError:
    from botocore.exceptions import ClientError, HTTPClientError, NoCredentialsError, PartialCredentialsError
    from botocore.exceptions import ConnectionError as BotoConnectionError
    from urllib3.exceptions import HTTPError

    match error:
        case ClientError():
            return _refused(error, model_id)
        case NoCredentialsError() | PartialCredentialsError():
            return ConfigurationError(
                "There are no AWS credentials for Bedrock: set CLEW_BEDROCK_PROFILE or give the function a role."
            )
        # botocore's time-outs and connection errors; urllib3's own, which pass it by while a stream is
        # read; and the ConnectionError by which langchain_aws reports a stream without its last event.
        case BotoConnectionError() | HTTPClientError() | HTTPError() | ConnectionError() | TimeoutError():
            return ModelUnavailableError(f"The model {model_id!r} cannot be reached or took too long.")
        case _:
            return ModelError(f"The model {model_id!r} answered with something that cannot be read.")


def _refused(error: Exception, model_id: str) -> ClewError:
    response = getattr(error, "response", {})
    code = str(response.get("Error", {}).get("Code", ""))
    # Inside an event stream the same errors begin with a small letter.
    code = code[:1].upper() + code[1:]
    status = int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if code in UNAVAILABLE:
        return ModelUnavailableError(f"The model {model_id!r} is not available for now ({code}).")
    if code in THROTTLED or status == 429:
        return ModelThrottledError(f"The model {model_id!r} is asked too much for now ({code}).")
    if status >= 500:
        return ModelUnavailableError(f"The model {model_id!r} is not available for now ({code or status}).")
    if code in CREDENTIALS:
        return ConfigurationError(f"AWS does not accept the credentials for Bedrock ({code}).")
    return ModelError(f"The model {model_id!r} refused the request ({code or status}).")
