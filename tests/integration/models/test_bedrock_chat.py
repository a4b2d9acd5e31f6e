"""What is Bedrock's own: retries before the first delta, ARNs, and what langchain_aws does to boto3."""

import asyncio
import ssl
import threading
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
from clew.answering.prompting.prompt import Prompt
from clew.errors import ModelError, ModelThrottledError
from clew.models.bedrock_chat import BedrockChat
from clew.models.bedrock_client import bedrock_client
from clew.models.reading_thread import THREAD_NAME
from tests.integration.models import eventstream
from tests.integration.models.scripted_server import CUT, SILENCE, ScriptedServer
from tests.integration.models.wires import BedrockWire

WIRE = BedrockWire()
PROFILE_ARN = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4"


async def test_throttling_before_the_first_delta_is_tried_once_more(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.refusal("throttled"), WIRE.answer(WIRE.delta("Nolan"), *WIRE.end())]
    deltas = [delta async for delta in BedrockChat(WIRE.model_name, endpoint_url=server.url).stream(prompt)]
    assert deltas[0] == TextDelta("Nolan")
    assert len(server.requests) == 2


async def test_throttling_that_goes_on_is_raised_after_two_attempts(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.refusal("throttled")] * 3
    with pytest.raises(ModelThrottledError):
        await anext(BedrockChat(WIRE.model_name, endpoint_url=server.url).stream(prompt))
    assert len(server.requests) == 2


async def test_nothing_is_tried_again_after_the_first_delta(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(WIRE.delta("Chris"), CUT)] * 2
    stream = BedrockChat(WIRE.model_name, endpoint_url=server.url).stream(prompt)
    assert await anext(stream) == TextDelta("Chris")
    with pytest.raises(ModelError):
        await anext(stream)
    assert len(server.requests) == 1


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


async def test_closing_early_hangs_up_over_tls_too(
    prompt: Prompt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(certificate))
    async with ScriptedServer().running(context) as server:
        server.answers = [WIRE.answer(WIRE.delta("Chris"), SILENCE)]
        stream = WIRE.model(server.url).stream(prompt)
        assert await anext(stream) == TextDelta("Chris")
        await stream.aclose()
        await asyncio.wait_for(server.requests[0].hung_up.wait(), 10)


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
