"""Memory: episodes, summaries, what is known of users over all conversations, and what keeps them."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.settings import AnswerSettings, ChatModelSettings, LongTermMemorySettings, MemorySettings
from clew.wiring import graph, models, secrets, stores

if TYPE_CHECKING:
    from clew.memory.episodes import Episodes
    from clew.memory.keeper import MemoryKeeper
    from clew.memory.long_term import LongTermMemory
    from clew.memory.summariser import Summariser


def episodes(settings: AnswerSettings | MemorySettings, tenant_id: str) -> "Episodes":
    """The episodes of one tenant's conversations; cheap once the graph is open, so made for each request."""
    from clew.memory.episodes import Episodes

    opened, schema = graph.graph_and_schema(graph.graph_part(settings))
    return Episodes(opened, schema, models.embedder(models.embedder_part(settings)), tenant_id)


@lru_cache
def long_term_memory(settings: LongTermMemorySettings) -> "LongTermMemory | None":
    """What is kept of users over all conversations, where that is configured; nothing is sent yet."""
    match settings.long_term_memory:
        case "none":
            return None
        case "mem0":
            from clew.memory.mem0 import Mem0

            return Mem0(settings.mem0_url, lambda: secrets.api_key(settings.mem0_api_key_secret))


@lru_cache
def summariser(settings: ChatModelSettings) -> "Summariser":
    """What extends conversations' summaries: the chat model if it is a language model, else the rule."""
    model = models.text_model(settings)
    if model is None:
        return summariser_by_rule()
    from clew.models.model_summariser import ModelSummariser

    return ModelSummariser(model, summariser_by_rule())


@lru_cache
def summariser_by_rule() -> "Summariser":
    from clew.memory.extractive_summary import ExtractiveSummariser

    return ExtractiveSummariser()


def memory_keeper(settings: MemorySettings, tenant_id: str) -> "MemoryKeeper":
    """What keeps the memory of one tenant's conversations."""
    from clew.memory.keeper import MemoryKeeper

    return MemoryKeeper(
        store=stores.conversation_store(settings, tenant_id),
        episodes=episodes(settings, tenant_id),
        summariser=summariser(settings),
        long_term_memory=lambda: long_term_memory(settings),
        tenant_id=tenant_id,
    )
