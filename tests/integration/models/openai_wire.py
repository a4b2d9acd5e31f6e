"""How servers of the OpenAI protocol say what the wires of the chat models say: its server-sent events."""

import base64
import json
from typing import Any

from clew.answering.chat_model import ChatModel
from clew.answering.prompting.prompt import ChatMessage, Image, ToolCall
from clew.models.openai_chat import OpenAIChat
from tests.integration.models.scripted_server import Answer, Request, Step

STOP_REASONS = {
    "end": "stop",
    "max_tokens": "length",
    "content_filtered": "content_filter",
    "tool_use": "tool_calls",
}
"""Its words for an answer's end, by Clew's."""


class OpenAIWire:
    model_name = "qwen2.5:7b"
    other_model = "llama3.2:3b"

    def model(self, url: str, read_timeout: float = 30, name: str = "") -> ChatModel:
        return OpenAIChat(f"{url}/v1", name or self.model_name, read_timeout=read_timeout)

    def answer(self, *steps: Step) -> Answer:
        return Answer(
            [self._choice({"role": "assistant", "content": ""}), *steps],
            headers={"Content-Type": "text/event-stream; charset=utf-8"},
        )

    def delta(self, text: str) -> bytes:
        return self._choice({"content": text})

    def end(self, stop_reason: str = "end", cached: tuple[int, int] = (0, 0)) -> list[Step]:
        usage: dict[str, Any] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        if any(cached):
            usage["prompt_tokens_details"] = {"cached_tokens": cached[0], "audio_tokens": 0}
        return [*self._stop(stop_reason), self._frame({"choices": [], "usage": usage}), b"data: [DONE]\n\n"]

    def end_without_usage(self) -> list[Step]:
        return [*self._stop("end"), b"data: [DONE]\n\n"]

    def _stop(self, stop_reason: str) -> list[Step]:
        return [self._choice({}, finish_reason=STOP_REASONS[stop_reason])]

    def malformed(self) -> list[bytes]:
        return [b"data: {not json\n\n", b'data: "a string"\n\n', self._frame({"choices": "none"})]

    def throttled_inside(self) -> bytes:
        return self._frame({"error": {"message": "too many requests", "code": 429}})

    def refusal(self, kind: str, **headers: str) -> Answer:
        status = {"throttled": 429, "unavailable": 503, "denied": 401, "invalid": 400}[kind]
        body = json.dumps({"error": {"message": "a sentence of the server"}}).encode()
        return Answer([body], status, {"Content-Type": "application/json", **headers})

    def asks_for(self, request: Request) -> str:
        return str(request.body["model"])

    def messages(self, body: Any) -> list[ChatMessage]:
        return [self._said(message) for message in body["messages"]]

    def _said(self, message: Any) -> ChatMessage:
        text, images = message["content"] or "", []
        if isinstance(text, list):
            parts, text = text, ""
            for part in parts:
                match part:
                    case {"type": "image_url", "image_url": {"url": url}}:
                        kind, _, data = url.removeprefix("data:").partition(";base64,")
                        images.append(Image(kind, base64.b64decode(data)))
                    case {"type": "text", "text": text}:
                        pass
        functions = [(call["id"], call["function"]) for call in message.get("tool_calls", [])]
        calls = (ToolCall(used, function["name"], function["arguments"]) for used, function in functions)
        return ChatMessage(message["role"], text, tuple(images), tuple(calls), message.get("tool_call_id", ""))

    def asked(self, body: Any) -> list[tuple[str, str]]:
        return [(message.role, message.content) for message in self.messages(body)]

    def _choice(self, delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        return self._frame({"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})

    def _frame(self, content: dict[str, Any]) -> bytes:
        data = json.dumps({"object": "chat.completion.chunk", **content}, ensure_ascii=False)
        return f"data: {data}\n\n".encode()
