"""The follow-up state: a question that the assistant has put to the user and waits on for a day."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clew.conversation.clock import Clock, utc_now
from clew.identifiers import check_outside_id
from clew.routing.intent import Slot
from clew.table import ConditionFailedError, Item, ItemTable
from clew.table_keys import pending_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

LIFE: Final = timedelta(hours=24)
TAKEN_FOR: Final = timedelta(seconds=60)
"""So long a reply keeps others from filling the same slot; if its turn dies without a word, another may then."""


class PendingIntent(BaseModel):
    """What the user wanted when the assistant asked back, and what is known of it so far.

    ``original_query`` is the question that the asking interrupted, standing alone; ``missing`` are the slots
    still to be filled, the one that was asked for first; ``ask_user_count`` how often was asked, this time
    included, and ``unanswered`` how many of those times no answer came, this time not included. ``asked_seq`` is
    the number of the user's message whose turn asked, and tells one asking from another; 0 where it is not known.
    """

    model_config = ConfigDict(frozen=True)

    intent: str
    kb_prefix: str = ""
    agent_type: str = ""
    original_query: str = ""
    known: dict[str, str] = Field(default_factory=dict)
    missing: tuple[Slot, ...] = ()
    ask_user_count: int = 1
    unanswered: int = 0
    asked_seq: int = 0


class PendingIntents:
    """One tenant's open follow-up questions, at most one a conversation; each lives 24 hours."""

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def put(self, conversation_id: str, pending: PendingIntent, asked_seq: int = 0) -> None:
        """Open a follow-up question, over one that is open already, as asked by the turn of message ``asked_seq``."""
        asked = pending.model_copy(update={"asked_seq": asked_seq}) if asked_seq else pending
        self._table.put(
            pending_key(conversation_id),
            {
                "state": asked.model_dump_json(exclude_defaults=True, exclude={"asked_seq"}),
                "asked_seq": asked.asked_seq,
                "expires_at": int((self._clock() + LIFE).timestamp()),
                "tenant_id": self._tenant_id,
            },
        )

    def find(self, conversation_id: str) -> PendingIntent | None:
        """The open follow-up question, by the clock: DynamoDB deletes expired items up to days late."""
        item = self._table.get(pending_key(conversation_id))
        return read_pending(item, self._clock()) if item and item["tenant_id"] == self._tenant_id else None

    def take(self, conversation_id: str, pending: PendingIntent, seq: int) -> bool:
        """Claim the question for the reply with number ``seq``; False where another reply has, or it is closed.

        Of two replies at once one fills the slot. The same reply may claim it again, so that a repeated message
        goes on where its first try broke off; another may a minute later. ``put``, ``drop`` and ``release`` end
        the claim.
        """
        now = int(self._clock().timestamp())
        free = "attribute_not_exists(#taken_by) OR #taken_by = :seq OR #taken_at <= :over"
        try:
            self._table.update(
                pending_key(conversation_id),
                "SET #taken_by = :seq, #taken_at = :now",
                f"#tenant_id = :tenant AND #asked_seq = :asked AND #expires_at > :now AND ({free})",
                {
                    ":seq": seq,
                    ":now": now,
                    ":over": now - int(TAKEN_FOR.total_seconds()),
                    ":tenant": self._tenant_id,
                    ":asked": pending.asked_seq,
                },
            )
        except ConditionFailedError:
            return False
        return True

    def release(self, conversation_id: str, pending: PendingIntent, seq: int) -> None:
        """Give up the claim of the reply with number ``seq``, whose turn broke off: any reply may claim it at once.

        Nothing happens where another reply has claimed it since, or the question is closed or another one.
        """
        try:
            self._table.update(
                pending_key(conversation_id),
                "REMOVE #taken_by, #taken_at",
                "#tenant_id = :tenant AND #asked_seq = :asked AND #taken_by = :seq",
                {":tenant": self._tenant_id, ":asked": pending.asked_seq, ":seq": seq},
            )
        except ConditionFailedError:
            return

    def drop(self, conversation_id: str, pending: PendingIntent | None = None) -> None:
        """Close the follow-up question, if one is open; with ``pending``, that one alone and no later one."""
        if pending is None:
            self._table.delete(pending_key(conversation_id))
            return
        try:
            self._table.delete(pending_key(conversation_id), "#asked_seq = :asked", {":asked": pending.asked_seq})
        except ConditionFailedError:
            return


def read_pending(item: Item, now: datetime) -> PendingIntent | None:
    """The question of an item, unless it has expired.

    One that cannot be read, of another version, is as none: its user asks again, and a turn goes on.
    """
    if int(item["expires_at"]) <= now.timestamp():
        return None
    try:
        found = PendingIntent.model_validate_json(item["state"])
    except (KeyError, ValidationError):
        return None
    return found.model_copy(update={"asked_seq": int(item.get("asked_seq", 0))})
