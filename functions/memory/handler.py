"""The memory function: follows the table's stream and notes which messages it has taken in."""

from functools import lru_cache
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import (
    DynamoDBRecord,
    DynamoDBRecordEventName,
)
from aws_lambda_powertools.utilities.typing import LambdaContext

from clew import wiring
from clew.conversation.memory_mark import take_in
from clew.settings import MemorySettings

logger = Logger()


@lru_cache
def settings() -> MemorySettings:
    return MemorySettings.load()


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    # Where all records fail the answer says so, as where some do: the stream goes on from the first of them.
    processor = BatchProcessor(
        EventType.DynamoDBStreams,
        raise_on_entire_batch_failure=False,
        logger=logger,  # type: ignore[arg-type]  # takes Powertools' logger too, which is no logging.Logger
    )
    answer = process_partial_response(event, record_handler, processor, context)
    failures = answer["batchItemFailures"]
    logger.info("stream followed", records=len(event["Records"]), failures=len(failures))
    return {"batchItemFailures": failures}


def record_handler(record: DynamoDBRecord) -> None:
    if record.event_name is DynamoDBRecordEventName.INSERT and record.dynamodb:
        keys = record.dynamodb.keys
        take_in(wiring.dynamodb_table(settings().table_name), keys["pk"], keys["sk"])
