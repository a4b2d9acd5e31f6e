"""Requests about answers that there are, made of generated ones about answers that never were."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import cycle
from typing import Final, NamedTuple

from tests.fuzzing.reading import Place
from tests.fuzzing.request import ROOT, Request

_FEEDBACK: Final = f"{ROOT}/feedback"
_CANCEL: Final = f"{ROOT}/chat/cancel"


class Given(NamedTuple):
    """An answer, and the client's own id of the message that it answers, empty where there is none."""

    place: Place
    message_id: str
    asked: str


def about_answers(requests: Iterable[Request], answers: list[Given]) -> Iterator[Request]:
    """Each request that fits and is about a message, once more for one of the answers, in turn."""
    given = cycle(answers)
    for request in requests:
        if request.kind != "fits" or not answers:
            continue
        if request.path == _FEEDBACK:
            answer = next(given)
            yield _with_body(request, answer.place, answer.message_id)
        elif request.path == _CANCEL:
            answer = next(given)
            yield _with_body(request, answer.place, answer.asked or answer.message_id)
        elif request.path.endswith("/messages"):
            yield _page(request, next(given))


def _with_body(request: Request, place: Place, message_id: str) -> Request:
    fields = json.loads(request.body)
    fields.pop("thread_id", None)
    fields |= {"user_id": place.user_id, "session_id": place.session_id, "message_id": message_id}
    return replace(request, headers=_headers(request, place), body=json.dumps(fields).encode(), what="about an answer")


def _page(request: Request, answer: Given) -> Request:
    place, end = answer.place, ("before", "after")[len(request.target) % 2]
    query = f"user_id={place.user_id}&{end}={answer.message_id}"
    target = f"{ROOT}/conversations/{place.session_id}/messages?{query}"
    return replace(request, headers=_headers(request, place), target=target.encode(), what="about an answer")


def _headers(request: Request, place: Place) -> tuple[tuple[str, bytes], ...]:
    others = tuple(each for each in request.headers if each[0].lower() != "x-tenant-id")
    return (*others, ("X-Tenant-Id", place.tenant_id.encode())) if place.tenant_id else others
