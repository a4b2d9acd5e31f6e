"""The two wires on which the chat models are tested, in the same words: deltas, an end, and failures."""

from typing import Any, Protocol

from clew.answering.chat_model import ChatModel
from clew.answering.prompting.prompt import ChatMessage
from tests.integration.models.bedrock_wire import BedrockWire
from tests.integration.models.openai_wire import OpenAIWire
from tests.integration.models.scripted_server import Answer, Request, Step

__all__ = ["BedrockWire", "OpenAIWire", "Wire"]


class Wire(Protocol):
    """How one provider says what every provider says."""

    model_name: str
    other_model: str

    def model(self, url: str, read_timeout: float = 30, name: str = "") -> ChatModel:
        """The adapter under test, of ``model_name`` unless another is named."""
        ...

    def answer(self, *steps: Step) -> Answer: ...

    def delta(self, text: str) -> bytes: ...

    def end(self, stop_reason: str = "end", cached: tuple[int, int] = (0, 0)) -> list[Step]:
        """The end of an answer that took 11 tokens in and 7 out; of the 11, ``cached`` were read and written."""
        ...

    def end_without_usage(self) -> list[Step]: ...

    def malformed(self) -> list[bytes]:
        """Frames that cannot be read, one for each way of being broken."""
        ...

    def throttled_inside(self) -> bytes:
        """The frame that reports throttling once the stream is open."""
        ...

    def refusal(self, kind: str, **headers: str) -> Answer:
        """A response of an error status: ``throttled``, ``unavailable``, ``denied`` or ``invalid``."""
        ...

    def asks_for(self, request: Request) -> str:
        """Which model a request is for."""
        ...

    def messages(self, body: Any) -> list[ChatMessage]:
        """A request's messages, read back."""
        ...

    def asked(self, body: Any) -> list[tuple[str, str]]:
        """Roles and texts of the request's messages."""
        ...
