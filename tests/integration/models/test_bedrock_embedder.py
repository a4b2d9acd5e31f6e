"""The Bedrock embedder against a server that answers as InvokeModel does."""

import asyncio
import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.bedrock_embedder import BedrockEmbedder
from tests.integration.models.scripted_server import SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import BedrockWire

TITAN = "amazon.titan-embed-text-v2:0"
COHERE_V3 = "cohere.embed-multilingual-v3"
COHERE_V4 = "us.cohere.embed-v4:0"


def answer(body: Any) -> Answer:
    return Answer([json.dumps(body).encode()], headers={"Content-Type": "application/json"})


def titan(*vectors: list[float]) -> list[Answer]:
    return [answer({"embedding": vector, "inputTextTokenCount": 3}) for vector in vectors]


def pointing(axis: int, dimensions: int) -> list[float]:
    """A vector of length 2 along one axis, so that scaling to unit length shows."""
    return [2.0 if place == axis else 0.0 for place in range(dimensions)]


async def run(call: Callable[..., Any], *arguments: Any) -> Any:
    """The embedder blocks and the server lives in this event loop, so the call goes to a thread."""
    return await asyncio.to_thread(call, *arguments)


async def test_titan_is_asked_for_unit_vectors_of_512(server: ScriptedServer) -> None:
    server.answers = titan(pointing(1, 512))
    embedder = BedrockEmbedder(TITAN, endpoint_url=server.url)
    vector = await run(embedder.embed_query, "谁执导了《盗梦空间》？")
    assert embedder.dimensions == len(vector) == 512
    assert math.hypot(*vector) == pytest.approx(1)
    assert server.requests[0].path.endswith("/model/amazon.titan-embed-text-v2%3A0/invoke")
    assert server.requests[0].body == {
        "inputText": "谁执导了《盗梦空间》？",
        "dimensions": 512,
        "normalize": True,
    }


async def test_titan_passages_come_back_in_order(server: ScriptedServer) -> None:
    texts = [f"passage {number}" for number in range(12)]
    embedder = BedrockEmbedder(TITAN, endpoint_url=server.url, dimensions=256)
    # The calls run at the same time, so each answer is made from its own request.
    server.respond = lambda request: titan(pointing(int(request.body["inputText"].split()[1]), 256))[0]
    vectors = await run(embedder.embed_passages, texts)
    assert [vector.index(1.0) for vector in vectors] == list(range(12))


async def test_cohere_tells_queries_from_documents(server: ScriptedServer) -> None:
    server.answers = [answer({"embeddings": {"float": [pointing(0, 1024)]}})] * 2
    embedder = BedrockEmbedder(COHERE_V3, endpoint_url=server.url)
    await run(embedder.embed_query, "question")
    await run(embedder.embed_passages, ["passage"])
    assert [request.body["input_type"] for request in server.requests] == ["search_query", "search_document"]
    assert server.requests[0].body["truncate"] == "END"


async def test_cohere_takes_96_texts_a_call(server: ScriptedServer) -> None:
    def respond(request: Any) -> Answer:
        axes = [int(text) for text in request.body["texts"]]
        return answer({"embeddings": {"float": [pointing(axis, 256) for axis in axes]}})

    server.respond = respond
    embedder = BedrockEmbedder(COHERE_V4, endpoint_url=server.url, dimensions=256)
    vectors = await run(embedder.embed_passages, [str(number) for number in range(200)])
    assert [vector.index(1.0) for vector in vectors] == list(range(200))
    assert sorted(len(request.body["texts"]) for request in server.requests) == [8, 96, 96]
    assert server.requests[0].body["output_dimension"] == 256


async def test_cohere_answers_without_types_are_read_too(server: ScriptedServer) -> None:
    server.answers = [answer({"embeddings": [pointing(5, 1024)], "response_type": "embeddings_floats"})]
    vector = await run(BedrockEmbedder(COHERE_V3, endpoint_url=server.url).embed_query, "question")
    assert vector.index(1.0) == 5


async def test_long_texts_are_cut_to_what_the_model_takes(server: ScriptedServer) -> None:
    server.answers = [*titan(pointing(0, 512)), answer({"embeddings": {"float": [pointing(0, 1024)]}})]
    await run(BedrockEmbedder(TITAN, endpoint_url=server.url).embed_query, "长" * 32_000)
    await run(BedrockEmbedder(COHERE_V3, endpoint_url=server.url).embed_query, "长" * 32_000)
    assert len(server.requests[0].body["inputText"]) == 8_000
    assert len(server.requests[1].body["texts"][0]) == 2_048


@pytest.mark.parametrize(
    ("kind", "error"),
    [("throttled", ModelThrottledError), ("unavailable", ModelUnavailableError), ("invalid", ModelError)],
)
async def test_refusals_are_raised_as_what_they_mean(server: ScriptedServer, kind: str, error: type[Exception]) -> None:
    server.answers = [BedrockWire().refusal(kind)]
    with pytest.raises(error):
        await run(BedrockEmbedder(TITAN, endpoint_url=server.url, attempts=1).embed_query, "question")


async def test_one_throttled_passage_fails_the_load(server: ScriptedServer) -> None:
    def respond(request: Any) -> Answer:
        if request.body["inputText"] == "third":
            return BedrockWire().refusal("throttled")
        return titan(pointing(0, 512))[0]

    server.respond = respond
    embedder = BedrockEmbedder(TITAN, endpoint_url=server.url, attempts=1)
    with pytest.raises(ModelThrottledError):
        await run(embedder.embed_passages, ["first", "second", "third", "fourth"])


async def test_a_silent_server_is_given_up(server: ScriptedServer) -> None:
    server.answers = [Answer(headers_after=SILENCE)]
    embedder = BedrockEmbedder(TITAN, endpoint_url=server.url, attempts=1, read_timeout=0.3)
    with pytest.raises(ModelUnavailableError):
        await run(embedder.embed_query, "question")


@pytest.mark.parametrize(
    "body",
    [{"unexpected": 1}, {"embedding": [1.0, 0.0]}, {"embedding": [0.0] * 512}, {"embedding": "text"}],
    ids=["no vector", "too short", "zeros", "no numbers"],
)
async def test_answers_that_are_no_vector_are_refused(server: ScriptedServer, body: Any) -> None:
    server.answers = [answer(body)]
    with pytest.raises(ModelError):
        await run(BedrockEmbedder(TITAN, endpoint_url=server.url).embed_query, "question")
