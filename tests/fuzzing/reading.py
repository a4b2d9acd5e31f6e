"""What the service has stored, read as any client reads it."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from tests.documented import undocumented
from tests.fuzzing.request import ROOT
from tests.fuzzing.wire import Wire

_PAGE: Final = 7
"""Small, so that conversations have several."""


class Place(NamedTuple):
    """A session of a user; the tenant is empty where the request named none."""

    tenant_id: str
    user_id: str
    session_id: str


class UnreadableError(Exception):
    """A page that cannot be read, or that is not as documented."""


def messages(wire: Wire, place: Place) -> list[dict[str, Any]]:
    """All messages of a session, oldest first."""
    path = f"{ROOT}/conversations/{place.session_id}/messages"
    pages = [page["messages"] for page in _pages(wire, path, place.tenant_id, place.user_id)]
    return [message for page in reversed(pages) for message in page]


def sessions(wire: Wire, user_id: str) -> list[str]:
    """All sessions of a user of the default tenant."""
    pages = _pages(wire, f"{ROOT}/conversations", "", user_id)
    return [each["session_id"] for page in pages for each in page["conversations"]]


def exists(wire: Wire, place: Place) -> bool:
    path = f"{ROOT}/conversations/{place.session_id}/messages"
    return wire.get(path, place.tenant_id, user_id=place.user_id).status_code == 200


def _pages(wire: Wire, path: str, tenant_id: str, user_id: str) -> Iterator[dict[str, Any]]:
    before: dict[str, str | int] = {}
    while True:
        answer = wire.get(path, tenant_id, user_id=user_id, limit=_PAGE, **before)
        wrong = list(undocumented("GET", path, answer.status_code, answer.headers["content-type"], answer.content))
        if answer.status_code != 200 or wrong:
            raise UnreadableError(f"{path} answers {answer.status_code}: {answer.text[:300]} {wrong}")
        page: dict[str, Any] = answer.json()
        yield page
        if not page["next_before"]:
            return
        before = {"before": page["next_before"]}
