"""What is Bedrock's own: cache points, guardrails, ARNs, and what langchain_aws does to boto3."""

import asyncio
import ssl
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import boto3
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import ChatMessage, Prompt, ToolCall
from clew.answering.usage import Usage
from clew.models.bedrock_chat import BedrockChat, Guardrail
from clew.models.bedrock_client import bedrock_client
from clew.models.reading_thread import THREAD_NAME
from tests.integration.models import eventstream
from tests.integration.models.chat import collect, finish_of
from tests.integration.models.scripted_server import SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import BedrockWire

WIRE = BedrockWire()
PROFILE_ARN = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4"


async def test_the_conversation_so_far_is_marked_to_be_cached_and_the_question_is_not(
    server: ScriptedServer, prompt: Prompt
) -> None:
    spoken = ChatMessage("user", "Hello."), ChatMessage("assistant", "Hello!")
    server.answers = [WIRE.answer(*WIRE.end())] * 2
    for history in (spoken, ()):
        await collect(WIRE.model(server.url).stream(replace(prompt, history=history)))
    told, alone = (request.body for request in server.requests)
    assert [list(block) for block in told["system"]] == [["text"], ["cachePoint"]]
    marked = [[list(block) for block in message["content"]] for message in told["messages"]]
    assert marked == [[["text"]], [["text"], ["cachePoint"]], [["text"]]]
    assert [list(block) for block in alone["messages"][0]["content"]] == [["text"]]


@pytest.mark.parametrize("model_id", ["anthropic.claude-3-haiku-20240307-v1:0", "meta.llama3-1-8b-instruct-v1:0"])
async def test_a_model_without_a_cache_is_sent_no_cache_point(
    server: ScriptedServer, prompt: Prompt, model_id: str
) -> None:
    server.answers = [WIRE.answer(*WIRE.end())]
    await collect(WIRE.model(server.url, name=model_id).stream(prompt))
    assert "cachePoint" not in str(server.requests[0].body)


async def test_what_is_written_to_the_cache_is_reported_however_long_it_is_kept(
    server: ScriptedServer, prompt: Prompt
) -> None:
    told = {"inputTokens": 2, "outputTokens": 7, "totalTokens": 18, "cacheReadInputTokens": 4}
    told |= {"cacheWriteInputTokens": 5, "cacheDetails": [{"ttl": "5m", "inputTokens": 5}]}
    by_ttl = [*WIRE.end()[:-1], eventstream.event("metadata", {"usage": told, "metrics": {"latencyMs": 5}})]
    server.answers = [WIRE.answer(*WIRE.end(cached=(4, 5))), WIRE.answer(*by_ttl)]
    for _ in range(2):
        usage = (await finish_of(WIRE.model(server.url).stream(prompt))).usage
        assert usage == Usage(input_tokens=11, output_tokens=7, cache_read_tokens=4, cache_write_tokens=5)


async def test_a_guardrail_reads_the_answer_before_it_is_sent_and_says_that_it_intervened(
    server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [
        WIRE.answer(WIRE.delta("Sorry, no."), *WIRE.end("guardrail_intervened")),
        WIRE.answer(*WIRE.end()),
    ]
    guarded = BedrockChat(WIRE.model_name, endpoint_url=server.url, guardrail=Guardrail("gr4rd", "3"))
    deltas = await collect(guarded.stream(prompt))
    assert deltas[0] == TextDelta("Sorry, no.")
    assert isinstance(deltas[-1], Finished)
    assert deltas[-1].stop_reason == "guardrail_intervened"
    await collect(WIRE.model(server.url).stream(prompt))
    assert [request.body.get("guardrailConfig") for request in server.requests] == [
        {
            "guardrailIdentifier": "gr4rd",
            "guardrailVersion": "3",
            "trace": "disabled",
            "streamProcessingMode": "sync",
        },
        None,
    ]


async def test_tools_of_the_history_are_declared_since_converse_wants_that(
    server: ScriptedServer, prompt: Prompt
) -> None:
    called = ChatMessage("assistant", "", tool_calls=(ToolCall("t1", "search_films", '{"kb_prefix": "movie"}'),))
    history = (ChatMessage("user", "Look it up."), called, ChatMessage("tool", "Nolan", tool_call_id="t1"))
    server.answers = [WIRE.answer(*WIRE.end())]
    await collect(WIRE.model(server.url).stream(replace(prompt, history=history)))
    body = server.requests[0].body
    assert [tool["toolSpec"]["name"] for tool in body["toolConfig"]["tools"]] == ["search_films"]
    (used,) = body["messages"][1]["content"]
    assert used["toolUse"]["input"] == {"kb_prefix": "movie"}


async def test_a_client_can_be_passed_in(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(WIRE.delta("Nolan"), *WIRE.end())]
    model = BedrockChat(WIRE.model_name, client=bedrock_client(endpoint_url=server.url))
    assert await anext(model.stream(prompt)) == TextDelta("Nolan")


@pytest.mark.parametrize(
    "model_id",
    [
        PROFILE_ARN,
        "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0",
        "newprovider.some-model-v1:0",
    ],
)
async def test_arns_and_unknown_models_are_streamed_without_asking_the_control_plane(
    server: ScriptedServer, prompt: Prompt, model_id: str
) -> None:
    gate = asyncio.Event()
    server.answers = [WIRE.answer(WIRE.delta("Chris"), gate, *WIRE.end())]
    stream = BedrockChat(model_id, endpoint_url=server.url).stream(prompt)
    assert await anext(stream) == TextDelta("Chris")
    gate.set()
    assert [delta async for delta in stream][-1].model == model_id
    assert [request.path.endswith("/converse-stream") for request in server.requests] == [True]


async def test_reasoning_is_not_part_of_the_answer(server: ScriptedServer, prompt: Prompt) -> None:
    thought = {"delta": {"reasoningContent": {"text": "The user asks…"}}, "contentBlockIndex": 0}
    server.answers = [WIRE.answer(eventstream.event("contentBlockDelta", thought), WIRE.delta("Nolan"), *WIRE.end())]
    deltas = [delta async for delta in WIRE.model(server.url).stream(prompt)]
    assert deltas[:-1] == [TextDelta("Nolan")]
    assert isinstance(deltas[-1], Finished)


async def test_boto3_is_left_as_it_was(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(*WIRE.end())]
    assert [type(delta) async for delta in WIRE.model(server.url).stream(prompt)] == [Finished]
    assert boto3.client.__module__ == "boto3"
    assert boto3.session.Session.client.__module__ == "boto3.session"
    assert "langchain" not in boto3.client("sts").meta.config.user_agent


async def test_closing_early_ends_the_reading_thread(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(WIRE.delta("Chris"), SILENCE)]
    before = set(threading.enumerate())
    stream = WIRE.model(server.url).stream(prompt)
    await anext(stream)
    readers = [thread for thread in threading.enumerate() if thread.name == THREAD_NAME and thread not in before]
    assert len(readers) == 1
    await stream.aclose()
    await asyncio.to_thread(readers[0].join, 10)
    assert not readers[0].is_alive()


async def test_going_away_hangs_up_over_tls_too(
    prompt: Prompt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(certificate))
    async with ScriptedServer().running(context) as server:
        server.answers = [WIRE.answer(WIRE.delta("Chris"), SILENCE), Answer(headers_after=SILENCE)]
        model = WIRE.model(server.url)
        stream = model.stream(prompt)
        assert await anext(stream) == TextDelta("Chris")
        await stream.aclose()
        await asyncio.wait_for(server.requests[0].hung_up.wait(), 1)

        waiting = asyncio.ensure_future(collect(model.stream(prompt)))
        await server.requested(2)
        waiting.cancel()
        await asyncio.wait_for(server.requests[1].hung_up.wait(), 1)


def self_signed(directory: Path) -> tuple[Path, Path]:
    """Certificate and key, as files, of a server at 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "scripted server")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = directory / "certificate.pem", directory / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths
