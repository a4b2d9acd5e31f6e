"""What the Web Adapter tells of the invocation that a request came in."""

import json
import time
from collections.abc import Mapping
from typing import Final

CONTEXT: Final = "x-amzn-lambda-context"
RESERVE: Final = 10.0  # seconds of a function's time that are left for storing what a turn has come to
LEAST: Final = 1.0


def seconds_left(headers: Mapping[str, str]) -> float:
    """How long a turn may take before its function's own time-out; 0 where no function runs it.

    ``deadline`` is in milliseconds since the epoch.
    """
    try:
        deadline = float(json.loads(headers.get(CONTEXT) or "{}")["deadline"])
    except (ValueError, TypeError, KeyError):
        return 0.0
    return max(LEAST, deadline / 1000 - time.time() - RESERVE)
