"""How long a model's server asks to be left alone."""

from typing import Any


def retry_after(error: BaseException) -> float:
    """Seconds by the header ``Retry-After`` of the response that ``error`` was made from; 0 where it has none.

    A date, which the header may also hold, counts as none.
    """
    try:
        return max(0.0, float(_headers(error.__cause__).get("retry-after", "0")))
    except ValueError:
        return 0.0


def _headers(vendor: BaseException | None) -> Any:
    """Of httpx's error a response with headers; of botocore's a dict, whose headers' names are in small letters."""
    response = getattr(vendor, "response", None)
    if isinstance(response, dict):
        return response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
    return getattr(response, "headers", {})
