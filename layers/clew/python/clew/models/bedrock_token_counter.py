"""A Bedrock model's own count of a prompt, by CountTokens: exact, free of charge, and a request each time."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.answering.prompting.prompt import ChatMessage
from clew.models.bedrock_client import bedrock_client
from clew.models.bedrock_models import foundation_model
from clew.models.lazy_client import LazyClient
from clew.models.message_formats import to_converse

CONNECT_TIMEOUT = 0.3
READ_TIMEOUT = 0.5
"""Somebody waits for the answer, and the estimate is there at once."""

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
        # CountTokens knows foundation models alone, not inference profiles.
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
            # Without pictures: it is the texts that are estimated, and corrected by this.
            request: Any = to_converse(replace(message, images=()) for message in messages)
            response = self._client.get().count_tokens(modelId=self._model_id, input={"converse": request})
            return int(response["inputTokens"])
        # botocore's own errors, and whatever its parser stumbles on: none of them is worth a turn.
        except Exception as error:
            self._given_up = True
            logger.info("tokens of %s not counted: %s", self._model_id, type(error).__name__)
            return None
