"""Environments that lead to the emulator and nowhere else."""

import os

import pytest

from clew.local.answer_server import answer_environment
from clew.local.environment import (
    applied,
    aws_environment,
    ingest_environment,
    shell_settings,
    without_settings,
)
from clew.local.running_stack import RunningStack
from clew.settings import IngestSettings

URL = "http://127.0.0.1:4566"
SHELL = {
    "PATH": "/bin",
    "AWS_PROFILE": "production",
    "AWS_SESSION_TOKEN": "real",
    "AWS_ENDPOINT_URL_DYNAMODB": "https://dynamodb.example.com",
    "AWS_ACCESS_KEY_ID": "real",
    "AWS_CONFIG_FILE": "/home/me/aws",
    "CLEW_CHAT_MODEL": "bedrock",
    "CLEW_BEDROCK_PROFILE": "models",
    "CLEW_TABLE_NAME": "production-table",
    "CLEW_PORT": "9000",
    "KB_AUTO_ROUTE": "false",
}
STACK = RunningStack(
    pid=1,
    url="http://127.0.0.1:8000",
    port=8000,
    emulator_url=URL,
    graph_uri="bolt://127.0.0.1:7687",
    table_name="local-table",
    workflow_arn="arn:aws:states:us-east-1:000000000000:stateMachine:w",
    rest_api_url=URL + "/_aws/execute-api/a/local",
    answer_url="http://127.0.0.1:1",
    log_dir="/logs",
)


def test_nothing_of_a_real_account_remains() -> None:
    environment = aws_environment(URL, SHELL)
    assert "real" not in environment.values()
    assert not {"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_DYNAMODB"} & set(environment)
    assert environment["AWS_ENDPOINT_URL"] == URL
    assert environment["PATH"] == "/bin"


def test_the_place_of_profiles_remains_for_bedrock() -> None:
    assert aws_environment(URL, SHELL)["AWS_CONFIG_FILE"] == "/home/me/aws"


def test_loopback_goes_past_a_proxy_and_the_shells_exceptions_remain() -> None:
    assert aws_environment(URL, {"NO_PROXY": "intern"})["NO_PROXY"] == "intern,127.0.0.1,localhost"


def test_choices_of_the_shell_are_settings_but_ties_between_parts_are_not() -> None:
    assert shell_settings(SHELL) == {
        "CLEW_CHAT_MODEL": "bedrock",
        "CLEW_BEDROCK_PROFILE": "models",
        "KB_AUTO_ROUTE": "false",
    }


def test_functions_inherit_no_setting_from_the_shell() -> None:
    left = without_settings(SHELL)
    assert not [name for name in left if name.startswith("CLEW_") or name == "KB_AUTO_ROUTE"]


def test_the_answer_server_has_the_deployed_variables_under_the_shells_choices() -> None:
    deployed = {
        "CLEW_TABLE_NAME": "local-table",
        "CLEW_CHAT_MODEL": "extractive",
        "CLEW_IDENTITY": "none",
        "AWS_LAMBDA_EXEC_WRAPPER": "/opt/bootstrap",
    }
    environment = answer_environment(deployed, URL, SHELL)
    assert environment["CLEW_TABLE_NAME"] == "local-table"
    assert environment["CLEW_CHAT_MODEL"] == "bedrock"
    assert environment["CLEW_IDENTITY"] == "none"
    assert "AWS_LAMBDA_EXEC_WRAPPER" not in environment


def test_ingest_settings_load_from_a_running_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "production")
    before = dict(os.environ)
    with applied(ingest_environment(STACK)):
        settings = IngestSettings.load()
        assert "AWS_PROFILE" not in os.environ
    assert (settings.table_name, settings.graph_engine, settings.embedder) == (
        "local-table",
        "arcadedb",
        "e5",
    )
    assert dict(os.environ) == before
