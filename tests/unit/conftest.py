"""Unit tests open no sockets; DynamoDB is moto's, in process."""

import threading
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws
from mypy_boto3_dynamodb.service_resource import Table
from pytest_socket import disable_socket

from clew.table_keys import FEEDBACK_BY_DAY


def pytest_runtest_setup() -> None:
    disable_socket(allow_unix_socket=True)  # an event loop wakes itself through a pair of Unix sockets


@pytest.fixture(scope="session")
def aws_session(fake_aws_environment: None) -> boto3.Session:
    """One session for all tests: reading the service descriptions takes longer than most tests do."""
    return boto3.Session()


@pytest.fixture
def table(aws_session: boto3.Session) -> Iterator[Table]:
    """The one table, empty, with the keys that the stack gives it."""
    with mock_aws():
        resource = aws_session.resource("dynamodb")
        _one_at_a_time(resource.meta.client)
        yield resource.create_table(
            TableName="clew-test",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
                {"AttributeName": FEEDBACK_BY_DAY.pk, "AttributeType": "S"},
                {"AttributeName": FEEDBACK_BY_DAY.sk, "AttributeType": "S"},
            ],
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": FEEDBACK_BY_DAY.name,
                    "KeySchema": [
                        {"AttributeName": FEEDBACK_BY_DAY.pk, "KeyType": "HASH"},
                        {"AttributeName": FEEDBACK_BY_DAY.sk, "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )


def _one_at_a_time(client: Any) -> None:
    """Let calls from several threads come one after the other: moto reads and writes an item in two steps."""
    call, lock = client._make_api_call, threading.RLock()

    def locked(*values: Any) -> Any:
        with lock:
            return call(*values)

    client._make_api_call = locked
