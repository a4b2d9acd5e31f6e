"""Reranking on Amazon Bedrock: Amazon Rerank 1.0 and Cohere Rerank 3.5, through the Rerank API."""

import math
from typing import TYPE_CHECKING, Any

from clew.models.bedrock_client import bedrock_agent_client
from clew.models.bedrock_errors import model_error
from clew.models.lazy_client import LazyClient

if TYPE_CHECKING:
    from mypy_boto3_bedrock_agent_runtime.type_defs import RerankResponseTypeDef

CONNECT_TIMEOUT = 2.0
READ_TIMEOUT = 5.0
"""Of one call; some dozens of passages take well under a second, and without an answer retrieval goes on."""

ATTEMPTS = 2

# The API's limits: texts in one call, and characters of one text.
MAX_TEXTS = 1_000
MAX_CHARACTERS = 32_000


class BedrockReranker:
    """Scores passages with one model. ``model_id`` is a foundation model's id in the client's region, or an ARN."""

    def __init__(
        self,
        model_id: str,
        *,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._model_id = model_id
        self._client = LazyClient(
            bedrock_agent_client,
            region=region,
            profile=profile,
            endpoint_url=endpoint_url,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            attempts=attempts,
        )

    def rerank(self, query: str, texts: list[str]) -> list[float]:
        """0 for a text that the model gives no result for, for an empty one, and for those beyond ``MAX_TEXTS``."""
        asked = [place for place, text in enumerate(texts) if text.strip()][:MAX_TEXTS]
        scores = [0.0] * len(texts)
        if not asked or not query.strip():
            return scores
        try:
            response = self._rerank(query, [texts[place] for place in asked])
            relevances = {result["index"]: _relevance(result["relevanceScore"]) for result in response["results"]}
        # botocore raises its own errors, and whatever its parser stumbles on in a broken answer.
        except Exception as exc:
            raise model_error(exc, self._model_id) from exc
        for index, place in enumerate(asked):
            scores[place] = relevances.get(index, 0.0)
        return scores

    def _rerank(self, query: str, texts: list[str]) -> "RerankResponseTypeDef":
        client = self._client.get()
        return client.rerank(
            queries=[{"type": "TEXT", "textQuery": {"text": query[:MAX_CHARACTERS]}}],
            sources=[
                {
                    "type": "INLINE",
                    "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": text[:MAX_CHARACTERS]}},
                }
                for text in texts
            ],
            rerankingConfiguration={
                "type": "BEDROCK_RERANKING_MODEL",
                "bedrockRerankingConfiguration": {
                    "numberOfResults": len(texts),
                    "modelConfiguration": {"modelArn": self._model_arn(client.meta)},
                },
            },
        )

    def _model_arn(self, meta: Any) -> str:
        """The API takes no plain id."""
        if self._model_id.startswith("arn:"):
            return self._model_id
        return f"arn:{meta.partition}:bedrock:{meta.region_name}::foundation-model/{self._model_id}"


def _relevance(score: float) -> float:
    return min(max(score, 0.0), 1.0) if math.isfinite(score) else 0.0
