"""What is wrong with the answer to one request."""

import json
import re
from collections.abc import Iterator
from typing import Final

from httpx import Response
from httpx_sse import EventSource

from clew.problem import problem_of_type
from tests.documented import undocumented
from tests.fuzzing.request import Request
from tests.fuzzing.wire import Reply

# What a refusal may not tell: where in the code, on which machine, in which account.
_INSIDE: Final = re.compile(
    r'Traceback|File "|\.py\b|site-packages|arn:aws|0x[0-9a-f]{8}|127\.0\.0\.1|pydantic|botocore'
)
_LONGEST_REFUSAL: Final = 8_000


def violations(request: Request, reply: Reply) -> Iterator[str]:
    """Each in one sentence; none where the service has borne the request as it should."""
    if reply.trouble:
        yield reply.trouble
        return
    if reply.status >= 500:
        yield f"answers {reply.status}: {reply.body[:300]!r}"
    # Parameters of a query that nothing knows are left aside, and make a request that "does not fit".
    if request.kind == "does not fit" and request.method == "POST" and reply.status < 400:
        yield f"takes what does not fit its schema, with {reply.status}"
    if request.method == "HEAD":
        return
    yield from undocumented(request.method, request.path, reply.status, reply.media_type, reply.body)
    if reply.status >= 400:
        if told := _INSIDE.search(reply.body.decode("utf-8", "replace")):
            yield f"a refusal tells {told[0]!r}: {reply.body[:300]!r}"
        if len(reply.body) > _LONGEST_REFUSAL:
            yield f"a refusal has {len(reply.body):,} bytes"
    elif reply.media_type.startswith("text/event-stream"):
        yield from _failed_stream(reply)


def _failed_stream(reply: Reply) -> Iterator[str]:
    """An ``error`` of a type that would be a 5xx as a status."""
    for event in events(reply):
        if event["status"] == "error" and problem_of_type(str(event["type"]), "").status >= 500:
            yield f"the stream ends with {event['type']}: {event['message']}"


def events(reply: Reply) -> list[dict[str, object]]:
    response = Response(200, headers={"content-type": reply.media_type}, content=reply.body)
    return [json.loads(event.data) for event in EventSource(response).iter_sse()]
