"""Answers as Converse gives them, in one piece."""

import json
from typing import Any

from tests.integration.models.scripted_server import Answer


def using(tool: str, given: Any, stop_reason: str = "tool_use") -> Answer:
    """The model uses ``tool``, after a word that nobody asked for."""
    used = {"toolUse": {"toolUseId": "tooluse_1", "name": tool, "input": given}}
    return answering([{"text": "Let me see."}, used], stop_reason)


def writing(text: str, stop_reason: str = "end_turn") -> Answer:
    return answering([{"text": text}], stop_reason)


def answering(content: Any, stop_reason: str = "end_turn") -> Answer:
    return answer_of(
        {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": stop_reason,
            "usage": {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18},
            "metrics": {"latencyMs": 5},
        }
    )


def answer_of(body: Any) -> Answer:
    return Answer([json.dumps(body).encode()], headers={"Content-Type": "application/json"})


def asked_of(body: Any) -> Any:
    """The one JSON object that a request's one message is."""
    (message,) = body["messages"]
    assert message["role"] == "user"
    (part,) = message["content"]
    return json.loads(part["text"])
