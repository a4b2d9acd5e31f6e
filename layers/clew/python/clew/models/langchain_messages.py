"""LangChain's messages, made of a Converse request and read back: nothing else in Clew knows them.

langchain_aws takes over half a second to import and replaces ``boto3.client`` for the whole process
(every client made afterwards would name the framework in its user agent). So it is imported by the
first generation, in the thread that reads it, and boto3 is put back as it was.
"""

import threading
from collections.abc import Callable
from typing import Any, Final

from clew.answering.usage import Usage

STOP_REASONS: Final = {"end_turn": "end", "stop_sequence": "end"}
"""Converse's words for an ordinary end; its other stop reasons, such as ``max_tokens``, are passed on."""

CACHE_WRITES: Final = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
"""LangChain's names of the tokens that went into the cache; the first is 0 where one of the others is not."""

_importing = threading.Lock()


def langchain() -> tuple[Any, Callable[[str], str]]:
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


def messages_of(request: dict[str, Any]) -> list[Any]:
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


def usage_of(chunk: Any) -> Usage | None:
    """What a chunk reports, which is one of the last."""
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


def stop_reason_of(chunk: Any) -> str:
    """Why the answer ends, in the chunk that ends it; empty in the others."""
    reason = str(chunk.response_metadata.get("stopReason", ""))
    return STOP_REASONS.get(reason, reason)
