"""The table: keys, stream, expiry, and what happens to it when the stack goes."""

import pytest

from clew.table_keys import FEEDBACK_BY_DAY
from tests.infra.template import StackTemplate


def test_keys_are_pk_and_sk(stack: StackTemplate) -> None:
    table = stack.only("AWS::DynamoDB::GlobalTable")
    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    assert {each["AttributeType"] for each in table["AttributeDefinitions"]} == {"S"}


def test_is_on_demand_and_streams_new_images(stack: StackTemplate) -> None:
    table = stack.only("AWS::DynamoDB::GlobalTable")
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_IMAGE"}


def test_one_index_lists_feedback_and_holds_nothing_else(stack: StackTemplate) -> None:
    (index,) = stack.only("AWS::DynamoDB::GlobalTable")["GlobalSecondaryIndexes"]
    assert index == {
        "IndexName": FEEDBACK_BY_DAY.name,
        "KeySchema": [
            {"AttributeName": FEEDBACK_BY_DAY.pk, "KeyType": "HASH"},
            {"AttributeName": FEEDBACK_BY_DAY.sk, "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "ALL"},
    }


def test_items_expire_by_expires_at(stack: StackTemplate) -> None:
    table = stack.only("AWS::DynamoDB::GlobalTable")
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_has_one_replica_that_can_be_restored_to_a_point_in_time(stack: StackTemplate) -> None:
    (replica,) = stack.only("AWS::DynamoDB::GlobalTable")["Replicas"]
    assert replica["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


@pytest.mark.parametrize(
    ("stage", "policy", "protected"),
    [("local", "Delete", False), ("dev", "Delete", False), ("prod", "Retain", True)],
)
def test_production_keeps_its_data(stage: str, policy: str, protected: bool, request: pytest.FixtureRequest) -> None:
    stack: StackTemplate = request.getfixturevalue(stage)
    (resource,) = [
        each for each in stack.template["Resources"].values() if each["Type"] == "AWS::DynamoDB::GlobalTable"
    ]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == (policy, policy)
    assert resource["Properties"]["Replicas"][0]["DeletionProtectionEnabled"] is protected
