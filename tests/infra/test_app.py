"""The app and what it says when it cannot synthesize."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.app import build
from infra.layers import LayersNotBuiltError
from infra.paths import ROOT
from infra.stages import STAGES, UnknownStageError
from tests.infra.template import StackTemplate


@pytest.mark.parametrize("context", [{}, {"stage": "staging"}])
def test_missing_or_unknown_stage_is_an_error_that_lists_the_stages(context: dict[str, str]) -> None:
    with pytest.raises(UnknownStageError, match="local, dev, prod"):
        build(**context)


def test_aws_stage_without_built_layers_says_how_to_build_them(tmp_path: Path) -> None:
    with pytest.raises(LayersNotBuiltError, match="make layers"):
        build(outdir=str(tmp_path), built_layers=tmp_path, stage="dev")


def test_command_without_a_stage_fails_with_one_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CDK_CONTEXT_JSON"}
    command = [sys.executable, "-m", "infra.app"]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "-c stage=NAME" in result.stderr


def test_cdk_runs_this_app() -> None:
    assert json.loads((ROOT / "cdk.json").read_text())["app"] == "python -m infra.app"


def test_stack_goes_to_any_account_and_looks_nothing_up(stack: StackTemplate) -> None:
    manifest = json.loads((stack.folder / "manifest.json").read_text())
    artifact = manifest["artifacts"][f"Clew-{stack.stage.name}"]
    assert artifact["environment"] == "aws://unknown-account/unknown-region"
    assert "missing" not in manifest


def test_outputs_have_the_names_that_others_look_for(stack: StackTemplate) -> None:
    expected = {"ApiUrl", "ApiId", "TableName", "WorkflowArn", "AnswerFunctionName"}
    if stack.stage.identity == "cognito":
        expected |= {"UserPoolId", "UserPoolClientId"}
    assert set(stack.template["Outputs"]) == expected


def test_only_the_local_stage_is_made_for_an_emulator() -> None:
    for stage in STAGES.values():
        on_aws = stage.name != "local"
        assert (stage.web_adapter, stage.dependency_layers, stage.tracing, stage.access_logs) == (on_aws,) * 4
        assert (stage.identity == "cognito") is on_aws


def test_resources_with_fixed_names_keep_their_logical_ids(stack: StackTemplate) -> None:
    """Under a new logical id CloudFormation would make a second resource of that name first, and fail.

    So an id that has changed here asks for a look at the deployment, not for a change of this test.
    """
    prefix = f"clew-{stack.stage.name}-"
    functions = stack.of_type("AWS::Lambda::Function").items()
    named = {each["FunctionName"].removeprefix(prefix): logical_id for logical_id, each in functions}
    assert named == {
        "answer": "FunctionsAnswerAnswerFunction05548C84",
        "api": "FunctionsApiApiFunctionAE0933AF",
        "memory": "FunctionsMemoryMemoryFunction89D0E433",
        "retrieval": "FunctionsRetrievalRetrievalFunctionACFC9B52",
        "router": "FunctionsRouterRouterFunctionE310824A",
    }
    assert list(stack.of_type("AWS::StepFunctions::StateMachine")) == ["WorkflowRetrievalF1C75DF5"]
    assert list(stack.of_type("AWS::DynamoDB::GlobalTable")) == ["TableItems4E2090AD"]
