"""Chat messages as each provider wants them: Bedrock's Converse, and the OpenAI protocol.

What both would refuse is settled once, for both: there is one system text and it comes first; blank texts are
left out; pictures go with what a user says; and the answer of a tool goes with the call that it answers or not
at all, since the window over a conversation may begin between the two.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from clew.answering.prompting.prompt import ChatMessage, Image, ToolCall

NOTHING: Final = "(nothing)"
"""What a tool answered that answered with a blank text, which Converse refuses."""

CACHE_POINT: Final = {"cachePoint": {"type": "default"}}

Block = dict[str, Any]


def to_converse(messages: Iterable[ChatMessage], *, cached: bool = False) -> dict[str, Any]:
    """``messages``, and ``system`` and ``toolConfig`` where need be, as Converse and CountTokens take them.

    A tool's answer is part of a user's message there, and user and assistant take turns. With ``cached``, what
    was sent up to the system text's end and up to the last message is marked to be kept by the provider.
    """
    system: list[Block] = []
    spoken: list[dict[str, Any]] = []
    tools: dict[str, Block] = {}
    for message in _sendable(messages):
        if message.role == "system":
            system.append({"text": message.content})
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if not spoken or spoken[-1]["role"] != role:
            spoken.append({"role": role, "content": []})
        spoken[-1]["content"] += _converse_blocks(message)
        tools |= {call.name: _converse_tool(call.name) for call in message.tool_calls}
    if cached:
        _mark(system, spoken)
    request: dict[str, Any] = {"messages": spoken}
    if system:
        request["system"] = system
    if tools:
        request["toolConfig"] = {"tools": list(tools.values())}
    return request


def to_openai(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """``messages`` of a chat-completions request."""
    return [_openai_message(message) for message in _sendable(messages)]


def _sendable(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    given = list(messages)
    system = "\n\n".join(each.content for each in given if each.role == "system" and each.content.strip())
    kept = [ChatMessage("system", system)] if system else []
    spoken = [each for each in given if each.role != "system"]
    waiting: set[str] = set()
    for place, message in enumerate(spoken):
        if message.role == "tool":
            if message.tool_call_id in waiting:
                waiting.discard(message.tool_call_id)
                kept.append(message)
            continue
        calls = _answered(message.tool_calls, spoken[place + 1 :]) if message.role == "assistant" else ()
        waiting = {call.id for call in calls}
        images = message.images if message.role == "user" else ()
        if message.content.strip() or images or calls:
            kept.append(replace(message, images=images, tool_calls=calls))
    return kept


def _answered(calls: tuple[ToolCall, ...], after: Sequence[ChatMessage]) -> tuple[ToolCall, ...]:
    """Those of ``calls`` that the tools' messages right after them answer."""
    answers: set[str] = set()
    for message in after:
        if message.role != "tool":
            break
        answers.add(message.tool_call_id)
    return tuple(call for call in calls if call.id in answers)


def _mark(system: list[Block], spoken: list[dict[str, Any]]) -> None:
    """Add the cache points: the system text is the same for all, and the conversation so far for its next turn.

    The last message belongs to one question alone. Nova refuses a cache point after the blocks of tools.
    """
    if system:
        system.append(CACHE_POINT)
    if len(spoken) > 1:
        content = spoken[-2]["content"]
        if not any("toolUse" in block or "toolResult" in block for block in content):
            content.append(CACHE_POINT)


def _converse_blocks(message: ChatMessage) -> list[Block]:
    if message.role == "tool":
        answered = {"toolUseId": message.tool_call_id, "content": [{"text": message.content.strip() or NOTHING}]}
        return [{"toolResult": answered}]
    blocks = [_converse_image(image) for image in message.images]
    if message.content.strip():
        blocks.append({"text": message.content})
    for call in message.tool_calls:
        blocks.append({"toolUse": {"toolUseId": call.id, "name": call.name, "input": _arguments(call)}})
    return blocks


def _converse_image(image: Image) -> Block:
    return {"image": {"format": image.media_type.removeprefix("image/"), "source": {"bytes": image.data}}}


def _converse_tool(name: str) -> Block:
    """A tool that is not offered, but declared: Converse takes no calls in a conversation without declarations."""
    described = "Called earlier in this conversation. Do not call it again."
    return {"toolSpec": {"name": name, "description": described, "inputSchema": {"json": {"type": "object"}}}}


def _openai_message(message: ChatMessage) -> dict[str, Any]:
    match message.role:
        case "tool":
            answer = message.content.strip() or NOTHING
            return {"role": "tool", "tool_call_id": message.tool_call_id, "content": answer}
        case "assistant" if message.tool_calls:
            calls = [_openai_call(call) for call in message.tool_calls]
            return {"role": "assistant", "content": message.content.strip() or None, "tool_calls": calls}
        case "user" if message.images:
            content = [_openai_image(image) for image in message.images]
            if message.content.strip():
                content.append({"type": "text", "text": message.content})
            return {"role": "user", "content": content}
        case role:
            return {"role": role, "content": message.content}


def _openai_call(call: ToolCall) -> dict[str, Any]:
    arguments = json.dumps(_arguments(call), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _openai_image(image: Image) -> dict[str, Any]:
    data = base64.b64encode(image.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}


def _arguments(call: ToolCall) -> dict[str, Any]:
    """The call's arguments; none where a model wrote what is no JSON object, which both would refuse."""
    try:
        read = json.loads(call.arguments)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
