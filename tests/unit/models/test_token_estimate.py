"""Usage where a model does not report it."""

from clew.answering.prompt import ChatMessage
from clew.answering.usage import Usage
from clew.models.token_estimate import estimate_usage


def test_usage_of_a_generation_is_marked_as_an_estimate() -> None:
    asked = [ChatMessage("system", "four"), ChatMessage("user", "导演是谁")]
    assert estimate_usage(asked, "李安") == Usage(input_tokens=5, output_tokens=2, estimated=True)
