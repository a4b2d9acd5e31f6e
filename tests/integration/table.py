"""The one table in process, for tests whose subject is another part."""

import boto3
from mypy_boto3_dynamodb.service_resource import Table


def profiles_table(session: boto3.Session) -> Table:
    """The table with the keys that the stack gives it; the caller has put moto in place."""
    return session.resource("dynamodb").create_table(
        TableName="clew-test",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        KeySchema=[
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
    )
