"""The frames of a chat-completions stream, and the reply that they add up to."""

from typing import Any

from pydantic import BaseModel, Field

from clew.answering.usage import Usage

STOP_REASONS = {"stop": "end", "length": "max_tokens", "content_filter": "content_filtered"}
"""The protocol's stop reasons in the words that Bedrock's models use; others are passed on."""

LAST_FRAME = "[DONE]"


class _Content(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    delta: _Content = _Content()
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Frame(BaseModel):
    """One frame. The one with the usage has no choices; one with ``error`` has nothing else."""

    choices: list[_Choice] = Field(default_factory=list)
    usage: _Usage | None = None
    error: Any = None


class ErrorFrameError(Exception):
    """The server sent an error inside the stream; ``status`` is what it would have been over HTTP, or 0."""

    def __init__(self, status: int) -> None:
        super().__init__(f"error frame, status {status}")
        self.status = status


class Reply:
    """What a stream has brought so far; ``complete`` once a frame said that the answer ends."""

    def __init__(self) -> None:
        self.text = ""
        self.usage: Usage | None = None
        self.stop_reason = "end"
        self.complete = False

    def take(self, data: str) -> str:
        """Add one frame and return its text; ValidationError (pydantic's) where it is malformed."""
        if data == LAST_FRAME:
            self.complete = True
            return ""
        frame = _Frame.model_validate_json(data)
        if frame.error is not None:
            code = frame.error.get("code") if isinstance(frame.error, dict) else None
            raise ErrorFrameError(code if isinstance(code, int) else 0)
        if frame.usage is not None:
            self.usage = Usage(input_tokens=frame.usage.prompt_tokens, output_tokens=frame.usage.completion_tokens)
        text = ""
        for choice in frame.choices:
            text += choice.delta.content or ""
            if choice.finish_reason:
                self.stop_reason = STOP_REASONS.get(choice.finish_reason, choice.finish_reason)
                self.complete = True
        self.text += text
        return text
