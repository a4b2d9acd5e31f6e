"""The memory function's way to the table's stream."""

import json
from typing import Any

import pytest

from clew.table_keys import (
    feedback_key,
    head_key,
    knowledge_base_key,
    message_key,
    pending_key,
    run_note_key,
    session_key,
)
from tests.infra.template import StackTemplate


@pytest.fixture
def mapping(stack: StackTemplate) -> dict[str, Any]:
    return stack.only("AWS::Lambda::EventSourceMapping")


def test_reads_the_tables_stream(mapping: dict[str, Any], stack: StackTemplate) -> None:
    (table,) = stack.of_type("AWS::DynamoDB::GlobalTable")
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": [table, "StreamArn"]}
    function = stack.of_type("AWS::Lambda::Function")[mapping["FunctionName"]["Ref"]]
    assert function["FunctionName"].endswith("-memory")


def test_failed_records_are_reported_bisected_retried_and_kept(mapping: dict[str, Any], stack: StackTemplate) -> None:
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BisectBatchOnFunctionError"] is True
    assert mapping["MaximumRetryAttempts"] == 3
    (queue,) = stack.of_type("AWS::SQS::Queue")
    assert mapping["DestinationConfig"]["OnFailure"]["Destination"] == {"Fn::GetAtt": [queue, "Arn"]}
    assert stack.resources("memory", "sqs:SendMessage") == [f"<{queue}.Arn>"]


def test_queue_of_failures_keeps_two_weeks_and_takes_only_tls(stack: StackTemplate) -> None:
    queue = stack.only("AWS::SQS::Queue")
    assert queue["MessageRetentionPeriod"] == 14 * 24 * 3600
    (statement,) = stack.only("AWS::SQS::QueuePolicy")["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Condition"]) == (
        "Deny",
        {"Bool": {"aws:SecureTransport": "false"}},
    )


def test_only_new_messages_pass_the_filter(mapping: dict[str, Any]) -> None:
    (criteria,) = mapping["FilterCriteria"]["Filters"]
    pattern = json.loads(criteria["Pattern"])
    assert pattern["eventName"] == ["INSERT"]
    wanted = {
        name: rule["S"][0]["prefix"] for name, rule in pattern["dynamodb"]["Keys"].items()
    }  # {"pk": prefix, "sk": prefix}
    conversation = "c" + 31 * "0"
    others = [
        head_key(conversation),
        pending_key(conversation),
        feedback_key(conversation, 7),
        session_key("t", "u", "s"),
        knowledge_base_key("t", "movie"),
        run_note_key("e", "movie:graph_agent:retrieve_only"),
    ]
    passes = [
        key.pk.startswith(wanted["pk"]) and key.sk.startswith(wanted["sk"])
        for key in (message_key(conversation, 7), *others)
    ]
    assert passes == [True, *(False for _ in others)]
