"""Chat models behind the OpenAI chat-completions protocol: Ollama, llama.cpp, vLLM and the like."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompt import ChatMessage, Prompt
from clew.answering.prompt_text import render
from clew.errors import ConfigurationError
from clew.models.openai_errors import model_error
from clew.models.openai_frames import ModelList, Reply
from clew.models.token_estimate import estimate_usage

if TYPE_CHECKING:
    import httpx

CONNECT_TIMEOUT = 5.0

READ_TIMEOUT = 120.0
"""Between two reads. Twice Bedrock's: a server on a laptop may have to load the model from disk first."""

MAX_TOKENS = 2048
"""Of one answer, as for Bedrock."""

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")

logger = logging.getLogger(__name__)


class OpenAIChat:
    """A chat model served at ``base_url``, which as a rule ends in ``/v1``.

    Without a ``model`` the first that the server lists is used, asked for at the first generation.
    Time-outs are in seconds, the second one between two reads. Nothing is tried twice.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        api_key: str = "",
        *,
        max_tokens: int = MAX_TOKENS,
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ConfigurationError("Setting CLEW_OPENAI_BASE_URL: give a URL such as http://127.0.0.1:11434/v1.")
        self._base_url = base_url.rstrip("/")
        self._secure = url.scheme == "https"
        self._local = url.hostname in LOCAL_HOSTS
        self._model = model
        self._api_key = api_key
        self._max_tokens = max_tokens
        self._connect_timeout = connect_timeout
        self._read_timeout = read_timeout
        self._tls: ssl.SSLContext | None = None

    @property
    def name(self) -> str:
        """The model's name; ``openai`` as long as the server has not been asked for one."""
        return self._model or "openai"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """Stream the answer; usage is estimated where the server sends none."""
        messages = render(prompt)
        reply = Reply()
        async with contextlib.aclosing(self._pieces(messages, reply)) as pieces:
            while True:
                started = bool(reply.text)
                try:
                    text = await anext(pieces)
                except StopAsyncIteration:
                    break
                except Exception as exc:  # httpx raises more than its HTTPError; the protocol allows none of it
                    raise model_error(exc, self.name, started) from exc
                yield TextDelta(text)
        yield Finished(reply.usage or estimate_usage(messages, reply.text), reply.stop_reason, self.name)

    async def _pieces(self, messages: list[ChatMessage], reply: Reply) -> AsyncGenerator[str, None]:
        """The answer's pieces, none of them empty, as they arrive."""
        # In a thread: httpx takes a third of a second to import, a TLS context another tenth.
        async with await asyncio.to_thread(self._client) as client:
            if not self._model:
                self._model = await _first_model(client)
            async with client.stream("POST", "chat/completions", json=self._body(messages)) as response:
                await _refuse_error(response)
                async with contextlib.aclosing(_events(response)) as events:
                    async for data in events:
                        if text := reply.take(data):
                            yield text
        if not reply.complete:
            raise ConnectionError("the stream ended before the answer did")

    def _body(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": self._max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def _client(self) -> "httpx.AsyncClient":
        """A client for one generation: httpx ties one to its event loop, and the connection is cheap."""
        import httpx

        if self._secure and self._tls is None:
            self._tls = httpx.create_ssl_context()
        return httpx.AsyncClient(
            base_url=self._base_url,
            headers={"Authorization": f"Bearer {self._api_key}"} if self._api_key else {},
            timeout=httpx.Timeout(self._read_timeout, connect=self._connect_timeout),
            # Without TLS no certificates need loading, which takes longer than the request.
            verify=self._tls or False,
            # A proxy from the environment would not find this machine's own servers.
            trust_env=not self._local,
        )


async def _events(response: "httpx.Response") -> AsyncGenerator[str, None]:
    """The data of each server-sent event."""
    from httpx_sse import EventSource

    async with contextlib.aclosing(EventSource(response).aiter_sse()) as events:
        async for event in events:
            if event.data:
                yield event.data


async def _first_model(client: "httpx.AsyncClient") -> str:
    response = await client.get("models")
    if response.status_code == 429 or response.status_code >= 500:
        response.raise_for_status()
    try:
        model = ModelList.model_validate_json(response.content).first() if response.is_success else ""
    except ValidationError:
        model = ""
    if not model:
        raise ConfigurationError("Set CLEW_OPENAI_MODEL: the model server does not say which models it has.")
    return model


async def _refuse_error(response: "httpx.Response") -> None:
    if not response.is_success:
        # The server's own words may repeat the prompt, so they go no further than this.
        logger.debug("model server answered %s: %.500r", response.status_code, await response.aread())
        response.raise_for_status()
