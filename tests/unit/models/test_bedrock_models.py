"""What a model's name tells of it."""

import pytest

from clew.models.bedrock_models import caches_prompts, foundation_model, reads_images

PROFILE = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0"
APPLICATION = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4"


@pytest.mark.parametrize(
    ("model_id", "expected"),
    [
        ("anthropic.claude-haiku-4-5-20251001-v1:0", True),
        ("global.anthropic.claude-haiku-4-5-20251001-v1:0", True),
        ("us.anthropic.claude-3-7-sonnet-20250219-v1:0", True),
        ("anthropic.claude-3-5-haiku-20241022-v1:0", True),
        ("anthropic.claude-opus-4-1-20250805-v1:0", True),
        ("anthropic.claude-sonnet-5", True),
        (PROFILE, True),
        ("eu.amazon.nova-lite-v1:0", True),
        ("amazon.nova-2-lite-v1:0", True),
        ("anthropic.claude-3-haiku-20240307-v1:0", False),
        ("anthropic.claude-3-5-sonnet-20240620-v1:0", False),
        ("anthropic.claude-v2:1", False),
        ("amazon.titan-text-express-v1", False),
        ("meta.llama3-1-8b-instruct-v1:0", False),
        ("openai.gpt-oss-20b-1:0", False),
        (APPLICATION, False),
        ("", False),
    ],
)
def test_cache_points_go_to_models_that_are_known_to_take_them(model_id: str, expected: bool) -> None:
    assert caches_prompts(model_id) is expected


@pytest.mark.parametrize(
    ("model_id", "expected"),
    [
        ("global.anthropic.claude-haiku-4-5-20251001-v1:0", True),
        ("amazon.nova-lite-v1:0", True),
        ("meta.llama4-scout-17b-instruct-v1:0", True),
        ("meta.llama3-2-11b-instruct-v1:0", True),
        ("qwen.qwen3-vl-235b-a22b", True),
        ("newprovider.some-model-v1:0", True),
        (APPLICATION, True),
        ("us.amazon.nova-micro-v1:0", False),
        ("us.deepseek.r1-v1:0", False),
        ("meta.llama3-3-70b-instruct-v1:0", False),
        ("qwen.qwen3-32b-v1:0", False),
        ("openai.gpt-oss-120b-1:0", False),
    ],
)
def test_only_models_known_for_text_alone_are_kept_from_pictures(model_id: str, expected: bool) -> None:
    assert reads_images(model_id) is expected


def test_an_application_profile_does_not_tell_its_model() -> None:
    assert foundation_model(PROFILE) == "anthropic.claude-haiku-4-5-20251001-v1:0"
    assert foundation_model(APPLICATION) == ""
