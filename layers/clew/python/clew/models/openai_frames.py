"""The frames of a chat-completions stream, and the reply that they add up to."""

from typing import Any

from pydantic import BaseModel, Field

from clew.answering.usage import Usage

STOP_REASONS = {
    "stop": "end",
    "length": "max_tokens",
    "content_filter": "content_filtered",
    "tool_calls": "tool_use",
}
"""The protocol's stop reasons in the words that Bedrock's models use; others are passed on."""

LAST_FRAME = "[DONE]"

BUSY = ("ratelimit", "toomanyrequests")
AWAY = ("servererror", "internalservererror", "overloaded", "engineoverloaded", "serviceunavailable", "unavailable")
"""How the words for errors that pass begin, in small letters without what is between them."""


class _Content(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    delta: _Content = _Content()
    finish_reason: str | None = None


class _PromptDetails(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    """Of the prompt's tokens, ``prompt_tokens_details`` tells which came out of a cache, where there is one."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _PromptDetails | None = None

    def usage(self) -> Usage:
        details = self.prompt_tokens_details or _PromptDetails()
        return Usage(
            input_tokens=self.prompt_tokens,
            output_tokens=self.completion_tokens,
            cache_read_tokens=details.cached_tokens or 0,
        )


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
            raise ErrorFrameError(_status_of(frame.error))
        if frame.usage is not None:
            self.usage = frame.usage.usage()
        text = ""
        for choice in frame.choices:
            text += choice.delta.content or ""
            if choice.finish_reason:
                self.stop_reason = STOP_REASONS.get(choice.finish_reason, choice.finish_reason)
                self.complete = True
        self.text += text
        return text


def _status_of(error: Any) -> int:
    """The HTTP status that an error frame stands for; 0 where it does not tell.

    Some servers send the status itself as the code, others words as the code or the type.
    """
    told = [error.get("code"), error.get("type")] if isinstance(error, dict) else []
    for each in told:
        if isinstance(each, int):
            return each
        word = "".join(filter(str.isalpha, each.lower())) if isinstance(each, str) else ""
        if word.startswith(BUSY):
            return 429
        if word.startswith(AWAY):
            return 503
    return 0
