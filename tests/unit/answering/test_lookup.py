"""Calling the workflow: its answer read, its failures told apart."""

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ConnectTimeoutError
from botocore.stub import Stubber

from clew.answering.turn.lookup import LookupInput, RetrievalWorkflow
from clew.errors import ThrottledError, WorkflowError
from tests.unit.answering.stage import found, run

ARN = "arn:aws:states:us-east-1:123456789012:stateMachine:retrieval"
ASKED = LookupInput(tenant_id="acme", session_id="s1", message="谁执导了《盗梦空间》？")
WHEN = "2026-03-01T12:00:00Z"


@pytest.fixture
def stub(aws_session: boto3.Session) -> Any:
    client = aws_session.client("stepfunctions")
    with Stubber(client) as stubber:
        yield stubber


def answering(stub: Stubber, **fields: Any) -> RetrievalWorkflow:
    answer = {"executionArn": ARN, "startDate": WHEN, "stopDate": WHEN, "status": "SUCCEEDED"} | fields
    stub.add_response("start_sync_execution", answer)
    return RetrievalWorkflow(stub.client, ARN)


def test_the_input_is_what_the_workflow_expects(stub: Stubber) -> None:
    sent: list[dict[str, Any]] = []
    stub.client.meta.events.register("provide-client-params.stepfunctions.*", lambda params, **_: sent.append(params))
    answering(stub, output=found(run()).model_dump_json()).run(ASKED, "e1")
    assert (sent[0]["stateMachineArn"], sent[0]["name"]) == (ARN, "e1")
    assert json.loads(sent[0]["input"]) == {
        "tenant_id": "acme",
        "session_id": "s1",
        "message": "谁执导了《盗梦空间》？",
        "requested_kb_prefix": "",
        "agent_type": "",
        "intent": "",
        "known": {},
        "correlation_id": "",
    }


def test_the_output_is_the_decision_with_its_runs(stub: Stubber) -> None:
    wanted = found(run(), run("movie:naive_rag_agent:retrieve_only", error="GraphError"))
    assert answering(stub, output=wanted.model_dump_json()).run(ASKED, "e1") == wanted


def test_what_the_workflow_makes_of_a_failed_branch_is_a_run_with_an_error(stub: Stubber) -> None:
    output = json.loads(found(run()).model_dump_json())
    output["runs"][0] = {
        "worker_name": "movie:graph_agent:retrieve_only",
        "agent_type": "graph_agent",
        "passages": [],
        "linked": [],
        "took_ms": 0,
        "error": {"type": "Lambda.Unknown", "message": "The worker failed."},
    }
    (failed,) = answering(stub, output=json.dumps(output)).run(ASKED, "e1").runs
    assert failed.error is not None
    assert failed.error.type == "Lambda.Unknown"


@pytest.mark.parametrize("status", ["FAILED", "TIMED_OUT"])
def test_an_execution_that_failed_tells_its_error_and_not_its_cause(stub: Stubber, status: str) -> None:
    workflow = answering(stub, status=status, error="States.TaskFailed", cause="secret trace")
    with pytest.raises(WorkflowError) as caught:
        workflow.run(ASKED, "e1")
    assert caught.value.error == "States.TaskFailed"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("output", ["", "[]", "{}", '{"decision": 7}', "not json", '{"runs": []}'])
def test_an_answer_that_cannot_be_read_is_the_workflows_error(stub: Stubber, output: str) -> None:
    with pytest.raises(WorkflowError):
        answering(stub, output=output).run(ASKED, "e1")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("ThrottlingException", ThrottledError),
        ("TooManyRequestsException", ThrottledError),
        ("StateMachineDoesNotExist", WorkflowError),
        ("AccessDeniedException", WorkflowError),
    ],
)
def test_a_refusal_to_start_is_told_apart_without_names_of_ours(
    stub: Stubber, code: str, error: type[Exception]
) -> None:
    stub.add_client_error("start_sync_execution", code, f"User may not start {ARN}")
    with pytest.raises(error) as caught:
        RetrievalWorkflow(stub.client, ARN).run(ASKED, "e1")
    assert "arn:" not in str(caught.value)


def test_silence_is_the_workflows_error(stub: Stubber) -> None:
    def fail(**_: Any) -> None:
        raise ConnectTimeoutError(endpoint_url="https://states.example")

    stub.client.meta.events.register_first("before-call.stepfunctions.StartSyncExecution", fail)
    with pytest.raises(WorkflowError):
        answering(stub, output="{}").run(ASKED, "e1")
