"""The usage of a generation whose model reports none."""

from collections.abc import Iterable
from typing import Final

from clew.answering.prompting.prompt import ChatMessage
from clew.answering.prompting.token_counter import MESSAGE_TOKENS
from clew.answering.usage import Usage
from clew.text.tokens import estimate_tokens

IMAGE_TOKENS: Final = 1_600
"""Of a picture of 1.2 million pixels, which is what many Claude models scale larger ones down to: width times height
over 750 (platform.claude.com/docs/en/build-with-claude/vision). Models differ here more than on texts."""


def estimate_usage(messages: Iterable[ChatMessage], answer: str) -> Usage:
    """Input and output tokens by texts, pictures and what a template adds to each message, marked as estimated."""
    asked = sum(
        estimate_tokens(message.content) + IMAGE_TOKENS * len(message.images) + MESSAGE_TOKENS for message in messages
    )
    return Usage(input_tokens=asked, output_tokens=estimate_tokens(answer), estimated=True)
