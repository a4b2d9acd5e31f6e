"""Models that are asked for one text, on the wires of Converse and of the OpenAI protocol."""

import asyncio
import json
from typing import Any, Protocol

import pytest

from clew.errors import ClewError, ConfigurationError, ModelError, ModelThrottledError, ModelUnavailableError
from clew.models.bedrock_converse import BedrockConverse
from clew.models.openai_text import OpenAIText
from clew.models.text_model import TextModel
from tests.integration.models import converse
from tests.integration.models.scripted_server import CUT, SILENCE, Answer, ScriptedServer
from tests.integration.models.wires import BedrockWire, OpenAIWire

JSON = {"Content-Type": "application/json"}
SYSTEM, MESSAGE = "Write it anew.", '{"message": "那第二部呢？"}'


class TextWire(Protocol):
    """How a provider is asked for one text, and answers."""

    def model(self, url: str, read_timeout: float = 30) -> TextModel: ...

    def writing(self, text: str) -> Answer: ...

    def cut_off(self, text: str) -> Answer: ...

    def refusal(self, kind: str) -> Answer: ...

    def asked(self, body: Any) -> list[tuple[str, str]]: ...

    def limits(self, body: Any) -> tuple[int, float]:
        """Most tokens and temperature."""
        ...


class BedrockText(BedrockWire):
    def model(self, url: str, read_timeout: float = 30) -> TextModel:  # type: ignore[override]
        return BedrockConverse(self.model_name, endpoint_url=url, read_timeout=read_timeout, attempts=1)

    def writing(self, text: str) -> Answer:
        return converse.writing(text)

    def cut_off(self, text: str) -> Answer:
        return converse.writing(text, "max_tokens")

    def limits(self, body: Any) -> tuple[int, float]:
        return body["inferenceConfig"]["maxTokens"], body["inferenceConfig"]["temperature"]


class OpenAIWireText(OpenAIWire):
    def model(self, url: str, read_timeout: float = 30) -> TextModel:  # type: ignore[override]
        return OpenAIText(f"{url}/v1", self.model_name, read_timeout=read_timeout)

    def writing(self, text: str) -> Answer:
        return completion(text, "stop")

    def cut_off(self, text: str) -> Answer:
        return completion(text, "length")

    def limits(self, body: Any) -> tuple[int, float]:
        assert not body.get("stream")
        return body["max_tokens"], body["temperature"]


def completion(text: str | None, finish_reason: str = "stop") -> Answer:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}
    return Answer([json.dumps({"object": "chat.completion", "choices": [choice]}).encode()], headers=JSON)


@pytest.fixture(params=[BedrockText, OpenAIWireText], ids=["bedrock", "openai"])
def text_wire(request: pytest.FixtureRequest) -> TextWire:
    return request.param()  # type: ignore[no-any-return]


async def write(model: TextModel) -> str:
    """The model blocks and the server lives in this event loop, so the call goes to a thread."""
    return await asyncio.to_thread(model.write, SYSTEM, MESSAGE, 123)


async def test_the_model_is_asked_once_and_its_text_is_given(server: ScriptedServer, text_wire: TextWire) -> None:
    server.answers = [text_wire.writing("\n《沙丘2》的导演是谁？ ")]
    assert await write(text_wire.model(server.url)) == "《沙丘2》的导演是谁？"
    (request,) = server.requests
    assert text_wire.asked(request.body) == [("system", SYSTEM), ("user", MESSAGE)]
    assert text_wire.limits(request.body) == (123, 0)


async def test_of_an_answer_that_is_cut_off_there_is_what_came(server: ScriptedServer, text_wire: TextWire) -> None:
    server.answers = [text_wire.cut_off("The user sa")]
    assert await write(text_wire.model(server.url)) == "The user sa"


@pytest.mark.parametrize(
    ("kind", "error"),
    [("throttled", ModelThrottledError), ("unavailable", ModelUnavailableError), ("invalid", ModelError)],
)
async def test_a_refusal_is_raised_as_what_it_means_and_not_tried_again(
    server: ScriptedServer, text_wire: TextWire, kind: str, error: type[ClewError]
) -> None:
    server.answers = [text_wire.refusal(kind)]
    with pytest.raises(error) as raised:
        await write(text_wire.model(server.url))
    assert "a sentence of the se" not in str(raised.value)
    assert len(server.requests) == 1


async def test_an_answer_that_cannot_be_read_or_is_empty_is_the_models_error(
    server: ScriptedServer, text_wire: TextWire
) -> None:
    broken = [b"<html>", b'{"unexpected": 1}', b'{"choices": [], "output": 1}']
    server.answers = [*(Answer([body], headers=JSON) for body in broken), text_wire.writing(" ")]
    model = text_wire.model(server.url)
    for _ in range(len(server.answers)):
        with pytest.raises(ModelError):
            await write(model)


@pytest.mark.parametrize("answer", [Answer(headers_after=SILENCE), Answer([b'{"cho', SILENCE], headers=JSON)])
async def test_a_silent_model_is_given_up(server: ScriptedServer, text_wire: TextWire, answer: Answer) -> None:
    server.answers = [answer]
    with pytest.raises(ModelUnavailableError):
        await write(text_wire.model(server.url, read_timeout=0.2))
    assert len(server.requests) == 1


async def test_a_connection_that_breaks_off_is_unavailable(server: ScriptedServer, text_wire: TextWire) -> None:
    server.answers = [Answer([b'{"cho', CUT], headers=JSON)]
    with pytest.raises(ModelUnavailableError):
        await write(text_wire.model(server.url))


async def test_what_a_model_thinks_aloud_is_no_part_of_its_answer(server: ScriptedServer) -> None:
    wire = OpenAIWireText()
    server.answers = [
        wire.writing("<think>\nThey mean Dune.\n</think>\n\nWho directed Dune?"),
        wire.cut_off("<think>\nThey me"),
        completion(None),
    ]
    model = wire.model(server.url)
    assert await write(model) == "Who directed Dune?"
    for _ in range(2):
        with pytest.raises(ModelError, match="no text"):
            await write(model)


async def test_without_a_name_the_first_model_listed_is_asked(server: ScriptedServer) -> None:
    listing = Answer([b'{"data": [{"id": "llama3.2:3b"}]}'], headers=JSON)
    server.answers = [listing, completion("one"), completion("two"), Answer([b'{"data": null}'], headers=JSON)]
    model = OpenAIText(f"{server.url}/v1", api_key="sk-local")
    assert [await write(model), await write(model)] == ["one", "two"]
    assert [request.path for request in server.requests].count("/v1/models") == 1
    assert server.requests[1].body["model"] == "llama3.2:3b"
    assert server.requests[1].headers["authorization"] == "Bearer sk-local"
    with pytest.raises(ConfigurationError, match="CLEW_OPENAI_MODEL"):
        await write(OpenAIText(f"{server.url}/v1"))
