"""Chat models on Amazon Bedrock, through the Converse API and langchain_aws.

langchain_aws takes over half a second to import and replaces ``boto3.client`` for the whole process
(every client made afterwards would name the framework in its user agent). So it is imported by the
first generation, in the thread that reads it, and boto3 is put back as it was.
"""

import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import ChatMessage, Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.usage import Usage
from clew.models.bedrock_client import ATTEMPTS, CONNECT_TIMEOUT, READ_TIMEOUT, bedrock_client
from clew.models.bedrock_errors import model_error
from clew.models.reading_thread import read_in_thread
from clew.models.token_estimate import estimate_usage

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

MAX_TOKENS = 2048
"""Of one answer; a cited answer is a few sentences, so this is what a long list takes."""

STOP_REASONS = {"end_turn": "end", "stop_sequence": "end"}
"""Converse's words for an ordinary end; its other stop reasons, such as ``max_tokens``, are passed on."""

_importing = threading.Lock()


class BedrockChat:
    """A chat model of Bedrock. ``model_id`` is a model's or inference profile's id, or its ARN.

    A ``client`` passed in brings its own region, time-outs and retries; the other arguments describe
    the client that is made for the first generation otherwise (see ``bedrock_client``).
    """

    def __init__(
        self,
        model_id: str,
        *,
        client: "BedrockRuntimeClient | None" = None,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        max_tokens: int = MAX_TOKENS,
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._model_id = model_id
        self._client = client
        self._client_arguments: dict[str, Any] = {
            "region": region,
            "profile": profile,
            "endpoint_url": endpoint_url,
            "connect_timeout": connect_timeout,
            "read_timeout": read_timeout,
            "attempts": attempts,
        }
        self._max_tokens = max_tokens
        self._making = threading.Lock()
        self._converse: Any = None

    @property
    def name(self) -> str:
        return self._model_id

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """Stream the answer; usage is estimated where the stream ends without it."""
        messages = render(prompt)
        response = _Response()
        answer = ""
        usage: Usage | None = None
        stop_reason = "end"
        chunks = read_in_thread(lambda: self._chunks(messages, response), response.cut)
        async with contextlib.aclosing(chunks):
            while True:
                try:
                    chunk = await anext(chunks)
                except StopAsyncIteration:
                    break
                except Exception as exc:
                    # langchain_aws raises what its parsing stumbles on (KeyError, ValueError, …) beside
                    # botocore's and urllib3's errors; the protocol allows none of them.
                    raise model_error(exc, self._model_id, started=bool(answer)) from exc
                usage = _usage(chunk) or usage
                stop_reason = _stop_reason(chunk) or stop_reason
                if text := str(chunk.text):
                    answer += text
                    yield TextDelta(text)
        yield Finished(usage or estimate_usage(messages, answer), stop_reason, self._model_id)

    def _chunks(self, messages: list[ChatMessage], response: "_Response") -> Generator[Any, None, None]:
        """LangChain's message chunks, read in the calling thread."""
        _current_response.set(response)
        yield from self._chat().stream([(message.role, message.content) for message in messages])

    def _chat(self) -> Any:
        with self._making:
            if self._converse is None:
                self._converse = self._make_chat()
            return self._converse

    def _make_chat(self) -> Any:
        client = self._client or bedrock_client(**self._client_arguments)
        client.meta.events.register(
            "after-call.bedrock-runtime.ConverseStream", _note_response, unique_id="clew-note-response"
        )
        converse_class, provider_of = _langchain()
        behind_arn: dict[str, str] = {}
        if self._model_id.startswith("arn:"):
            # Without these two it would refuse the ARN, or ask the control plane which model is behind it.
            model = self._model_id.rpartition("/")[2]
            behind_arn = {"base_model_id": model, "provider": provider_of(model)}
        chat = converse_class(
            model=self._model_id,
            **behind_arn,
            client=client,
            # The client for the control plane, which is never called: spares making one.
            bedrock_client=client,
            max_tokens=self._max_tokens,
            disable_streaming=False,
        )
        # It streams only models on its own list, would send the answers of newer ones in one piece,
        # and for an application's inference profile ignores what it was told above.
        chat.disable_streaming = False
        return chat


class _Response:
    """The HTTP response of one generation, so that reading it can be ended from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._raw: Any = None
        self._cut = False

    def arrived(self, raw: Any) -> None:
        """Called by the reading thread once the headers are there."""
        with self._lock:
            self._raw = raw
            if self._cut:
                self._shut_down()

    def cut(self) -> None:
        """End the reading: a read that waits returns at once, and so does one that begins later."""
        with self._lock:
            self._cut = True
            if self._raw is not None:
                self._shut_down()

    def _shut_down(self) -> None:
        # Closing would wait for the read that is to be ended; shutting the socket down wakes it.
        # All three errors: the response has been read to its end meanwhile and the connection given back.
        with contextlib.suppress(ValueError, RuntimeError, OSError):
            self._raw.shutdown()


_current_response: ContextVar[_Response | None] = ContextVar("_current_response", default=None)


def _note_response(http_response: Any, **_: Any) -> None:
    """botocore's after-call hook; it runs in the thread, hence the context, that made the call."""
    if response := _current_response.get():
        response.arrived(http_response.raw)


def _langchain() -> tuple[Any, Callable[[str], str]]:
    """``ChatBedrockConverse`` and its reading of model ids, imported with boto3 left as it was."""
    import boto3

    with _importing:
        client, session_client = boto3.client, boto3.session.Session.client
        try:
            from langchain_aws import ChatBedrockConverse
            from langchain_aws.utils import parse_model_provider
        finally:
            boto3.client = client
            boto3.session.Session.client = session_client  # type: ignore[method-assign]
    return ChatBedrockConverse, parse_model_provider


def _usage(chunk: Any) -> Usage | None:
    if not chunk.usage_metadata:
        return None
    return Usage(
        input_tokens=chunk.usage_metadata["input_tokens"],
        output_tokens=chunk.usage_metadata["output_tokens"],
    )


def _stop_reason(chunk: Any) -> str:
    reason = str(chunk.response_metadata.get("stopReason", ""))
    return STOP_REASONS.get(reason, reason)
