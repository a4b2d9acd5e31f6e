"""One run: requests drawn, sent, and judged with what they leave behind."""

import random
import time
import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tests.documented import route_of
from tests.fuzzing.about_answers import about_answers
from tests.fuzzing.beyond_the_schema import requests_beyond_the_schema
from tests.fuzzing.conversations import Conversations
from tests.fuzzing.from_document import requests_of_document
from tests.fuzzing.judging import violations
from tests.fuzzing.names import Names
from tests.fuzzing.report import Report
from tests.fuzzing.request import Request
from tests.fuzzing.wire import Wire

AT_ONCE: Final = 4
ELSEWHERE: Final = "elsewhere"


def fuzz(url: str, *, seed: int = 1, each: int = 10, answered: int = 12) -> Report:
    """Send some 40 times ``each`` requests to the service at ``url``, and say what came of it.

    ``each`` is how many are drawn for every route, fitting or not, and for every kind of trouble; ``answered``,
    in its place, how many that fit for a route that answers messages. The same seed draws the same requests
    as long as code and packages stay the same, but for the users' names, which are new in every run.
    """
    report = Report(seed)
    names = Names(uuid.uuid4().hex[:8])
    drawn = requests_of_document(names, each, answered, seed) + requests_beyond_the_schema(names, each, seed)
    random.Random(seed).shuffle(drawn)  # noqa: S311
    conversations = Conversations()
    began = time.monotonic()
    with Wire(url) as wire:
        # What is judged or cleared has been answered by then.
        _send(wire, [request for request in drawn if request.asks], report, conversations)
        _send(wire, about_answers(drawn, conversations.given), report, conversations)
        _send(wire, [request for request in drawn if not request.asks], report, conversations)
        report.violations += conversations.violations(wire, names.users)
    report.conversations = conversations.places
    report.seconds = time.monotonic() - began
    return report


def _send(wire: Wire, requests: Iterable[Request], report: Report, conversations: Conversations) -> None:
    """Some at a time; what comes back is judged in the order of the requests."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for request, reply in threads.map(lambda request: (request, wire.send(request)), requests):
            report.add(request, reply, route_of(request.method, request.path) or ELSEWHERE)
            report.violations += [f"{found}\n    {request}" for found in violations(request, reply)]
            conversations.note(request, reply)
