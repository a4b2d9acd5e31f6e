"""The table and what is kept in it."""

from functools import lru_cache
from typing import TYPE_CHECKING

from clew.settings import TableSettings
from clew.wiring.aws import client_config

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

    from clew.conversation.feedback import FeedbackStore
    from clew.conversation.running_answers import RunningAnswers
    from clew.conversation.store import ConversationStore
    from clew.knowledge.registry import KnowledgeBaseRegistry
    from clew.retrieval.run_notes import RunNotes


@lru_cache
def dynamodb_table(name: str, timeout: float = 5, attempts: int = 4) -> "Table":
    """The table; a request that takes ``timeout`` seconds is given up and tried again rather than waited for."""
    import boto3

    config = client_config(connect_timeout=min(2, timeout), read_timeout=timeout, attempts=attempts)
    return boto3.resource("dynamodb", config=config).Table(name)


def conversation_store(settings: TableSettings, tenant_id: str) -> "ConversationStore":
    """The conversations of one tenant; cheap, so made for each request."""
    from clew.conversation.store import ConversationStore

    return ConversationStore(dynamodb_table(settings.table_name), tenant_id)


def running_answers(settings: TableSettings) -> "RunningAnswers":
    from clew.conversation.running_answers import RunningAnswers

    return RunningAnswers(dynamodb_table(settings.table_name))


def feedback(settings: TableSettings, tenant_id: str) -> "FeedbackStore":
    """What one tenant's users judged."""
    from clew.conversation.feedback import FeedbackStore

    return FeedbackStore(dynamodb_table(settings.table_name), tenant_id)


def knowledge_bases(settings: TableSettings, tenant_id: str) -> "KnowledgeBaseRegistry":
    """The knowledge bases of one tenant; cheap, so made for each request."""
    from clew.knowledge.registry import KnowledgeBaseRegistry

    return KnowledgeBaseRegistry(dynamodb_table(settings.table_name), tenant_id)


def run_notes(settings: TableSettings) -> "RunNotes":
    """The notes of finished runs; one that is late is worth nothing, so nobody waits for it or tries again."""
    from clew.retrieval.run_notes import RunNotes

    return RunNotes(dynamodb_table(settings.table_name, timeout=0.5, attempts=1))
