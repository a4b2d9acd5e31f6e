"""The Bedrock reranker against a server that answers as Rerank does."""

import asyncio

import pytest

from clew.errors import ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.bedrock_reranker import MAX_CHARACTERS, MAX_TEXTS, BedrockReranker
from tests.integration.models.converse import answer_of
from tests.integration.models.scripted_server import SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import BedrockWire

AMAZON = "amazon.rerank-v1:0"
COHERE = "cohere.rerank-v3-5:0"
QUERY = "谁执导了《盗梦空间》？"


def results(*scores: tuple[int, float]) -> Answer:
    return answer_of({"results": [{"index": index, "relevanceScore": score} for index, score in scores]})


async def rerank(reranker: BedrockReranker, texts: list[str], query: str = QUERY) -> list[float]:
    """The reranker blocks and the server lives in this event loop, so the call goes to a thread."""
    return await asyncio.to_thread(reranker.rerank, query, texts)


async def test_relevances_come_back_in_the_order_of_the_texts(server: ScriptedServer) -> None:
    server.answers = [results((2, 0.75), (0, 0.5), (1, 0.25))]
    reranker = BedrockReranker(AMAZON, region="us-west-2", endpoint_url=server.url)
    assert await rerank(reranker, ["first", "second", "third"]) == [0.5, 0.25, 0.75]
    assert server.requests[0].path.endswith("/rerank")
    assert server.requests[0].body == {
        "queries": [{"type": "TEXT", "textQuery": {"text": QUERY}}],
        "sources": [
            {"type": "INLINE", "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": text}}}
            for text in ("first", "second", "third")
        ],
        "rerankingConfiguration": {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": 3,
                "modelConfiguration": {
                    "modelArn": "arn:aws:bedrock:us-west-2::foundation-model/amazon.rerank-v1:0",
                },
            },
        },
    }


@pytest.mark.parametrize(
    ("model_id", "region", "arn"),
    [
        (COHERE, "eu-central-1", f"arn:aws:bedrock:eu-central-1::foundation-model/{COHERE}"),
        (COHERE, "cn-north-1", f"arn:aws-cn:bedrock:cn-north-1::foundation-model/{COHERE}"),
        (f"arn:aws:bedrock:us-west-2::foundation-model/{AMAZON}", "us-east-1", None),
    ],
    ids=["of the region", "of the partition", "as given"],
)
async def test_a_model_is_named_by_its_arn(server: ScriptedServer, model_id: str, region: str, arn: str | None) -> None:
    server.answers = [results((0, 0.5))]
    await rerank(BedrockReranker(model_id, region=region, endpoint_url=server.url), ["text"])
    configuration = server.requests[0].body["rerankingConfiguration"]["bedrockRerankingConfiguration"]
    assert configuration["modelConfiguration"] == {"modelArn": arn or model_id}


async def test_what_has_no_result_counts_nothing_and_relevances_stay_within_their_range(server: ScriptedServer) -> None:
    server.answers = [results((3, 1.5), (0, -0.25))]
    assert await rerank(BedrockReranker(AMAZON, endpoint_url=server.url), ["a", "b", "c", "d"]) == [0, 0, 0, 1]


async def test_empty_texts_are_not_sent(server: ScriptedServer) -> None:
    server.answers = [results((0, 0.5), (1, 0.25))]
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url)
    assert await rerank(reranker, ["", "first", " \n", "second"]) == [0, 0.5, 0, 0.25]
    assert [each["inlineDocumentSource"]["textDocument"]["text"] for each in server.requests[0].body["sources"]] == [
        "first",
        "second",
    ]


async def test_nothing_to_compare_needs_no_call(server: ScriptedServer) -> None:
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url)
    assert await rerank(reranker, []) == []
    assert await rerank(reranker, ["", " "]) == [0, 0]
    assert await rerank(reranker, ["text"], " ") == [0]
    assert server.requests == []


async def test_no_more_is_sent_than_the_api_takes(server: ScriptedServer) -> None:
    server.answers = [results((MAX_TEXTS - 1, 0.5))]
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url)
    scores = await rerank(reranker, ["长" * (MAX_CHARACTERS + 1), *["text"] * MAX_TEXTS], "问" * (MAX_CHARACTERS + 1))
    body = server.requests[0].body
    assert len(body["sources"]) == MAX_TEXTS
    assert len(body["sources"][0]["inlineDocumentSource"]["textDocument"]["text"]) == MAX_CHARACTERS
    assert len(body["queries"][0]["textQuery"]["text"]) == MAX_CHARACTERS
    assert scores[-2:] == [0.5, 0]


async def test_throttling_is_tried_once_more(server: ScriptedServer) -> None:
    server.answers = [BedrockWire().refusal("throttled"), results((0, 0.5))]
    assert await rerank(BedrockReranker(AMAZON, endpoint_url=server.url), ["text"]) == [0.5]


async def test_refusals_are_raised_as_what_they_mean(server: ScriptedServer) -> None:
    server.answers = [BedrockWire().refusal(kind) for kind in ("throttled", "unavailable", "denied")]
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url, attempts=1)
    for error in (ModelThrottledError, ModelUnavailableError, ModelError):
        with pytest.raises(error):
            await rerank(reranker, ["text"])


async def test_a_silent_server_is_given_up(server: ScriptedServer) -> None:
    server.answers = [Answer(headers_after=SILENCE)]
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url, attempts=1, read_timeout=0.2)
    with pytest.raises(ModelUnavailableError):
        await rerank(reranker, ["text"])


NO_RESULTS = {
    "no results": answer_of({"other": []}),
    "no score": answer_of({"results": [{"index": 0}]}),
    "no number": answer_of({"results": [{"index": 0, "relevanceScore": "high"}]}),
    "no object": answer_of("a string"),
    "no JSON": Answer([b"<html>"], headers={"Content-Type": "application/json"}),
}


async def test_answers_that_are_no_results_are_refused(server: ScriptedServer) -> None:
    server.answers = list(NO_RESULTS.values())
    reranker = BedrockReranker(AMAZON, endpoint_url=server.url, attempts=1)
    for name in NO_RESULTS:
        with pytest.raises(ModelError):
            pytest.fail(f"{name}: {await rerank(reranker, ['text'])}")
