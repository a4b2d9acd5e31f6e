"""The memory function: follows the table's stream and keeps each conversation's memory up to date."""

import time
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord, DynamoDBRecordEventName
from aws_lambda_powertools.utilities.typing import LambdaContext

from clew import wiring
from clew.conversation.change import Cleared, read_change
from clew.conversation.message import Message
from clew.errors import ClewError
from clew.observability import metrics
from clew.observability.correlation import bound
from clew.observability.failures import place
from clew.observability.invocations import observed
from clew.observability.logs import function_logger
from clew.settings import MemorySettings
from clew.table_keys import parse_conversation_pk

if TYPE_CHECKING:
    from clew.memory.keeper import Kept, MemoryKeeper

LAST_START_MS: Final = 90_000
"""What one record may take: with less than this left, the rest of the batch is left to another call.

A model that summarises may be tried twice, each time 5 s to connect and 30 s to answer, and long-term memory may
take 10 s; the rest is for graph and table. A call that ran out of time would have all its records sent once more.
"""

logger = function_logger()


class _HeldBackError(Exception):
    """A record that was not tried, since one before it has to come first or time is running out."""


@lru_cache
def settings() -> MemorySettings:
    return MemorySettings.load()


@lru_cache(maxsize=256)
def keeper(tenant_id: str) -> "MemoryKeeper":
    return wiring.memory.memory_keeper(settings(), tenant_id)


@logger.inject_lambda_context
@observed(lambda _: "")
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    batch = _Batch(context)
    # Where all records fail the answer says so, as where some do: the stream goes on from the first of them.
    processor = BatchProcessor(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
    answer = process_partial_response(event, batch.take_in, processor, context)
    batch.report(records=len(event["Records"]), not_taken_in=len(answer["batchItemFailures"]))
    return {"batchItemFailures": answer["batchItemFailures"]}


class _Batch:
    """One call's records, in the order of the stream, and what became of them."""

    def __init__(self, context: LambdaContext) -> None:
        self._context = context
        self._waiting: set[str] = set()  # partitions of conversations of which a record has failed
        self._failures = 0
        self._lag_ms = 0.0
        self._kept: dict[str, int] = {}

    def take_in(self, record: DynamoDBRecord) -> None:
        """Take in a record, unless an earlier one of its conversation has failed: it would come before it.

        That a conversation was cleared is taken in at any time, since an episode that comes too late stays out.
        What the stream's filter keeps away is passed over, for whoever hands in records by hand.
        """
        if not record.dynamodb:
            return
        item = {**record.dynamodb.new_image, **record.dynamodb.keys}
        # A record knows nothing of the request that wrote it; what it is about is its conversation.
        with bound(correlation_id=parse_conversation_pk(item["pk"]) or item["pk"]):
            self._take_in(record, item)

    def _take_in(self, record: DynamoDBRecord, item: dict[str, Any]) -> None:
        try:
            change = _change(record, item)
            if change is None:
                return
            if not isinstance(change, Cleared) and item["pk"] in self._waiting:
                raise _HeldBackError
            if self._context.get_remaining_time_in_millis() < LAST_START_MS:
                raise _HeldBackError
            self._count(keeper(item["tenant_id"]).take_in(change))
        except Exception as error:
            self._note_failure(error, item)
            raise
        created = float(record.dynamodb.get("ApproximateCreationDateTime") or time.time())
        self._lag_ms = max(self._lag_ms, (time.time() - created) * 1000)

    def _count(self, kept: "Kept") -> None:
        for name, number in asdict(kept).items():
            self._kept[name] = self._kept.get(name, 0) + number

    def _note_failure(self, error: Exception, item: dict[str, Any]) -> None:
        self._waiting.add(item["pk"])
        if isinstance(error, _HeldBackError):
            return
        self._failures += 1
        where = {"pk": item["pk"], "sk": item["sk"]}
        if isinstance(error, ClewError):
            logger.warning("record failed: %s", type(error).__name__, extra=where | {"detail": str(error)})
        else:
            # Not with the error's text, which may repeat what somebody wrote.
            logger.error("record failed: %s", type(error).__name__, extra=where | {"at": place(error)})

    def report(self, *, records: int, not_taken_in: int) -> None:
        """One log line and one set of metrics for the whole batch."""
        values = {
            "TurnsIndexed": self._kept.get("indexed", 0),
            "TurnsRecovered": self._kept.get("recovered", 0),
            "SummariesMade": self._kept.get("summarised", 0),
            "EpisodesForgotten": self._kept.get("forgotten", 0),
            "RecordsFailed": self._failures,
            "LongTermMemoryFailed": self._kept.get("not_remembered", 0),
        }
        counts = {name: metrics.count(number) for name, number in values.items()}
        lag = {"MemoryLag": metrics.milliseconds(self._lag_ms)} if records > not_taken_in else {}
        metrics.write(settings().stage, lag | counts)
        kept = {name: count for name, count in self._kept.items() if count}
        logger.info("stream followed", records=records, failures=self._failures, not_taken_in=not_taken_in, **kept)


def _change(record: DynamoDBRecord, item: dict[str, Any]) -> Message | Cleared | None:
    """The new message or the clear that a record tells of."""
    if record.event_name is DynamoDBRecordEventName.REMOVE:
        return None
    change = read_change(item)
    return change if isinstance(change, Cleared) or record.event_name is DynamoDBRecordEventName.INSERT else None
