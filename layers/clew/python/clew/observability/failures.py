"""Errors as the log tells them: what broke and where, without what anybody wrote."""

import os
import traceback
from collections.abc import Iterator

from pydantic import ValidationError

from clew.errors import CallerError, ClewError


def told(error: BaseException) -> str:
    """The traceback of ``error`` and of what led to it, with of each only such words as are surely ours.

    A library's message may repeat its input, which is a question or a passage; one of a CallerError repeats a
    field of the request.
    """
    return "".join(_lines(error, set())).rstrip("\n")


def _lines(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None and id(earlier) not in seen:
        yield from _lines(earlier, seen)
        yield "\nwhich led to:\n\n"
    yield from traceback.format_tb(error.__traceback__)
    words = _words(error)
    yield f"{type(error).__name__}: {words}\n" if words else f"{type(error).__name__}\n"
    if isinstance(error, BaseExceptionGroup):
        for number, each in enumerate(error.exceptions, 1):
            if id(each) not in seen:
                yield f"\n{number} of {len(error.exceptions)} in it:\n\n"
                yield from _lines(each, seen)


def _words(error: BaseException) -> str:
    match error:
        case CallerError():
            return ""
        case ClewError():
            return str(error)
        case ValidationError():
            kinds = {
                each["type"] for each in error.errors(include_url=False, include_context=False, include_input=False)
            }
            return f"{error.title}: {', '.join(sorted(kinds))}"
        case OSError(errno=int(number)):
            return os.strerror(number)
    return _code(error)


def _code(error: BaseException) -> str:
    """The code that botocore's and neo4j's errors carry, which their services make up."""
    response = getattr(error, "response", None)
    found = response.get("Error", {}).get("Code") if isinstance(response, dict) else getattr(error, "code", None)
    return found if isinstance(found, str) and found.isascii() and len(found) <= 100 and " " not in found else ""


def place(error: BaseException) -> str:
    """The line of code that raised ``error``."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
