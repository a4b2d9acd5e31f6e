"""A Bedrock model's own count of a prompt, by CountTokens: exact, free of charge, and a request each time."""

import logging
import re
from collections.abc import Sequence
from typing import Any

from clew.answering.prompting.prompt import ChatMessage
from clew.models.bedrock_client import bedrock_client
from clew.models.lazy_client import LazyClient

CONNECT_TIMEOUT = 0.3
READ_TIMEOUT = 0.5
"""Somebody waits for the answer, and the estimate is there at once."""

# CountTokens knows foundation models alone: not the geography that an inference profile begins with.
_GEOGRAPHY = re.compile(r"^(?:[a-z]{2}|us-gov|apac|global)\.")

logger = logging.getLogger(__name__)


class BedrockTokenCounter:
    """Counts prompts for one model, as long as that works.

    Many models have no CountTokens, some regions have none, and the role may not be allowed to ask. So
    after the first failure of any kind nothing more is asked in this process.
    """

    def __init__(
        self,
        model_id: str,
        *,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
    ) -> None:
        self._model_id = foundation_model(model_id)
        self._given_up = not self._model_id
        self._client = LazyClient(
            bedrock_client,
            region=region,
            profile=profile,
            endpoint_url=endpoint_url,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            attempts=1,
        )

    def count(self, messages: Sequence[ChatMessage]) -> int | None:
        """Input tokens of ``messages``, templates and all; None where they cannot be had in time. Never raises."""
        if self._given_up:
            return None
        try:
            response = self._client.get().count_tokens(modelId=self._model_id, input={"converse": _converse(messages)})
            return int(response["inputTokens"])
        # botocore's own errors, and whatever its parser stumbles on: none of them is worth a turn.
        except Exception as error:
            self._given_up = True
            logger.info("tokens of %s not counted: %s", self._model_id, type(error).__name__)
            return None


def foundation_model(model_id: str) -> str:
    """The model behind a model's or inference profile's id or ARN; empty where the name does not tell."""
    if model_id.startswith("arn:"):
        kind, _, name = model_id.split(":", 5)[-1].partition("/")
        if kind not in ("foundation-model", "inference-profile"):
            return ""
        model_id = name
    return _GEOGRAPHY.sub("", model_id)


def _converse(messages: Sequence[ChatMessage]) -> Any:
    """Messages in Converse's form."""
    system = [{"text": message.content} for message in messages if message.role == "system"]
    spoken = [
        {"role": message.role, "content": [{"text": message.content}]}
        for message in messages
        if message.role in ("user", "assistant")
    ]
    return {"messages": spoken} | ({"system": system} if system else {})
