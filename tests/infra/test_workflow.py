"""The workflow: Route, Choice, Map, and what becomes of errors."""

from typing import Any

import pytest

from clew.errors import TransientError
from clew.retrieval.evidence import RetrievalRun
from infra.workflow import FAILED_MESSAGE
from tests.infra.template import StackTemplate

NOT_REACHED = {
    "Lambda.TooManyRequestsException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
}


def subclasses(error: type[Exception]) -> set[str]:
    return {each.__name__ for each in error.__subclasses__()}


@pytest.fixture
def states(stack: StackTemplate) -> dict[str, Any]:
    found: dict[str, Any] = stack.workflow()["States"]
    return found


@pytest.fixture
def branch(states: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = states["Search"]["ItemProcessor"]["States"]
    return found


def test_is_express_and_ends_within_a_minute(stack: StackTemplate) -> None:
    assert stack.only("AWS::StepFunctions::StateMachine")["StateMachineType"] == "EXPRESS"
    assert stack.workflow()["TimeoutSeconds"] == 60


def test_logs_errors_without_what_people_wrote(stack: StackTemplate) -> None:
    logging = stack.only("AWS::StepFunctions::StateMachine")["LoggingConfiguration"]
    assert (logging["Level"], logging["IncludeExecutionData"]) == ("ERROR", False)


def test_input_without_an_id_for_the_logs_is_taken_with_an_empty_one(stack: StackTemplate) -> None:
    workflow = stack.workflow()
    first = workflow["States"][workflow["StartAt"]]
    assert first["Choices"] == [{"Variable": "$.correlation_id", "IsPresent": True, "Next": "Route"}]
    without = workflow["States"][first["Default"]]
    assert without == {"Type": "Pass", "Result": "", "ResultPath": "$.correlation_id", "Next": "Route"}


def test_route_receives_the_whole_input_and_keeps_it(states: dict[str, Any]) -> None:
    route = states["Route"]
    assert route["Parameters"]["Payload.$"] == "$"
    assert route["ResultPath"] == "$.route"
    assert "Catch" not in route


def test_empty_plan_ends_with_the_decision_and_no_runs(states: dict[str, Any]) -> None:
    choice = states["Anything planned?"]
    assert choice["Choices"] == [{"Variable": "$.route.decision.plan[0]", "IsPresent": True, "Next": "Search"}]
    general = states[choice["Default"]]
    assert general["Parameters"] == {"decision.$": "$.route.decision", "runs": []}
    assert general["End"] is True


def test_plan_is_searched_ten_at_a_time_in_this_execution(states: dict[str, Any]) -> None:
    search = states["Search"]
    assert search["ItemsPath"] == "$.route.decision.plan"
    assert search["MaxConcurrency"] == 10
    assert search["ItemProcessor"]["ProcessorConfig"]["Mode"] == "INLINE"
    assert states[search["Next"]]["Parameters"] == {
        "decision.$": "$.route.decision",
        "runs.$": "$.runs",
    }


def test_each_branch_is_told_its_run_and_the_question(states: dict[str, Any]) -> None:
    assert states["Search"]["ItemSelector"] == {
        "spec.$": "$$.Map.Item.Value",
        "query.$": "$.message",
        "tenant_id.$": "$.tenant_id",
        "session_id.$": "$.session_id",
        "correlation_id.$": "$.correlation_id",
        "execution.$": "$$.Execution.Name",
        "total.$": "States.ArrayLength($.route.decision.plan)",
    }


def test_transient_errors_are_tried_again_soon_and_few_times(states: dict[str, Any], branch: dict[str, Any]) -> None:
    killed, hanging = {"Lambda.Unknown", "Runtime.ExitError"}, {"Sandbox.Timedout", "States.Timeout"}
    for task, besides in ((states["Route"], killed), (branch["Retrieve"], killed | hanging)):
        (retry,) = task["Retry"]
        assert set(retry["ErrorEquals"]) == subclasses(TransientError) | NOT_REACHED | besides
        assert retry["MaxAttempts"] == 2
        assert retry["IntervalSeconds"] == 1
        assert retry["JitterStrategy"] == "FULL"


def test_a_branch_takes_no_longer_than_its_function(branch: dict[str, Any], stack: StackTemplate) -> None:
    assert branch["Retrieve"]["TimeoutSeconds"] == stack.function("retrieval")["Timeout"]


def test_a_worker_that_hangs_in_every_attempt_costs_the_others_nothing(
    states: dict[str, Any], branch: dict[str, Any], stack: StackTemplate
) -> None:
    (retry,) = branch["Retrieve"]["Retry"]
    attempts = retry["MaxAttempts"] + 1
    waiting = sum(min(retry["IntervalSeconds"] * retry["BackoffRate"] ** n, 4) for n in range(retry["MaxAttempts"]))
    longest = states["Route"]["TimeoutSeconds"] + attempts * branch["Retrieve"]["TimeoutSeconds"] + waiting
    assert longest <= stack.workflow()["TimeoutSeconds"]


def test_failing_branch_becomes_a_run_with_an_error(branch: dict[str, Any]) -> None:
    (catch,) = branch["Retrieve"]["Catch"]
    assert catch["ErrorEquals"] == ["States.ALL"]
    entry = branch[catch["Next"]]["Parameters"]
    assert entry["worker_name.$"] == "$.spec.worker_name"
    assert entry["agent_type.$"] == "$.spec.agent_type"
    assert entry["error"]["type.$"] == f"{catch['ResultPath']}.Error"


def test_error_entry_is_a_retrieval_run_without_the_stack_trace(branch: dict[str, Any]) -> None:
    entry = branch["Worker failed"]["Parameters"]
    assert "Cause" not in str(entry)
    made = {name.removesuffix(".$"): value for name, value in entry.items()}
    made["error"] = {name.removesuffix(".$"): value for name, value in entry["error"].items()}
    run = RetrievalRun.model_validate(made, extra="forbid")
    assert run.error is not None
    assert run.error.message == FAILED_MESSAGE


def test_traces_in_aws_alone(stack: StackTemplate) -> None:
    tracing = stack.only("AWS::StepFunctions::StateMachine").get("TracingConfiguration", {})
    assert tracing.get("Enabled", False) is stack.stage.tracing
