"""Embeddings from Amazon Bedrock: Titan Text Embeddings V2 and Cohere Embed v3 and v4."""

import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from clew.errors import ConfigurationError, ModelError
from clew.models.bedrock_client import ATTEMPTS, CONNECT_TIMEOUT, bedrock_client
from clew.models.bedrock_errors import model_error
from clew.models.lazy_client import LazyClient
from clew.text.embedding import Vector

Purpose = Literal["query", "passage"]

READ_TIMEOUT = 20.0
"""An embedding takes well under a second; a query's stands between a person and the first token."""

PARALLEL_CALLS = 8
"""Calls at a time while passages are embedded: Titan takes one text a call."""


@dataclass(frozen=True, slots=True)
class _Family:
    """How one family of models is asked; ``max_characters`` is cut off at, not refused."""

    default_dimensions: int
    allowed_dimensions: tuple[int, ...]
    batch: int
    max_characters: int
    body: Callable[[list[str], Purpose, int], dict[str, Any]]
    vectors: Callable[[dict[str, Any]], list[Vector]]


class BedrockEmbedder:
    """Embeds through InvokeModel. Titan makes 512 numbers unless told otherwise, Cohere 1024.

    512 for Titan: AWS measured that it keeps about 99 % of the accuracy of 1024, at half the size of
    every vector index and profile. The graph's indexes are made with ``dimensions``, so changing it
    means loading again.
    """

    def __init__(
        self,
        model_id: str = "amazon.titan-embed-text-v2:0",
        *,
        dimensions: int | None = None,
        region: str = "",
        profile: str = "",
        endpoint_url: str = "",
        connect_timeout: float = CONNECT_TIMEOUT,
        read_timeout: float = READ_TIMEOUT,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._model_id = model_id
        self._family = _family(model_id)
        self._dimensions = dimensions or self._family.default_dimensions
        if self._dimensions not in self._family.allowed_dimensions:
            allowed = ", ".join(str(number) for number in self._family.allowed_dimensions)
            raise ConfigurationError(
                f"The embedding model {model_id!r} makes no vectors of {self._dimensions} numbers. Use: {allowed}."
            )
        self._client = LazyClient(
            bedrock_client,
            region=region,
            profile=profile,
            endpoint_url=endpoint_url,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            attempts=attempts,
        )

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed_query(self, text: str) -> Vector:
        return self._embed([text], "query")[0]

    def embed_passages(self, texts: list[str]) -> list[Vector]:
        size = self._family.batch
        batches = [texts[begin : begin + size] for begin in range(0, len(texts), size)]
        if len(batches) <= 1:
            return self._embed(texts, "passage") if texts else []
        with ThreadPoolExecutor(max_workers=min(PARALLEL_CALLS, len(batches))) as pool:
            embedded = list(pool.map(lambda batch: self._embed(batch, "passage"), batches))
        return [vector for vectors in embedded for vector in vectors]

    def _embed(self, texts: list[str], purpose: Purpose) -> list[Vector]:
        family = self._family
        body = family.body([text[: family.max_characters] for text in texts], purpose, self._dimensions)
        answer = self._invoke(body)
        try:
            vectors = [_unit(vector) for vector in family.vectors(answer)]
        except (KeyError, TypeError) as exc:
            raise model_error(exc, self._model_id) from exc
        if len(vectors) != len(texts) or any(len(vector) != self._dimensions for vector in vectors):
            raise ModelError(f"The embedding model {self._model_id!r} returned vectors of the wrong number or size.")
        return vectors

    def _invoke(self, body: dict[str, Any]) -> dict[str, Any]:
        from botocore.exceptions import BotoCoreError, ClientError
        from urllib3.exceptions import HTTPError

        try:
            response = self._client.get().invoke_model(
                modelId=self._model_id,
                body=json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
                contentType="application/json",
                accept="application/json",
            )
            answer: dict[str, Any] = json.loads(response["body"].read())
        # ValueError: a body that is no JSON. HTTPError: urllib3's, while the body is read.
        except (BotoCoreError, ClientError, HTTPError, ValueError) as exc:
            raise model_error(exc, self._model_id) from exc
        return answer


def _titan_body(texts: list[str], purpose: Purpose, dimensions: int) -> dict[str, Any]:
    """Titan takes one text and makes no difference between queries and passages."""
    return {"inputText": texts[0], "dimensions": dimensions, "normalize": True}


def _titan_vectors(answer: dict[str, Any]) -> list[Vector]:
    return [answer["embedding"]]


def _cohere_body(texts: list[str], purpose: Purpose) -> dict[str, Any]:
    return {
        "texts": texts,
        "input_type": "search_query" if purpose == "query" else "search_document",
        "embedding_types": ["float"],
    }


def _cohere_v3_body(texts: list[str], purpose: Purpose, dimensions: int) -> dict[str, Any]:
    return {**_cohere_body(texts, purpose), "truncate": "END"}


def _cohere_v4_body(texts: list[str], purpose: Purpose, dimensions: int) -> dict[str, Any]:
    return {**_cohere_body(texts, purpose), "truncate": "RIGHT", "output_dimension": dimensions}


def _cohere_vectors(answer: dict[str, Any]) -> list[Vector]:
    embeddings = answer["embeddings"]
    # By type where types were asked for; a bare list is what v3 answers by default.
    vectors: list[Vector] = embeddings["float"] if isinstance(embeddings, dict) else embeddings
    return vectors


# Limits as the Bedrock user guide gives them. Titan's is 8,192 tokens; a token has at least about one
# character in both languages. Cohere v3 refuses texts of over 2,048 characters.
_FAMILIES = {
    "amazon.titan-embed-text-v2": _Family(512, (256, 512, 1024), 1, 8_000, _titan_body, _titan_vectors),
    "cohere.embed-english-v3": _Family(1024, (1024,), 96, 2_048, _cohere_v3_body, _cohere_vectors),
    "cohere.embed-multilingual-v3": _Family(1024, (1024,), 96, 2_048, _cohere_v3_body, _cohere_vectors),
    "cohere.embed-v4": _Family(1024, (256, 512, 1024, 1536), 96, 40_000, _cohere_v4_body, _cohere_vectors),
}


def _family(model_id: str) -> _Family:
    """The family by the model's name, which regional profiles and ARNs hold too."""
    for name, family in _FAMILIES.items():
        if name in model_id:
            return family
    raise ConfigurationError(
        f"Setting CLEW_EMBEDDING_MODEL_ID: {model_id!r} is not a model that can be used. Known: {', '.join(_FAMILIES)}."
    )


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(math.fsum(number * number for number in vector))
    if not length:
        raise ModelError("The embedding model returned a vector of zeros.")
    return [number / length for number in vector]
