"""Chat models behind the OpenAI chat-completions protocol: Ollama, llama.cpp, vLLM and the like."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.answering.prompting.prompt_text import render
from clew.models.event_data import EventData
from clew.models.message_formats import to_openai
from clew.models.openai_errors import NoStreamError, model_error
from clew.models.openai_frames import Reply
from clew.models.openai_server import CONNECT_TIMEOUT, READ_TIMEOUT, OpenAIServer, refuse_error
from clew.models.token_estimate import estimate_usage

if TYPE_CHECKING:
    import httpx

MAX_TOKENS = 2048
"""Of one answer, as for Bedrock."""


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
        self._server = OpenAIServer(base_url, model, api_key, connect_timeout, read_timeout)
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The model's name; ``openai`` as long as the server has not been asked for one."""
        return self._server.name

    @property
    def reads_images(self) -> bool:
        """Servers do not tell; one whose model reads none refuses the request."""
        return True

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
        async with await asyncio.to_thread(self._server.async_client) as client:
            if not self._server.model:
                self._server.take_first_of(await client.get("models"))
            async with client.stream("POST", "chat/completions", json=self._body(messages)) as response:
                if not response.is_success:
                    await response.aread()
                refuse_error(response)
                _refuse_no_stream(response)
                events = EventData()
                async for piece in response.aiter_bytes():
                    for data in events.take(piece):
                        if text := reply.take(data):
                            yield text
        if not reply.complete:
            raise ConnectionError("the stream ended before the answer did")

    def _body(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {
            "model": self._server.model,
            "messages": to_openai(messages),
            "max_tokens": self._max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }


def _refuse_no_stream(response: "httpx.Response") -> None:
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        raise NoStreamError
