"""A scripted server for each test, and the wires that the chat models' contract runs on."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from clew.answering.prompting.prompt import Prompt
from clew.retrieval.evidence import Passage
from tests.integration.models.scripted_server import ScriptedServer
from tests.integration.models.wires import BedrockWire, OpenAIWire, Wire


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer().running() as running:
        yield running


@pytest.fixture(params=[BedrockWire, OpenAIWire], ids=["bedrock", "openai"])
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param()


@pytest.fixture
def prompt() -> Prompt:
    passage = Passage(
        id="inception-1",
        document_id="inception",
        title="Inception",
        text="Inception (2010) was written and directed by Christopher Nolan.",
    )
    question = "Who directed Inception?"
    return Prompt(question, question, "en", evidence=(passage,))
