"""The table of the stack, deployed on the emulator from the template that the CDK makes of it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from mypy_boto3_dynamodb.service_resource import Table

from clew.conversation.store import ConversationStore
from clew.local.data_directory import DataDirectory
from clew.local.emulator import emulator_url, start_emulator, wait_for_emulator
from clew.local.node import find_node
from clew.local.ports import free_port

THREADS = 50
STACK = "Clew-conversations"


@pytest.fixture(scope="package")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("conversations")
    data = DataDirectory(folder / ".clew")
    data.create()
    port = free_port()
    child = start_emulator(data, port, {})
    try:
        wait_for_emulator(child, emulator_url(port))
        config = Config(max_pool_connections=THREADS)
        resource = boto3.resource("dynamodb", endpoint_url=emulator_url(port), region_name="us-east-1", config=config)
        yield resource.Table(_deployed(emulator_url(port), _template(folder / "cdk.out")))
    finally:
        child.stop()


@pytest.fixture
def store(table: Table) -> ConversationStore:
    return ConversationStore(table, "acme")


def _template(outdir: Path) -> dict[str, Any]:
    """The table alone, as the stack of the laptop has it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in find_node().environment({}).items():
            patch.setenv(name, value)
        patch.setenv("JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION", "1")
        from aws_cdk import App, DefaultStackSynthesizer, Stack

        from infra.stages import STAGES
        from infra.table import Table as TableConstruct

        app = App(outdir=str(outdir))
        synthesizer = DefaultStackSynthesizer(generate_bootstrap_version_rule=False)
        TableConstruct(Stack(app, STACK, synthesizer=synthesizer), "Table", stage=STAGES["local"])
        template: dict[str, Any] = app.synth().get_stack_by_name(STACK).template
    return template


def _deployed(url: str, template: dict[str, Any]) -> str:
    """Deploy the template; the table's name."""
    formation = boto3.client("cloudformation", endpoint_url=url, region_name="us-east-1")
    formation.create_stack(StackName=STACK, TemplateBody=json.dumps(template))
    deadline = time.monotonic() + 30
    while (status := formation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"]) != "CREATE_COMPLETE":
        assert time.monotonic() < deadline, status
        time.sleep(0.1)
    (table,) = formation.describe_stack_resources(StackName=STACK)["StackResources"]
    assert table["ResourceType"] == "AWS::DynamoDB::GlobalTable"
    return table["PhysicalResourceId"]
