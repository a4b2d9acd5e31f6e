"""The follow-up state: a question that the assistant has put to the user and waits on for a day."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import from_json, to_json

from clew.conversation.clock import Clock, utc_now
from clew.identifiers import check_outside_id
from clew.routing.intent import Slot
from clew.table import ItemTable
from clew.table_keys import pending_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

LIFE: Final = timedelta(hours=24)


class PendingIntent(BaseModel):
    """What the user wanted when the assistant asked back, and what is known of it so far.

    ``original_query`` is the question that the asking interrupted, standing alone; ``missing`` are the slots
    still to be filled, the one that was asked for first; ``ask_user_count`` how often was asked, this time
    included.
    """

    model_config = ConfigDict(frozen=True)

    intent: str
    kb_prefix: str = ""
    agent_type: str = ""
    original_query: str = ""
    known: dict[str, str] = Field(default_factory=dict)
    missing: tuple[Slot, ...] = ()
    ask_user_count: int = 1


class PendingIntents:
    """One tenant's open follow-up questions, at most one a conversation; each lives 24 hours."""

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def put(self, conversation_id: str, pending: PendingIntent) -> None:
        """Open a follow-up question, over one that is open already."""
        expires_at = int((self._clock() + LIFE).timestamp())
        item = {"intent": pending.intent, "known": to_json(pending.known).decode(), "expires_at": expires_at}
        self._table.put(pending_key(conversation_id), item | {"tenant_id": self._tenant_id})

    def find(self, conversation_id: str) -> PendingIntent | None:
        """The open follow-up question, by the clock: DynamoDB deletes expired items up to days late."""
        item = self._table.get(pending_key(conversation_id))
        if item is None or item["tenant_id"] != self._tenant_id:
            return None
        if item["expires_at"] <= self._clock().timestamp():
            return None
        return PendingIntent(intent=item["intent"], known=from_json(item["known"]))

    def drop(self, conversation_id: str) -> None:
        """Close the follow-up question, if one is open."""
        self._table.delete(pending_key(conversation_id))
