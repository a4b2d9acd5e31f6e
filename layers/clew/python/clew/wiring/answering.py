"""The turn and what runs it."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.settings import AnswerSettings
from clew.wiring import memory, models, retrieval, stores

if TYPE_CHECKING:
    from clew.answering.prompting.token_counter import CountPrompt
    from clew.answering.running.answers import Answers
    from clew.answering.turn.turn import Turn


@lru_cache
def answers(settings: AnswerSettings) -> "Answers":
    """What gives answers; one for the process, since it holds what all turns share."""
    from clew.answering.running.answers import Answers
    from clew.observability.turns import observe_turns

    return Answers(
        turn(settings),
        lambda: stores.running_answers(settings),
        seconds=settings.turn_seconds,
        on_client_gone=settings.on_client_gone,
        observe=observe_turns(settings.stage),
    )


@lru_cache
def turn(settings: AnswerSettings) -> "Turn":
    from clew.answering.prompting.budget import ContextBudget
    from clew.answering.prompting.token_counter import counter_of
    from clew.answering.turn.searching import Searching
    from clew.answering.turn.turn import Turn

    return Turn(
        store=lambda tenant_id: stores.conversation_store(settings, tenant_id),
        knowledge_bases=lambda tenant_id: stores.knowledge_bases(settings, tenant_id),
        rewriter=lambda: models.rewriter(settings),
        searching=Searching(
            workflow=lambda: retrieval.retrieval_workflow(settings.workflow_arn),
            notes=lambda: stores.run_notes(settings),
            episodes=lambda tenant_id: memory.episodes(settings, tenant_id),
            user_memory=None if settings.long_term_memory == "none" else lambda: memory.long_term_memory(settings),
        ),
        model=lambda name: models.chat_model(settings, name),
        counter=lambda model: counter_of(model.name, _count_prompt(settings, model.name)),
        budget=ContextBudget.within(settings.context_tokens),
    )


@lru_cache
def _count_prompt(settings: AnswerSettings, model: str) -> "CountPrompt | None":
    """The chat model's own counter of tokens, where it has one."""
    if settings.chat_model != "bedrock":
        return None
    from clew.models.bedrock_token_counter import BedrockTokenCounter

    return BedrockTokenCounter(model, region=settings.bedrock_region, profile=settings.bedrock_profile).count
