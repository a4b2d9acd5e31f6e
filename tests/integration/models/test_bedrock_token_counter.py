"""Bedrock's own count of a prompt, against a server that answers as CountTokens does."""

import asyncio
import time

import pytest

from clew.answering.prompting.prompt import ChatMessage
from clew.models.bedrock_token_counter import BedrockTokenCounter, foundation_model
from tests.integration.models.converse import answer_of
from tests.integration.models.scripted_server import SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import BedrockWire

MODEL = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
ASKED = [
    ChatMessage("system", "Answer briefly."),
    ChatMessage("user", "谁导演了《卧虎藏龙》？"),
    ChatMessage("assistant", "李安。"),
    ChatMessage("user", "When?"),
]


async def count(counter: BedrockTokenCounter) -> int | None:
    """The counter blocks and the server lives in this event loop, so the call goes to a thread."""
    return await asyncio.to_thread(counter.count, ASKED)


async def test_the_whole_prompt_is_counted_for_the_model_behind_the_profile(server: ScriptedServer) -> None:
    server.answers = [answer_of({"inputTokens": 41})]
    assert await count(BedrockTokenCounter(MODEL, endpoint_url=server.url)) == 41
    (request,) = server.requests
    assert request.path == "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/count-tokens"
    assert request.body["input"]["converse"] == {
        "system": [{"text": "Answer briefly."}],
        "messages": [
            {"role": "user", "content": [{"text": "谁导演了《卧虎藏龙》？"}]},
            {"role": "assistant", "content": [{"text": "李安。"}]},
            {"role": "user", "content": [{"text": "When?"}]},
        ],
    }


@pytest.mark.parametrize("kind", ["throttled", "unavailable", "invalid"])
async def test_a_model_that_does_not_count_is_asked_once(server: ScriptedServer, kind: str) -> None:
    server.answers = [BedrockWire().refusal(kind), answer_of({"inputTokens": 41})]
    counter = BedrockTokenCounter(MODEL, endpoint_url=server.url)
    assert [await count(counter), await count(counter)] == [None, None]
    assert len(server.requests) == 1


async def test_a_model_that_is_silent_is_not_waited_for(server: ScriptedServer) -> None:
    server.answers = [Answer(headers_after=SILENCE)]
    counter = BedrockTokenCounter(MODEL, endpoint_url=server.url, read_timeout=0.2)
    begun = time.monotonic()
    assert [await count(counter), await count(counter)] == [None, None]
    assert time.monotonic() - begun < 2
    assert len(server.requests) == 1


async def test_a_profile_that_does_not_tell_its_model_is_not_asked(server: ScriptedServer) -> None:
    arn = "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123"
    assert await count(BedrockTokenCounter(arn, endpoint_url=server.url)) is None
    assert server.requests == []


@pytest.mark.parametrize(
    ("given", "model"),
    [
        (MODEL, "anthropic.claude-haiku-4-5-20251001-v1:0"),
        ("us-gov.anthropic.claude-x-v1:0", "anthropic.claude-x-v1:0"),
        ("eu.amazon.nova-lite-v1:0", "amazon.nova-lite-v1:0"),
        ("amazon.nova-lite-v1:0", "amazon.nova-lite-v1:0"),
        ("arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-x-v1:0", "anthropic.claude-x-v1:0"),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x-v1:0", "anthropic.claude-x-v1:0"),
        ("arn:aws:bedrock:us-east-1:1:provisioned-model/abc", ""),
    ],
)
def test_the_model_behind_an_id_or_arn(given: str, model: str) -> None:
    assert foundation_model(given) == model
