"""The stage that turns are played on."""

import pytest
from mypy_boto3_dynamodb.service_resource import Table

from tests.unit.answering.stage import Stage


@pytest.fixture
def stage(table: Table) -> Stage:
    return Stage(table)
