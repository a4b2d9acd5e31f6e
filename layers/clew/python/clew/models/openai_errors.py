"""What the failures of a chat-completions server mean to Clew: httpx's errors in, the error to raise out."""

from pydantic import ValidationError

from clew.errors import ClewError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.openai_frames import ErrorFrameError


class NoStreamError(Exception):
    """A response of success that is no stream of events."""


def model_error(error: Exception, model: str, started: bool) -> ClewError:
    """The error to raise for ``error``; once a delta has been sent, always a ModelError that says so."""
    if started:
        return ModelError(f"The model {model!r} broke off its answer.", started=True)
    if isinstance(error, ClewError):
        return error
    return _before_the_first_delta(error, model)


def _before_the_first_delta(error: Exception, model: str) -> ClewError:
    import httpx

    match error:
        case httpx.HTTPStatusError():
            return _refused(error.response.status_code, model)
        case ErrorFrameError():
            return _refused(error.status, model)
        case ValidationError() | NoStreamError() | UnicodeDecodeError():
            return ModelError(f"The model {model!r} answered with something that cannot be read.")
        case httpx.TransportError() | ConnectionError():
            return ModelUnavailableError(f"The model {model!r} cannot be reached or took too long.")
        case _:
            return ModelError(f"The request to the model {model!r} failed ({type(error).__name__}).")


def _refused(status: int, model: str) -> ClewError:
    if status == 429:
        return ModelThrottledError(f"The model {model!r} is asked too much for now.")
    if status >= 500 or status == 408:
        return ModelUnavailableError(f"The model {model!r} is not available for now (status {status}).")
    return ModelError(
        f"The model {model!r} refused the request (status {status}): "
        "check CLEW_OPENAI_MODEL and CLEW_OPENAI_API_KEY_SECRET."
    )
