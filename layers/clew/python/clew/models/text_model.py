"""The protocol of a language model that is asked once and answers with a text."""

from typing import Protocol


class TextModel(Protocol):
    """For what stands behind a turn, such as rewriting and summaries; the chat model streams.

    Raises ModelThrottledError, ModelUnavailableError, ModelError, and ConfigurationError at its first call.
    """

    def write(self, system: str, message: str, max_tokens: int) -> str:
        """The model's text, of at least one character, without what it thought before; cut off at ``max_tokens``.

        It is asked with temperature 0.
        """
        ...
