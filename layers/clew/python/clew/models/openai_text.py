"""A language model behind the OpenAI chat-completions protocol that is asked once, without a stream."""

import re
from typing import Any

from pydantic import BaseModel, Field

from clew.errors import ModelError
from clew.models.openai_errors import model_error
from clew.models.openai_server import CONNECT_TIMEOUT, READ_TIMEOUT, OpenAIServer, refuse_error
from clew.text.inert_text import inert

# Models that think aloud put it before their answer; one that is cut off while it thinks has none.
_THOUGHT = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class OpenAIText:
    """Asks one model, as ``OpenAIChat`` does: without a ``model`` the first that the server lists.

    Time-outs are in seconds, the second one until the answer comes. Nothing is tried twice.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        api_key: str = "",
        *,
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
    ) -> None:
        self._server = OpenAIServer(base_url, model, api_key, connect_timeout, read_timeout)

    def write(self, system: str, message: str, max_tokens: int) -> str:
        try:
            text = self._completed(system, message, max_tokens)
        except Exception as exc:  # httpx raises more than its HTTPError
            raise model_error(exc, self._server.name, started=False) from exc
        if not text:
            raise ModelError(f"The model {self._server.name!r} answered with no text.")
        return text

    def _completed(self, system: str, message: str, max_tokens: int) -> str:
        with self._server.client() as client:
            if not self._server.model:
                self._server.take_first_of(client.get("models"))
            response = client.post("chat/completions", json=self._body(system, message, max_tokens))
        refuse_error(response)
        completion = _Completion.model_validate_json(response.content)
        return _THOUGHT.sub("", completion.choices[0].message.content or "").strip()

    def _body(self, system: str, message: str, max_tokens: int) -> dict[str, Any]:
        return {
            "model": self._server.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": inert(message)}],
            "max_tokens": max_tokens,
            "temperature": 0,
        }
