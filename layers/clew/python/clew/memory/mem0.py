"""Long-term memory by mem0's HTTP API: the hosted platform, or a server of one's own.

Both extract facts from what is said by a model of theirs and find them again by meaning. They differ in paths, in
how a key is sent and in where a search names its user.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from clew.conversation.message import Message
from clew.errors import ConfigurationError
from clew.memory.long_term import LongTermMemoryError
from clew.text.citation_marks import without_marks

if TYPE_CHECKING:
    from urllib3 import PoolManager

RECALL_SECONDS: Final = 1.5  # an answer waits for it
REMEMBER_SECONDS: Final = 10.0  # nobody waits, and a server of one's own asks its model before it answers
FACTS: Final = 5
QUESTION_CHARACTERS: Final = 1_000

_ADDRESS = re.compile(r"https?://[^/?#\s]+(/[^?#\s]*)?")


@dataclass(frozen=True, slots=True)
class _Api:
    """One of the two: ``key`` is the header that an API key is sent in, ``key_format`` how."""

    add: str
    search: str
    key: str
    key_format: str
    user_beside_filters: bool


_PLATFORM: Final = _Api("/v3/memories/add/", "/v3/memories/search/", "Authorization", "Token {}", False)
# Versions before 1.0 know no filters for users, later ones want nothing but filters; they take both.
_SERVER: Final = _Api("/memories", "/search", "X-API-Key", "{}", True)


class Mem0:
    """Facts about users, kept by mem0 at ``url``; safe to share between threads.

    ``platform`` tells which API is spoken there; without it the address does. ``api_key`` is asked when a key is
    first needed, and gives the empty text where none is. A user's facts are filed under tenant and user together.
    Both methods raise LongTermMemoryError and never try again.
    """

    def __init__(
        self,
        url: str,
        api_key: Callable[[], str] = lambda: "",
        *,
        platform: bool | None = None,
        recall_seconds: float = RECALL_SECONDS,
        remember_seconds: float = REMEMBER_SECONDS,
    ) -> None:
        if not _ADDRESS.fullmatch(url):
            raise ConfigurationError(f"Setting CLEW_MEM0_URL: {url[:140]!r} is not an address such as https://host.")
        host = urlsplit(url).hostname or ""
        on_platform = host == "mem0.ai" or host.endswith(".mem0.ai") if platform is None else platform
        self._api = _PLATFORM if on_platform else _SERVER
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._recall_seconds = recall_seconds
        self._remember_seconds = remember_seconds

    def recall(self, tenant_id: str, user_id: str, question: str) -> tuple[str, ...]:
        """At most five facts about the user that bear on ``question``, best first."""
        user = _user(tenant_id, user_id)
        asked = {"query": question[:QUESTION_CHARACTERS], "filters": {"user_id": user}, "top_k": FACTS}
        if self._api.user_beside_filters:
            asked["user_id"] = user
        return _facts(self._post(self._api.search, asked, self._recall_seconds))

    def remember(self, tenant_id: str, user_id: str, messages: Sequence[Message]) -> None:
        said = [
            {"role": message.role, "content": without_marks(message.content)}
            for message in messages
            if message.role in ("user", "assistant")
        ]
        if said:
            self._post(self._api.add, {"messages": said, "user_id": _user(tenant_id, user_id)}, self._remember_seconds)

    def _post(self, path: str, body: dict[str, Any], seconds: float) -> Any:
        from urllib3.exceptions import HTTPError
        from urllib3.util import Timeout

        try:
            response = self._pool.request(
                "POST",
                self._url + path,
                body=json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
                headers=self._headers,
                timeout=Timeout(total=seconds),
                retries=False,
                redirect=False,
            )
        except HTTPError as error:
            raise LongTermMemoryError(f"mem0 does not answer ({type(error).__name__}).") from error
        if not 200 <= response.status < 300:
            raise LongTermMemoryError(f"mem0 refused a request ({response.status}).")
        try:
            return json.loads(response.data)
        except ValueError as error:
            raise LongTermMemoryError("mem0 answered with what is no JSON.") from error

    @cached_property
    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "clew"}
        key = self._api_key()
        return headers | ({self._api.key: self._api.key_format.format(key)} if key else {})

    @cached_property
    def _pool(self) -> "PoolManager":
        import urllib3

        return urllib3.PoolManager(maxsize=4)


def _user(tenant_id: str, user_id: str) -> str:
    """One name for a tenant's user; ids hold no slash, so no two pairs share one."""
    return f"{tenant_id}/{user_id}"


def _facts(answer: Any) -> tuple[str, ...]:
    """The texts of a search's results, which early versions give bare."""
    results = answer.get("results") if isinstance(answer, dict) else answer
    if not isinstance(results, list):
        raise LongTermMemoryError("mem0 answered a search with something else than results.")
    texts = [result.get("memory") for result in results if isinstance(result, dict)]
    facts = [" ".join(text.split()) for text in texts if isinstance(text, str)]
    return tuple(dict.fromkeys(filter(None, facts)))[:FACTS]
