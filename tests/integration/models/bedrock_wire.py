"""How Bedrock says what the wires of the chat models say: ConverseStream's event stream."""

import base64
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from clew.answering.chat_model import ChatModel
from clew.answering.prompting.prompt import ChatMessage, Image, ToolCall
from clew.models.bedrock_chat import BedrockChat
from tests.integration.models import eventstream
from tests.integration.models.scripted_server import Answer, Request, Step

STOP_REASONS = {
    "end": "end_turn",
    "max_tokens": "max_tokens",
    "content_filtered": "content_filtered",
    "tool_use": "tool_use",
    "guardrail_intervened": "guardrail_intervened",
}
"""Its words for an answer's end, by Clew's."""


class BedrockWire:
    model_name = "anthropic.claude-haiku-4-5-20251001-v1:0"
    other_model = "amazon.nova-lite-v1:0"

    def model(self, url: str, read_timeout: float = 30, name: str = "") -> ChatModel:
        return BedrockChat(name or self.model_name, endpoint_url=url, read_timeout=read_timeout)

    def answer(self, *steps: Step) -> Answer:
        start = eventstream.event("messageStart", {"role": "assistant"})
        return Answer([start, *steps], headers={"Content-Type": eventstream.CONTENT_TYPE})

    def delta(self, text: str) -> bytes:
        return eventstream.event("contentBlockDelta", {"delta": {"text": text}, "contentBlockIndex": 0})

    def end(self, stop_reason: str = "end", cached: tuple[int, int] = (0, 0)) -> list[Step]:
        read, written = cached
        usage = {"inputTokens": 11 - read - written, "outputTokens": 7, "totalTokens": 18}
        if any(cached):
            usage |= {"cacheReadInputTokens": read, "cacheWriteInputTokens": written}
        metadata = eventstream.event("metadata", {"usage": usage, "metrics": {"latencyMs": 5}})
        return [*self._stop(stop_reason), metadata]

    def end_without_usage(self) -> list[Step]:
        return self._stop("end")

    def _stop(self, stop_reason: str) -> list[Step]:
        return [
            eventstream.event("contentBlockStop", {"contentBlockIndex": 0}),
            eventstream.event("messageStop", {"stopReason": STOP_REASONS[stop_reason]}),
        ]

    def malformed(self) -> list[bytes]:
        no_json = {":event-type": "contentBlockDelta", ":message-type": "event"}
        return [
            eventstream.corrupted(self.delta("a piece whose checksum does not fit")),
            eventstream.frame(no_json, b"{not json"),
            b"HTTP is not an event stream, whatever its length",
        ]

    def throttled_inside(self) -> bytes:
        return eventstream.failure("throttlingException", "Too many tokens, please wait.")

    def refusal(self, kind: str, **headers: str) -> Answer:
        status, code = {
            "throttled": (429, "ThrottlingException"),
            "unavailable": (503, "ServiceUnavailableException"),
            "denied": (403, "AccessDeniedException"),
            "invalid": (400, "ValidationException"),
        }[kind]
        body = json.dumps({"message": "a sentence of the service"}).encode()
        return Answer([body], status, {"Content-Type": "application/json", "x-amzn-ErrorType": code, **headers})

    def asks_for(self, request: Request) -> str:
        return unquote(request.path.split("/")[2])

    def messages(self, body: Any) -> list[ChatMessage]:
        system = [ChatMessage("system", block["text"]) for block in body["system"] if "text" in block]
        return [*system, *(each for message in body["messages"] for each in self._said(message))]

    def _said(self, message: Any) -> Iterator[ChatMessage]:
        """A message of Converse, which may hold what tools answered and what the user said then."""
        text, images, calls = "", [], []
        for block in message["content"]:
            match block:
                case {"toolResult": {"toolUseId": used, "content": [{"text": answer}]}}:
                    yield ChatMessage("tool", answer, tool_call_id=used)
                case {"toolUse": {"toolUseId": used, "name": name, "input": given}}:
                    calls.append(ToolCall(used, name, json.dumps(given, ensure_ascii=False)))
                case {"image": {"format": kind, "source": {"bytes": data}}}:
                    images.append(Image(f"image/{kind}", base64.b64decode(data)))  # type: ignore[arg-type]
                case {"text": text}:
                    pass
                case {"cachePoint": {"type": "default"}}:
                    pass
                case other:
                    raise AssertionError(f"not a block that is sent: {other}")
        if text or images or calls:
            yield ChatMessage(message["role"], text, images=tuple(images), tool_calls=tuple(calls))

    def asked(self, body: Any) -> list[tuple[str, str]]:
        return [(message.role, message.content) for message in self.messages(body)]
