"""Embedders and language models: to answer, to write one text and to rewrite messages."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.errors import ModelNotAllowedError
from clew.settings import AnswerSettings, ChatModelSettings, EmbedderSettings
from clew.wiring import secrets

if TYPE_CHECKING:
    from clew.answering.chat_model import ChatModel
    from clew.answering.rewriting.rewriter import Rewriter
    from clew.models.text_model import TextModel
    from clew.text.embedding import Embedder


@lru_cache
def embedder(settings: EmbedderSettings) -> "Embedder":
    match settings.embedder:
        case "e5":
            from clew.models.e5_embedder import E5Embedder

            return E5Embedder()
        case "bedrock":
            from clew.models.bedrock_embedder import BedrockEmbedder

            return BedrockEmbedder(settings.embedding_model_id)


def embedder_name(settings: EmbedderSettings) -> str:
    """What a knowledge base notes as its embedder: vectors of two of them do not compare."""
    return "e5" if settings.embedder == "e5" else settings.embedding_model_id


def embedder_part(settings: EmbedderSettings) -> EmbedderSettings:
    """The embedder's own settings, so that all that use it share one."""
    return EmbedderSettings.load(**{name: getattr(settings, name) for name in EmbedderSettings.model_fields})


def chat_model(settings: AnswerSettings, model: str = "") -> "ChatModel":
    """The stage's own chat model, or ``model`` where a request names one; ModelNotAllowedError as ``check_model``."""
    check_model(settings, model)
    return _chat_model(settings, model)


def check_model(settings: AnswerSettings, model: str) -> None:
    """ModelNotAllowedError where the stage does not let a request choose ``model``; empty is the stage's own."""
    if not model:
        return
    if settings.chat_model == "extractive":
        raise ModelNotAllowedError("This service answers without a language model. Leave out 'model'.")
    if model not in settings.models_allowed:
        allowed = ", ".join(settings.models_allowed)
        told = f"Allowed: {allowed}; or leave out 'model'." if allowed else "Leave out 'model'."
        raise ModelNotAllowedError(f"The model {model[:140]!r} may not be chosen. {told}")


@lru_cache
def _chat_model(settings: AnswerSettings, model: str) -> "ChatModel":
    if settings.chat_model == "extractive":
        from clew.models.extractive.extractive_chat import ExtractiveChat

        return ExtractiveChat(embedder(embedder_part(settings)))
    from clew.models.backing_off_chat import BackingOffChat

    own = settings.bedrock_model_id if settings.chat_model == "bedrock" else settings.openai_model
    fallback = settings.fallback_model_id
    return BackingOffChat(
        _language_model(settings, model or own),
        _language_model(settings, fallback) if fallback not in ("", model or own) else None,
    )


def _language_model(settings: AnswerSettings, model: str) -> "ChatModel":
    """A model of the provider that the settings name, asked once."""
    if settings.chat_model == "openai":
        from clew.models.openai_chat import OpenAIChat

        return OpenAIChat(
            settings.openai_base_url,
            model,
            _api_key(settings),
            connect_timeout=settings.model_connect_seconds,
            read_timeout=settings.model_read_seconds,
        )
    from clew.models.bedrock_chat import BedrockChat, Guardrail

    guardrail = Guardrail(settings.bedrock_guardrail_id, settings.bedrock_guardrail_version)
    return BedrockChat(
        model,
        region=settings.bedrock_region,
        profile=settings.bedrock_profile,
        guardrail=guardrail if guardrail.id else None,
        connect_timeout=settings.model_connect_seconds,
        read_timeout=settings.model_read_seconds,
    )


@lru_cache
def text_model(
    settings: ChatModelSettings, connect_timeout: float = 5, read_timeout: float = 30, attempts: int = 2
) -> "TextModel | None":
    """The chat model, to be asked for one text at a time; None where it is no language model."""
    match settings.chat_model:
        case "extractive":
            return None
        case "bedrock":
            from clew.models.bedrock_converse import BedrockConverse

            return BedrockConverse(
                settings.bedrock_model_id,
                region=settings.bedrock_region,
                profile=settings.bedrock_profile,
                connect_timeout=connect_timeout,
                read_timeout=read_timeout,
                attempts=attempts,
            )
        case "openai":
            from clew.models.openai_text import OpenAIText

            return OpenAIText(
                settings.openai_base_url,
                settings.openai_model,
                _api_key(settings),
                connect_timeout=connect_timeout,
                read_timeout=read_timeout,
            )


@lru_cache
def rewriter(settings: ChatModelSettings) -> "Rewriter":
    """What makes messages stand alone: the chat model if it is a language model, else and where it fails the rule."""
    from clew.answering.rewriting.rule import RuleRewriter

    model = text_model(settings, connect_timeout=1, read_timeout=3, attempts=1)  # a person waits
    if model is None:
        return RuleRewriter()
    from clew.answering.rewriting.falling_back import FallingBackRewriter
    from clew.models.model_rewriter import ModelRewriter

    return FallingBackRewriter(ModelRewriter(model), RuleRewriter())


def _api_key(settings: ChatModelSettings) -> str:
    return secrets.api_key(settings.openai_api_key_secret)
