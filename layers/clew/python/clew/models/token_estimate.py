"""The usage of a generation whose model reports none."""

from collections.abc import Iterable

from clew.answering.prompting.prompt import ChatMessage
from clew.answering.prompting.token_counter import MESSAGE_TOKENS
from clew.answering.usage import Usage
from clew.text.tokens import estimate_tokens


def estimate_usage(messages: Iterable[ChatMessage], answer: str) -> Usage:
    """Input and output tokens by their texts and what a template adds to each message, marked as estimated."""
    asked = sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)
    return Usage(input_tokens=asked, output_tokens=estimate_tokens(answer), estimated=True)
