"""The emulator as the stack starts and stops it."""

import contextlib
import socket
import sys
from collections.abc import Iterator

import boto3
import pytest

from clew.local.child import Child, identity
from clew.local.data_directory import DataDirectory
from clew.local.emulator import emulator_url, start_emulator, wait_for_emulator
from clew.local.ports import free_port


@contextlib.contextmanager
def emulator(data: DataDirectory) -> Iterator[tuple[Child, str]]:
    port = free_port()
    child = start_emulator(data, port, {})
    try:
        wait_for_emulator(child, emulator_url(port))
        yield child, emulator_url(port)
    finally:
        child.stop()


def client(service: str, url: str):
    return boto3.client(service, endpoint_url=url, region_name="us-east-1")


def test_items_objects_and_secrets_survive_a_restart_on_another_port(data: DataDirectory) -> None:
    key = {"pk": {"S": "a"}}
    with emulator(data) as (_, url):
        client("dynamodb", url).create_table(
            TableName="table",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        )
        client("dynamodb", url).put_item(TableName="table", Item=key | {"text": {"S": "盗梦空间"}})
        client("s3", url).create_bucket(Bucket="bucket")
        client("s3", url).put_object(Bucket="bucket", Key="k", Body=b"bytes")
        client("secretsmanager", url).create_secret(Name="clew/local/neo4j", SecretString="{}")
    with emulator(data) as (_, url):
        item = client("dynamodb", url).get_item(TableName="table", Key=key)["Item"]
        stored = client("s3", url).get_object(Bucket="bucket", Key="k")["Body"].read()
        secret = client("secretsmanager", url).get_secret_value(SecretId="clew/local/neo4j")["SecretString"]
    assert (item["text"]["S"], stored, secret) == ("盗梦空间", b"bytes", "{}")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of this machine")
def test_it_listens_on_one_loopback_address_alone(data: DataDirectory) -> None:
    with emulator(data) as (_, url), socket.socket() as other:
        assert other.connect_ex(("127.0.0.2", int(url.rpartition(":")[2]))) != 0


def test_it_ends_by_itself_when_asked(data: DataDirectory) -> None:
    with emulator(data) as (child, _):
        pid = child.pid
    assert child.exit_code() == 0
    assert identity(pid) is None
