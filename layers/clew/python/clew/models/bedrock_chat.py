"""Chat models on Amazon Bedrock, through the Converse API and langchain_aws.

langchain_aws takes over half a second to import and replaces ``boto3.client`` for the whole process
(every client made afterwards would name the framework in its user agent). So it is imported by the
first generation, in the thread that reads it, and boto3 is put back as it was.
"""

import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Generator
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

STOP_REASONS: Final = {"end_turn": "end", "stop_sequence": "end"}
"""Converse's words for an ordinary end; its other stop reasons, such as ``max_tokens``, are passed on."""

CACHE_WRITES: Final = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
"""LangChain's names of the tokens that went into the cache; the first is 0 where one of the others is not."""

_importing = threading.Lock()


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
                usage = _usage(chunk) or usage
                stop_reason = _stop_reason(chunk) or stop_reason
                if text := str(chunk.text):
                    answer += text
                    yield TextDelta(text)
        yield Finished(usage or estimate_usage(messages, answer), stop_reason, self._model_id)

    def _chunks(self, request: dict[str, Any], exchange: Exchange) -> Generator[Any, None, None]:
        """LangChain's message chunks, read in the calling thread."""
        exchange.begins()
        chat = self._chat()
        tools = {"toolConfig": request["toolConfig"]} if "toolConfig" in request else {}
        yield from chat.stream(_langchain_messages(request), **tools)

    def _chat(self) -> Any:
        with self._making:
            if self._converse is None:
                self._converse = self._make_chat()
            return self._converse

    def _make_chat(self) -> Any:
        client = self._client or bedrock_client(**self._client_arguments)
        make_interruptible(client)
        converse_class, provider_of = _langchain()
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


def _langchain_messages(request: dict[str, Any]) -> list[Any]:
    """The messages of a Converse request as LangChain's, whose blocks are Converse's already.

    Calls of tools go beside the blocks: in them, LangChain would rename the arguments.
    """
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    messages: list[Any] = [SystemMessage(content=request["system"])] if "system" in request else []
    for message in request["messages"]:
        if message["role"] == "user":
            messages.append(HumanMessage(content=message["content"]))
            continue
        calls = [block["toolUse"] for block in message["content"] if "toolUse" in block]
        messages.append(
            AIMessage(
                content=[block for block in message["content"] if "toolUse" not in block],
                tool_calls=[{"id": call["toolUseId"], "name": call["name"], "args": call["input"]} for call in calls],
            )
        )
    return messages


def _usage(chunk: Any) -> Usage | None:
    if not chunk.usage_metadata:
        return None
    # Converse counts what the cache took part in beside the input; LangChain adds the three up, as Usage has it.
    details = chunk.usage_metadata.get("input_token_details", {})
    return Usage(
        input_tokens=chunk.usage_metadata["input_tokens"],
        output_tokens=chunk.usage_metadata["output_tokens"],
        cache_read_tokens=details.get("cache_read", 0),
        # What was written is told by how long it is kept, or else in one number.
        cache_write_tokens=sum(details.get(kept, 0) for kept in CACHE_WRITES),
    )


def _stop_reason(chunk: Any) -> str:
    reason = str(chunk.response_metadata.get("stopReason", ""))
    return STOP_REASONS.get(reason, reason)
