"""What is known of Bedrock's models by their names."""

import re
from typing import Final

# The geography or "global" that an inference profile's id begins with.
_GEOGRAPHY: Final = re.compile(r"^(?:[a-z]{2}|us-gov|apac|amer|global)\.")

# docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html; to any other model a cache point is an error.
# Below a model's least number of tokens (1,000 to 4,096) a cache point is allowed and does nothing.
_CACHES: Final = re.compile(
    r"anthropic\.claude-(?:3-7-|3-5-haiku-|[a-z]+-[4-9])|amazon\.nova-(?:micro|lite|pro|premier|2-lite)-"
)

# docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html, by the modalities of their input.
_TEXT_ONLY: Final = re.compile(
    r"ai21\.|amazon\.(?:nova-micro|titan-text)-|anthropic\.claude-(?:v2|instant)|cohere\.command-|deepseek\."
    r"|meta\.llama3-(?:8b|70b|1-|3-)|minimax\.|openai\.gpt-oss-|qwen\.qwen3-(?!vl-)|writer\."
)


def foundation_model(model_id: str) -> str:
    """The model behind a model's or inference profile's id or ARN; empty where the name does not tell."""
    if model_id.startswith("arn:"):
        kind, _, name = model_id.split(":", 5)[-1].partition("/")
        if kind not in ("foundation-model", "inference-profile"):
            return ""
        model_id = name
    return _GEOGRAPHY.sub("", model_id)


def caches_prompts(model_id: str) -> bool:
    """Whether the model takes cache points in its prompt."""
    return bool(_CACHES.match(foundation_model(model_id)))


def reads_images(model_id: str) -> bool:
    """False for a model that is known to read text alone; of one that is not known, Bedrock will tell."""
    return not _TEXT_ONLY.match(foundation_model(model_id))
