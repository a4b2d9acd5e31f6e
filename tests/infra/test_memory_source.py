"""The memory function's way to the table's stream."""

import json
from typing import Any

import pytest

from clew.table_keys import (
    Key,
    feedback_key,
    head_key,
    knowledge_base_key,
    message_key,
    pending_key,
    run_note_key,
    session_key,
    summary_key,
)
from tests.infra.template import StackTemplate

CONVERSATION = "c" + 31 * "0"


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
    assert mapping["MaximumRetryAttempts"] == 10
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


def passes(mapping: dict[str, Any], event: str, key: Key, *attributes: str) -> bool:
    """Whether the record of an item with these attributes passes one of the filters, by Lambda's rules."""
    record = {
        "eventName": event,
        "dynamodb": {
            "Keys": {"pk": {"S": key.pk}, "sk": {"S": key.sk}},
            "NewImage": {name: {"S": "x"} for name in attributes},
        },
    }
    return any(matches(json.loads(each["Pattern"]), record) for each in mapping["FilterCriteria"]["Filters"])


def matches(pattern: dict[str, Any], value: Any) -> bool:
    return all(
        matches(rule, value.get(name, {}))
        if isinstance(rule, dict)
        else any(fits(each, value.get(name)) for each in rule)
        for name, rule in pattern.items()
    )


def fits(rule: Any, value: str | None) -> bool:
    match rule:
        case {"prefix": prefix}:
            return value is not None and value.startswith(prefix)
        case {"exists": there}:
            return (value is not None) is there
        case str():
            return value == rule
    raise AssertionError(f"not expected here: {rule!r}")


def test_new_messages_pass_the_filter_and_no_other_change_of_one(mapping: dict[str, Any]) -> None:
    key = message_key(CONVERSATION, 7)
    assert [passes(mapping, event, key, "content") for event in ("INSERT", "MODIFY", "REMOVE")] == [True, False, False]


def test_of_summaries_those_pass_that_were_cleared(mapping: dict[str, Any]) -> None:
    key = summary_key(CONVERSATION)
    for event in ("INSERT", "MODIFY"):
        assert passes(mapping, event, key, "text", "cleared_at")
        assert not passes(mapping, event, key, "text")
    assert not passes(mapping, "REMOVE", key, "text", "cleared_at")


def test_other_items_do_not_pass(mapping: dict[str, Any]) -> None:
    others = [
        head_key(CONVERSATION),
        pending_key(CONVERSATION),
        feedback_key(CONVERSATION, 7),
        session_key("t", "u", "s"),
        knowledge_base_key("t", "movie"),
        run_note_key("e", "movie:graph_agent:retrieve_only"),
    ]
    assert not any(passes(mapping, "INSERT", key, "cleared_at") for key in others)
