"""What the Bedrock embedder refuses before it asks anybody."""

import pytest

from clew.errors import ConfigurationError
from clew.models.bedrock_embedder import BedrockEmbedder


@pytest.mark.parametrize(
    ("model_id", "dimensions"),
    [
        ("amazon.titan-embed-text-v2:0", 512),
        ("cohere.embed-multilingual-v3", 1024),
        ("cohere.embed-english-v3", 1024),
        ("global.cohere.embed-v4:0", 1024),
        ("arn:aws:bedrock:us-east-1::foundation-model/amazon.titan-embed-text-v2:0", 512),
    ],
)
def test_each_family_has_its_dimensions(model_id: str, dimensions: int) -> None:
    assert BedrockEmbedder(model_id).dimensions == dimensions


@pytest.mark.parametrize("model_id", ["amazon.titan-embed-text-v1", "anthropic.claude-haiku", ""])
def test_a_model_that_cannot_be_used_names_the_setting(model_id: str) -> None:
    with pytest.raises(ConfigurationError, match="CLEW_EMBEDDING_MODEL_ID"):
        BedrockEmbedder(model_id)


def test_dimensions_that_the_model_does_not_make_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="256, 512, 1024"):
        BedrockEmbedder(dimensions=384)


def test_no_passages_need_no_call() -> None:
    assert BedrockEmbedder().embed_passages([]) == []
