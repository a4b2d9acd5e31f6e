"""Which chat model answers: by the settings, or by the request where the settings allow it."""

from typing import Any

import pytest

from clew import wiring
from clew.errors import ConfigurationError, ModelNotAllowedError
from clew.models.backing_off_chat import BackingOffChat
from clew.models.bedrock_chat import BedrockChat, Guardrail
from clew.models.extractive.extractive_chat import ExtractiveChat
from clew.models.openai_chat import OpenAIChat
from clew.settings import AnswerSettings

HAIKU, NOVA = "global.anthropic.claude-haiku-4-5-20251001-v1:0", "amazon.nova-lite-v1:0"


def answering(**values: Any) -> AnswerSettings:
    return AnswerSettings.load(table_name="t", neo4j_secret="g", workflow_arn="w", **values)


def behind(model: Any) -> tuple[Any, Any]:
    """The model that is asked first, and the one in its place."""
    assert isinstance(model, BackingOffChat)
    return model._first, model._fallback


def test_one_setting_chooses_the_provider() -> None:
    assert isinstance(wiring.models.chat_model(answering(embedder="e5")), ExtractiveChat)
    for name, adapter in (("bedrock", BedrockChat), ("openai", OpenAIChat)):
        first, fallback = behind(wiring.models.chat_model(answering(chat_model=name)))
        assert isinstance(first, adapter)
        assert fallback is None


@pytest.mark.parametrize("provider", ["bedrock", "openai"])
def test_a_request_may_choose_what_the_settings_list_and_nothing_else(provider: str) -> None:
    settings = answering(chat_model=provider, allowed_models=f" {NOVA} , other:7b,")
    assert wiring.models.chat_model(settings, NOVA).name == NOVA
    assert wiring.models.chat_model(settings, "other:7b").name == "other:7b"
    with pytest.raises(ModelNotAllowedError, match=f"Allowed: {NOVA}, other:7b"):
        wiring.models.chat_model(settings, HAIKU)


@pytest.mark.parametrize("model", [NOVA, " ", "extractive"])
def test_without_a_list_no_request_may_choose(model: str) -> None:
    with pytest.raises(ModelNotAllowedError, match="Leave out 'model'"):
        wiring.models.check_model(answering(chat_model="bedrock"), model)
    with pytest.raises(ModelNotAllowedError, match="without a language model"):
        wiring.models.check_model(answering(allowed_models=model), model)
    wiring.models.check_model(answering(), "")


def test_models_are_made_once_each() -> None:
    settings = answering(chat_model="bedrock", allowed_models=NOVA)
    assert wiring.models.chat_model(settings) is wiring.models.chat_model(settings, "")
    assert wiring.models.chat_model(settings, NOVA) is wiring.models.chat_model(settings, model=NOVA)
    assert wiring.models.chat_model(settings, NOVA) is not wiring.models.chat_model(settings)


def test_the_fallback_is_of_the_same_provider_and_never_the_model_itself() -> None:
    settings = answering(chat_model="bedrock", fallback_model_id=NOVA, allowed_models=NOVA)
    first, fallback = behind(wiring.models.chat_model(settings))
    assert (first.name, fallback.name) == (HAIKU, NOVA)
    assert isinstance(fallback, BedrockChat)
    assert behind(wiring.models.chat_model(settings, NOVA))[1] is None


@pytest.mark.parametrize("provider", ["bedrock", "openai"])
def test_time_outs_are_the_settings(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL_CONNECT_SECONDS", "1.5")
    monkeypatch.setenv("CLEW_MODEL_READ_SECONDS", "200")
    first, _ = behind(wiring.models.chat_model(answering(chat_model=provider)))
    if provider == "openai":
        timeout = first._server._connection()["timeout"]
        assert (timeout.connect, timeout.read) == (1.5, 200)
    else:
        given = first._client_arguments
        assert (given["connect_timeout"], given["read_timeout"], given["attempts"]) == (1.5, 200, 1)


@pytest.mark.parametrize("seconds", ["0", "-1", "soon"])
def test_a_time_out_that_is_none_is_refused(seconds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL_READ_SECONDS", seconds)
    with pytest.raises(ConfigurationError, match="CLEW_MODEL_READ_SECONDS"):
        answering()


def test_a_guardrail_stands_before_every_model_that_answers() -> None:
    settings = answering(
        chat_model="bedrock", fallback_model_id=NOVA, bedrock_guardrail_id="gr4rd", bedrock_guardrail_version="3"
    )
    assert [model._guardrail for model in behind(wiring.models.chat_model(settings))] == [Guardrail("gr4rd", "3")] * 2
    assert behind(wiring.models.chat_model(answering(chat_model="bedrock")))[0]._guardrail is None
