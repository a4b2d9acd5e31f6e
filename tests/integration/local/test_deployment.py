"""The emulator as an account: the graph's secret, and settings made in the shell."""

import io
import json
import zipfile
from collections.abc import Iterator

import boto3
import pytest

from clew.local.data_directory import DataDirectory
from clew.local.deployment import EmulatedAccount
from clew.local.emulator import emulator_url, start_emulator, wait_for_emulator
from clew.local.graph import GraphAddress
from clew.local.ports import free_port
from clew.local.project import SECRET_NAME

TEMPLATE = {
    "Resources": {
        "Router": {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "FunctionName": "clew-local-router",
                "Environment": {"Variables": {"KB_AUTO_ROUTE": "true", "CLEW_TABLE_NAME": {"Ref": "Table"}}},
            },
        },
        "Table": {"Type": "AWS::DynamoDB::GlobalTable"},
    }
}
HANDLER = "import os\ndef handler(event, context):\n    return dict(os.environ)\n"


@pytest.fixture
def url(data: DataDirectory) -> Iterator[str]:
    port = free_port()
    child = start_emulator(data, port, {"PATH": "/bin", "KB_AUTO_ROUTE": "false"})
    try:
        wait_for_emulator(child, emulator_url(port))
        yield emulator_url(port)
    finally:
        child.stop()


def invoke(functions) -> dict[str, str]:
    answer = functions.invoke(FunctionName="clew-local-router")
    assert "FunctionError" not in answer, answer
    return json.loads(answer["Payload"].read())


def test_the_secret_is_made_and_then_follows_the_graph(url: str) -> None:
    secrets = boto3.client("secretsmanager", endpoint_url=url, region_name="us-east-1")
    for bolt_port in (7001, 7002):
        EmulatedAccount(url).put_graph_secret(GraphAddress(bolt_port, 7003, "word"))
        value = json.loads(secrets.get_secret_value(SecretId=SECRET_NAME)["SecretString"])
        assert value["uri"] == f"bolt://127.0.0.1:{bolt_port}"


def test_no_stack_has_no_outputs(url: str) -> None:
    assert EmulatedAccount(url).outputs("Clew-local") is None


def test_a_declared_setting_of_the_shell_reaches_a_warm_function_and_goes_again(url: str) -> None:
    functions = boto3.client("lambda", endpoint_url=url, region_name="us-east-1")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("handler.py", HANDLER)
    functions.create_function(
        FunctionName="clew-local-router",
        Runtime="python3.13",
        Role="arn:aws:iam::000000000000:role/any",
        Handler="handler.handler",
        Code={"ZipFile": archive.getvalue()},
        Environment={"Variables": {"KB_AUTO_ROUTE": "true", "CLEW_TABLE_NAME": "deployed"}},
    )
    account = EmulatedAccount(url)
    assert invoke(functions)["KB_AUTO_ROUTE"] == "true"

    account.apply_settings(TEMPLATE, {"KB_AUTO_ROUTE": "false", "CLEW_CHAT_MODEL": "bedrock"})
    seen = invoke(functions)
    assert (seen["KB_AUTO_ROUTE"], seen["CLEW_TABLE_NAME"]) == ("false", "deployed")
    assert "CLEW_CHAT_MODEL" not in seen

    account.apply_settings(TEMPLATE, {})
    assert invoke(functions)["KB_AUTO_ROUTE"] == "true"
