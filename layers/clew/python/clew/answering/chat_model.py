"""The chat model's protocol: a prompt in; deltas, then usage, out."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from clew.answering.prompting.prompt import Prompt
from clew.answering.usage import Usage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a generation; sent once, last. ``stop_reason`` is ``end`` unless the model said otherwise."""

    usage: Usage
    stop_reason: str = "end"
    model: str = ""


Delta = TextDelta | Finished


class ChatModel(Protocol):
    """Streams an answer to a prompt.

    Implementations raise ModelThrottledError or ModelUnavailableError before the first delta, and
    ModelError with ``started`` set when a stream breaks off after it. They never try again by
    themselves once a delta has been sent. Closing the generator early ends the generation.
    """

    @property
    def name(self) -> str:
        """What ``done`` reports as the model, such as ``extractive`` or a Bedrock model id."""
        ...

    @property
    def reads_images(self) -> bool:
        """Whether a prompt with pictures may be given to it."""
        ...

    def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]: ...
