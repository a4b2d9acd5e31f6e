"""One invocation of a function: the event that it is given, and what comes back."""

import json
import uuid
from typing import Any

from tests.lambda_runtime.arrivals import Arrivals

DELIMITER = bytes(8)
"""Between the metadata and the body of a streamed response."""

METADATA_LIMIT = 16 * 1024
"""API Gateway answers 502 where the delimiter is not among the first 16 KB."""


class Invocation:
    """``arrivals`` are the raw bytes of the response; ``headers`` and ``trailers`` those of the POST that brought it.

    ``error`` is the body of a POST to ``…/error``; ``broken`` says that the connection went in mid-response.
    """

    def __init__(self, event: dict[str, Any], seconds: float) -> None:
        self.id = str(uuid.uuid4())
        self.event = event
        self.seconds = seconds
        self.arrivals = Arrivals()
        self.headers: dict[str, str] = {}
        self.trailers: dict[str, str] = {}
        self.error: Any = None
        self.broken = False

    async def metadata(self) -> dict[str, Any]:
        """What stands before the delimiter, once it has arrived."""
        await self.arrivals.until(DELIMITER)
        raw, _, _ = self.arrivals.content.partition(DELIMITER)
        assert len(raw) + len(DELIMITER) <= METADATA_LIMIT
        found: dict[str, Any] = json.loads(raw)
        return found

    @property
    def body(self) -> bytes:
        """What has arrived behind the delimiter."""
        return self.arrivals.content.partition(DELIMITER)[2]
