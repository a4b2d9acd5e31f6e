"""What is the OpenAI protocol's own: which model, which key, and servers that only look like one."""

import json

import pytest

from clew.answering.chat_model import Finished, TextDelta
from clew.answering.prompting.prompt import Prompt
from clew.errors import ConfigurationError, ModelError, ModelUnavailableError
from clew.models.openai_chat import OpenAIChat
from tests.integration.models.scripted_server import Answer, ScriptedServer
from tests.integration.models.wires import OpenAIWire

WIRE = OpenAIWire()
JSON = {"Content-Type": "application/json"}


def listing(models: object) -> Answer:
    return Answer([json.dumps({"object": "list", "data": models}).encode()], headers=JSON)


async def test_without_a_name_the_first_model_listed_is_used_and_remembered(
    server: ScriptedServer, prompt: Prompt
) -> None:
    answer = WIRE.answer(WIRE.delta("Nolan"), *WIRE.end())
    server.answers = [listing([{"id": "llama3.2:3b"}, {"id": "other"}]), answer, answer]
    model = OpenAIChat(f"{server.url}/v1")
    for _ in range(2):
        finished = [delta async for delta in model.stream(prompt)][-1]
        assert isinstance(finished, Finished)
        assert finished.model == "llama3.2:3b"
    assert model.name == "llama3.2:3b"
    assert [request.path for request in server.requests] == [
        "/v1/models",
        "/v1/chat/completions",
        "/v1/chat/completions",
    ]
    assert server.requests[1].body["model"] == "llama3.2:3b"


@pytest.mark.parametrize(
    "answer",
    [listing([]), listing(None), Answer([b"not here"], status=404), Answer([b"<html>"])],
    ids=["empty", "null", "not found", "no JSON"],
)
async def test_a_server_that_lists_no_model_needs_a_setting(
    server: ScriptedServer, prompt: Prompt, answer: Answer
) -> None:
    server.answers = [answer]
    with pytest.raises(ConfigurationError, match="CLEW_OPENAI_MODEL"):
        await anext(OpenAIChat(f"{server.url}/v1").stream(prompt))


async def test_a_server_that_cannot_list_for_now_is_unavailable(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [Answer([b"busy"], status=503)]
    with pytest.raises(ModelUnavailableError):
        await anext(OpenAIChat(f"{server.url}/v1").stream(prompt))


async def test_the_key_is_sent_as_a_bearer_token_and_only_when_there_is_one(
    server: ScriptedServer, prompt: Prompt
) -> None:
    server.answers = [WIRE.answer(*WIRE.end())] * 2
    for key in ("sk-local", ""):
        model = OpenAIChat(f"{server.url}/v1/", WIRE.model_name, key)
        assert [type(delta) async for delta in model.stream(prompt)] == [Finished]
    assert [request.headers.get("authorization") for request in server.requests] == ["Bearer sk-local", None]


async def test_usage_is_asked_for(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(*WIRE.end())]
    assert [type(delta) async for delta in WIRE.model(server.url).stream(prompt)] == [Finished]
    body = server.requests[0].body
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}


async def test_a_proxy_in_the_environment_does_not_stand_before_this_machine(
    server: ScriptedServer, prompt: Prompt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    server.answers = [WIRE.answer(WIRE.delta("Nolan"), *WIRE.end())]
    assert await anext(WIRE.model(server.url).stream(prompt)) == TextDelta("Nolan")


async def test_an_answer_that_is_no_event_stream_is_refused(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [Answer([b"<html>It works!</html>"], headers={"Content-Type": "text/html"})]
    with pytest.raises(ModelError, match="cannot be read"):
        await anext(WIRE.model(server.url).stream(prompt))


async def test_a_stream_may_end_without_done_once_the_model_has_stopped(server: ScriptedServer, prompt: Prompt) -> None:
    server.answers = [WIRE.answer(WIRE.delta("Nolan"), *WIRE.end_without_usage()[:-1])]
    deltas = [delta async for delta in WIRE.model(server.url).stream(prompt)]
    assert [type(delta) for delta in deltas] == [TextDelta, Finished]


@pytest.mark.parametrize("base_url", ["", "127.0.0.1:11434/v1", "ftp://127.0.0.1/v1", "http://"])
def test_a_base_url_that_is_none_is_refused_at_construction(base_url: str) -> None:
    with pytest.raises(ConfigurationError, match="CLEW_OPENAI_BASE_URL"):
        OpenAIChat(base_url, "any")
