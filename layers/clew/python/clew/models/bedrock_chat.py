"""Chat models on Amazon Bedrock, through the Converse API and langchain_aws."""

import contextlib
import threading
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clew.answering.chat_model import Delta, Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.answering.prompting.prompt_text import render
from clew.answering.usage import Usage
from clew.models.bedrock_client import CONNECT_TIMEOUT, bedrock_client
from clew.models.bedrock_errors import model_error
from clew.models.bedrock_exchange import Exchange, make_interruptible
from clew.models.bedrock_models import caches_prompts, reads_images
from clew.models.langchain_messages import langchain, messages_of, stop_reason_of, usage_of
from clew.models.message_formats import to_converse
from clew.models.reading_thread import read_in_thread
from clew.models.token_estimate import estimate_usage

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

READ_TIMEOUT: Final = 120.0
"""Seconds of silence, also before the first piece. botocore's own 60 end a model that thinks first, or one whose
guardrail holds pieces back until it has read them; and botocore would then begin the whole answer anew."""

MAX_TOKENS: Final = 2048
"""Of one answer; a cited answer is a few sentences, so this is what a long list takes."""


@dataclass(frozen=True, slots=True)
class Guardrail:
    """A guardrail of Bedrock by its id or ARN, and which version of it."""

    id: str
    version: str


class BedrockChat:
    """A chat model of Bedrock. ``model_id`` is a model's or inference profile's id, or its ARN.

    Nothing is tried twice. A ``client`` passed in brings its own region, time-outs and retries; the other
    arguments describe the client that is made for the first generation otherwise (see ``bedrock_client``).
    With a ``guardrail``, pieces are sent once it has read them, and an answer that it stops ends with the
    stop reason ``guardrail_intervened``, its text being what the guardrail says in such a case.
    """

    def __init__(
        self,
        model_id: str,
        *,
        client: "BedrockRuntimeClient | None" = None,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        guardrail: Guardrail | None = None,
        max_tokens: int = MAX_TOKENS,
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
    ) -> None:
        self._model_id = model_id
        self._client = client
        self._client_arguments: dict[str, Any] = {
            "region": region,
            "profile": profile,
            "endpoint_url": endpoint_url,
            "connect_timeout": connect_timeout,
            "read_timeout": read_timeout,
            "attempts": 1,
        }
        self._guardrail = guardrail
        self._max_tokens = max_tokens
        self._making = threading.Lock()
        self._converse: Any = None

    @property
    def name(self) -> str:
        return self._model_id

    @property
    def reads_images(self) -> bool:
        return reads_images(self._model_id)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """Stream the answer; usage is estimated where the stream ends without it."""
        messages = render(prompt)
        request = to_converse(messages, cached=caches_prompts(self._model_id))
        exchange = Exchange()
        answer = ""
        usage: Usage | None = None
        stop_reason = "end"
        chunks = read_in_thread(lambda: self._chunks(request, exchange), exchange.cut)
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
                usage = usage_of(chunk) or usage
                stop_reason = stop_reason_of(chunk) or stop_reason
                if text := str(chunk.text):
                    answer += text
                    yield TextDelta(text)
        yield Finished(usage or estimate_usage(messages, answer), stop_reason, self._model_id)

    def _chunks(self, request: dict[str, Any], exchange: Exchange) -> Generator[Any, None, None]:
        """LangChain's message chunks, read in the calling thread."""
        exchange.begins()
        chat = self._chat()
        tools = {"toolConfig": request["toolConfig"]} if "toolConfig" in request else {}
        yield from chat.stream(messages_of(request), **tools)

    def _chat(self) -> Any:
        with self._making:
            if self._converse is None:
                self._converse = self._make_chat()
            return self._converse

    def _make_chat(self) -> Any:
        client = self._client or bedrock_client(**self._client_arguments)
        make_interruptible(client)
        converse_class, provider_of = langchain()
        options: dict[str, Any] = {}
        if self._model_id.startswith("arn:"):
            # Without these two it would refuse the ARN, or ask the control plane which model is behind it.
            model = self._model_id.rpartition("/")[2]
            options |= {"base_model_id": model, "provider": provider_of(model)}
        if self._guardrail:
            options["guardrail_config"] = {
                "guardrailIdentifier": self._guardrail.id,
                "guardrailVersion": self._guardrail.version,
                "trace": "disabled",
                # "async" would send pieces before they have been read.
                "streamProcessingMode": "sync",
            }
        chat = converse_class(
            model=self._model_id,
            **options,
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
