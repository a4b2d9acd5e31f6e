"""The emulator's own time: the workflow's shape, with functions that do nothing."""

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.config import Config

from clew.local.project import REGION
from clew.local.running_stack import RunningStack
from tests.bench.figure import Figure, of_runs, tell, timed

GROUP = "the emulator's own time"
ROLE = "arn:aws:iam::000000000000:role/clew-bench"
NOTHING = "def handler(event, context):\n    return {}\n"


def measure(stack: RunningStack, runs: int) -> list[Figure]:
    """Route and two retrievals side by side as a question has them, and one bare execution."""
    tell("running workflows and a function that do nothing")
    lambda_ = emulator_client(stack, "lambda")
    with _function(lambda_) as function:

        def invoke() -> None:
            lambda_.invoke(FunctionName=function)["Payload"].read()

        invoked = timed(invoke, runs)
        same_shape = _executed(stack, _like_ours(function), runs)
    bare = _executed(stack, {"StartAt": "Nothing", "States": {"Nothing": {"Type": "Pass", "End": True}}}, runs)
    return [
        of_runs(GROUP, "StartSyncExecution of a Pass state", bare),
        of_runs(GROUP, "a function that does nothing", invoked),
        of_runs(GROUP, "a question's workflow with such functions", same_shape),
    ]


def emulator_client(stack: RunningStack, service: str) -> Any:
    # StartSyncExecution would go to sync-127.0.0.1 otherwise.
    config = Config(inject_host_prefix=False)
    session = boto3.Session("test", "test", region_name=REGION)
    return session.client(service, endpoint_url=stack.emulator_url, config=config)


def _executed(stack: RunningStack, definition: dict[str, Any], runs: int) -> list[float]:
    states = emulator_client(stack, "stepfunctions")
    made = states.create_state_machine(
        name=f"clew-bench-{uuid.uuid4().hex[:8]}", definition=json.dumps(definition), roleArn=ROLE, type="EXPRESS"
    )
    arn = made["stateMachineArn"]

    def execute() -> None:
        status = states.start_sync_execution(stateMachineArn=arn, input='{"plan": [1, 2]}')["status"]
        assert status == "SUCCEEDED", status

    try:
        return timed(execute, runs)
    finally:
        states.delete_state_machine(stateMachineArn=arn)


def _like_ours(function: str) -> dict[str, Any]:
    task = {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload.$": "$"},
        "ResultPath": "$.result",
    }
    retrieve = {"StartAt": "Retrieve", "States": {"Retrieve": {**task, "ResultPath": "$", "End": True}}}
    search = {"Type": "Map", "ItemsPath": "$.plan", "ItemProcessor": retrieve, "End": True}
    return {"StartAt": "Route", "States": {"Route": {**task, "Next": "Search"}, "Search": search}}


@contextmanager
def _function(lambda_: Any) -> Iterator[str]:
    name = f"clew-bench-{uuid.uuid4().hex[:8]}"
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("index.py", NOTHING)
    lambda_.create_function(
        FunctionName=name, Runtime="python3.13", Role=ROLE, Handler="index.handler", Code={"ZipFile": code.getvalue()}
    )
    try:
        yield name
    finally:
        lambda_.delete_function(FunctionName=name)
