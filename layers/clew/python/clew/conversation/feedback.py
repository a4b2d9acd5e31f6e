"""Feedback: judgements beside the messages that they judge, and listed by agent and day for the operator."""

from collections.abc import Mapping
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clew import table_keys as keys
from clew.conversation.clock import Clock, timestamp, utc_now
from clew.conversation.codec import feedback_item, read_feedback, read_message
from clew.conversation.message import Feedback, FeedbackPage
from clew.errors import InvalidRequestError, MessageNotFoundError
from clew.identifiers import check_outside_id
from clew.routing.worker_name import GENERAL
from clew.table import Item, ItemTable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

_NOT_NAMED: Final = ("", "auto")  # "auto" leaves the worker to the router where one may be named


class FeedbackStore:
    """Judgements of one tenant's messages, at most one a message; safe to share between threads."""

    def __init__(self, table: "Table", tenant_id: str, clock: Clock = utc_now) -> None:
        self._table = ItemTable(table)
        self._tenant_id = check_outside_id(tenant_id, "tenant_id")
        self._clock = clock

    def put(self, conversation_id: str, feedback: Feedback) -> None:
        """Store a judgement of one message, over an earlier one.

        Where it names no agent type, it is that of the answer's route, ``general`` for an answer without one.
        Raises MessageNotFoundError if there is no such message.
        """
        place = keys.parse_message_id(feedback.message_id)
        if place is None or place.conversation_id != conversation_id:
            raise MessageNotFoundError(feedback.message_id)
        message = read_message(self._message(place))
        named = feedback.agent_type if feedback.agent_type not in _NOT_NAMED else _answering_agent(message.debug)
        agent_type = check_outside_id(named, "agent_type")
        created_at = feedback.created_at or timestamp(self._clock())
        stored = feedback.model_copy(update={"agent_type": agent_type, "created_at": created_at})
        index = {
            keys.FEEDBACK_BY_DAY.pk: keys.feedback_day(self._tenant_id, agent_type, created_at[:10]),
            keys.FEEDBACK_BY_DAY.sk: keys.feedback_at(created_at, feedback.message_id),
        }
        self._table.put(keys.feedback_key(*place), feedback_item(stored) | index | {"tenant_id": self._tenant_id})
        try:
            self._message(place)
        except MessageNotFoundError:  # a clear came between, and may have looked for feedback before it was there
            self._table.delete(keys.feedback_key(*place))
            raise

    def of_messages(self, conversation_id: str, first: int, last: int) -> dict[int, Feedback]:
        """Judgements of the messages from number ``first`` to ``last``, by the message's number."""
        between = keys.feedback_sk(conversation_id, first), keys.feedback_sk(conversation_id, last)
        judged: dict[int, Feedback] = {}
        for item in self._table.query(keys.conversation_pk(conversation_id), between=between):
            feedback = read_feedback(item)
            if place := keys.parse_message_id(feedback.message_id):
                judged[place.seq] = feedback
        return judged

    def list(self, agent_type: str, day: str, limit: int = 50, cursor: str = "") -> FeedbackPage:
        """Judgements of one agent's answers that were given or last changed on ``day`` (YYYY-MM-DD, UTC).

        A judgement of a moment ago may be missing still. ``cursor`` is the ``next_cursor`` of the page before.
        """
        check_outside_id(agent_type, "agent_type")
        if limit < 1:
            raise InvalidRequestError(f"limit is {limit}; it must be at least 1.", {"limit": "is below 1"})
        _check_day(day)
        if cursor and not cursor.startswith(day):
            raise InvalidRequestError("cursor is of another day.", {"cursor": "is of another day"})
        partition = keys.feedback_day(self._tenant_id, agent_type, day)
        between = (day, cursor or day + "~")  # "~" sorts behind all that follows a day
        found = self._table.query(
            partition, between=between, newest_first=True, page=limit + 2, index=keys.FEEDBACK_BY_DAY
        )
        items = list(islice((item for item in found if _at(item) != cursor), limit + 1))
        page = items[:limit]
        next_cursor = _at(page[-1]) if len(items) > limit else ""
        return FeedbackPage(feedback=tuple(map(read_feedback, page)), next_cursor=next_cursor)

    def _message(self, place: keys.MessagePlace) -> Item:
        item = self._table.get(keys.message_key(*place))
        if item is None or item["tenant_id"] != self._tenant_id:
            raise MessageNotFoundError(keys.message_id(*place))
        return item


def _answering_agent(debug: Mapping[str, Any]) -> str:
    """The agent type of the first worker of an answer's route."""
    route = debug.get("route")
    worker_name = route.get("worker_name") if isinstance(route, Mapping) else None
    parts = worker_name.split(":") if isinstance(worker_name, str) else []
    return parts[1] if len(parts) > 1 else GENERAL


def _at(item: Item) -> str:
    at: str = item[keys.FEEDBACK_BY_DAY.sk]
    return at


def _check_day(day: str) -> None:
    try:
        if date.fromisoformat(day).isoformat() == day:
            return
    except ValueError:
        pass
    raise InvalidRequestError(f"{day[:40]!r} is no day; write it as 2026-11-21.", {"day": "is no day"})
