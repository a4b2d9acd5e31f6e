"""A client of the HTTP service, as a front end would write it."""

import json
import re
import uuid
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx
from httpx_sse import connect_sse

ROOT = "/api/v1"
PROBLEM = "application/problem+json"
TIMEOUT = httpx.Timeout(90.0, connect=5.0)


@dataclass(frozen=True)
class Answer:
    """All events of one stream."""

    events: tuple[dict[str, Any], ...]

    @property
    def text(self) -> str:
        return "".join(event["content"] for event in self.events if event["status"] == "token")

    @property
    def last(self) -> dict[str, Any]:
        return self.events[-1]

    @property
    def done(self) -> dict[str, Any]:
        assert self.last["status"] == "done", self.last
        content: dict[str, Any] = self.last["content"]
        return content

    @property
    def cited_documents(self) -> set[str]:
        return {citation["document_id"] for citation in self.done["citations"]}

    def statuses(self) -> list[str]:
        return [event["status"] for event in self.events]


def marks(text: str) -> list[int]:
    """The numbers that ``text`` cites, each once, in order."""
    return sorted({int(number) for number in re.findall(r"\[(\d+)\]", text)})


class Client:
    """One user's requests; ``tenant_id`` empty is the default tenant."""

    def __init__(self, url: str, *, user_id: str, tenant_id: str = "") -> None:
        self.url = url + ROOT
        self.user_id = user_id
        headers = {"X-Tenant-Id": tenant_id} if tenant_id else {}
        # trust_env=False: a proxy in the shell has no business with loopback.
        self._http = httpx.Client(headers=headers, timeout=TIMEOUT, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._http.close()

    def body(self, message: str, session_id: str = "", **options: Any) -> dict[str, Any]:
        return {"user_id": self.user_id, "session_id": session_id or new_session(), "message": message, **options}

    def stream(self, message: str, session_id: str = "", **options: Any) -> Answer:
        """Ask over server-sent events; every stream is checked to begin and end as the contract says."""
        with connect_sse(
            self._http, "POST", f"{self.url}/chat/stream", json=self.body(message, session_id, **options)
        ) as source:
            source.response.raise_for_status()
            answer = Answer(tuple(json.loads(event.data) for event in source.iter_sse()))
        statuses = answer.statuses()
        assert statuses[0] == "start"
        assert [status for status in statuses if status in ("done", "error")] == statuses[-1:]
        return answer

    def chat(self, message: str, session_id: str = "", **options: Any) -> dict[str, Any]:
        response = self.post("/chat", self.body(message, session_id, **options))
        assert response.status_code == 200, response.text
        collected: dict[str, Any] = response.json()
        return collected

    def messages(self, session_id: str, **query: Any) -> dict[str, Any]:
        response = self.get(f"/conversations/{session_id}/messages", **query)
        assert response.status_code == 200, response.text
        page: dict[str, Any] = response.json()
        return page

    def sessions(self) -> list[str]:
        return [each["session_id"] for each in self.get("/conversations").json()["conversations"]]

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self._http.get(self.url + path, params={"user_id": self.user_id, **query})

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self._http.post(self.url + path, json=body)

    def send(self, method: str, path: str, content: bytes = b"", content_type: str = "application/json"):
        return self._http.request(method, self.url + path, content=content, headers={"content-type": content_type})


def new_session() -> str:
    return f"s-{uuid.uuid4().hex[:16]}"


def problem(response: httpx.Response) -> tuple[int, str]:
    """The status and the type of a problem document, without the prefix that all types share."""
    assert response.headers["content-type"] == PROBLEM, response.text
    document = response.json()
    assert document["status"] == response.status_code
    assert document["title"]
    assert document["detail"]
    return response.status_code, document["type"].removeprefix("urn:clew:problem:")
