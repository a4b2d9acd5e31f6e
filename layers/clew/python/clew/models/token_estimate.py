"""How many tokens a text takes, for models that do not say."""

import re
from collections.abc import Iterable

from clew.answering.prompt import ChatMessage
from clew.answering.usage import Usage

_WIDE = re.compile(r"[⺀-鿿가-힯豈-﫿＀-￯]")

CHARACTERS_PER_TOKEN = 4
"""Of English text in the usual byte-pair vocabularies; Chinese takes about a token a character."""


def estimate_tokens(text: str) -> int:
    """A rough count, some 20 % off either way, never 0 for a text that is not empty."""
    wide = len(_WIDE.findall(text))
    narrow = len(text) - wide
    return wide + -(-narrow // CHARACTERS_PER_TOKEN)


def estimate_usage(messages: Iterable[ChatMessage], answer: str) -> Usage:
    """The usage of a generation whose model reported none."""
    asked = sum(estimate_tokens(message.content) for message in messages)
    return Usage(input_tokens=asked, output_tokens=estimate_tokens(answer), estimated=True)
