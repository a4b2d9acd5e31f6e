"""Least privilege: each role grants what its function calls, on the resources that it calls."""

from dataclasses import replace
from pathlib import Path

import pytest

from clew.table_keys import head_key, message_key, run_note_key, summary_key
from infra.bedrock import apply_guardrail, invoke_model
from infra.stages import STAGES
from tests.infra.template import FUNCTIONS, StackTemplate, synthesize

# Services whose actions cannot be bound to a resource.
UNBOUND = {
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
}
READ = {"GetItem", "Query"}
WRITE = {"PutItem", "UpdateItem", "DeleteItem"}
STREAM = {"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_action_is_a_wildcard(name: str, stack: StackTemplate) -> None:
    actions = {action for actions, _ in stack.allowed(name) for action in actions}
    assert actions
    assert not [each for each in actions if "*" in each]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_resource_is_everything_but_where_aws_has_none(name: str, stack: StackTemplate) -> None:
    for actions, resources in stack.allowed(name):
        assert actions <= UNBOUND or "*" not in resources


@pytest.mark.parametrize("name", FUNCTIONS)
def test_role_is_the_functions_own_and_has_no_managed_policy(name: str, stack: StackTemplate) -> None:
    roles = [stack.function(each)["Role"]["Fn::GetAtt"][0] for each in FUNCTIONS]
    role = stack.function(name)["Role"]["Fn::GetAtt"][0]
    assert roles.count(role) == 1
    assert "ManagedPolicyArns" not in stack.of_type("AWS::IAM::Role")[role]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_logs_are_written_to_the_functions_own_group(name: str, stack: StackTemplate) -> None:
    group = stack.function(name)["LoggingConfig"]["LogGroup"]["Ref"]
    assert ({"logs:CreateLogStream", "logs:PutLogEvents"}, [f"<{group}.Arn>"]) in stack.allowed(name)
    assert stack.actions(name, "logs") == {"CreateLogStream", "PutLogEvents"}


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("router", READ),
        ("retrieval", {"PutItem"}),
        ("answer", READ | WRITE | {"BatchGetItem"}),
        ("api", READ | WRITE | {"BatchGetItem", "BatchWriteItem"}),
        ("memory", READ | {"UpdateItem"} | STREAM),
    ],
)
def test_table_actions(name: str, actions: set[str], stack: StackTemplate) -> None:
    assert stack.actions(name, "dynamodb") == actions


def test_retrieval_writes_notes_of_runs_and_nothing_else(stack: StackTemplate) -> None:
    (condition,) = stack.conditions("retrieval", "dynamodb:PutItem")
    assert condition == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["RUN#*"]}}
    assert run_note_key("e1", "movie:graph_agent:retrieve_only").pk.startswith("RUN#")
    (table,) = stack.of_type("AWS::DynamoDB::GlobalTable")
    assert stack.resources("retrieval", "dynamodb:PutItem") == [f"<{table}.Arn>"]


def test_memory_touches_conversations_and_nothing_else(stack: StackTemplate) -> None:
    (condition,) = stack.conditions("memory", "dynamodb:UpdateItem")
    assert condition == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["CONV#*"]}}
    assert [key.pk.startswith("CONV#") for key in (head_key("c"), message_key("c", 1), summary_key("c"))] == [True] * 3


@pytest.mark.parametrize("name", FUNCTIONS)
def test_who_uses_the_graph_reads_its_secret_and_no_other(name: str, stack: StackTemplate) -> None:
    reads = name in ("retrieval", "memory", "answer")
    assert stack.actions(name, "secretsmanager") == ({"GetSecretValue"} if reads else set())
    if reads:
        (secret,) = stack.resources(name, "secretsmanager:GetSecretValue")
        assert secret.endswith(f":secret:clew/{stack.stage.name}/neo4j-??????")


def test_long_term_memory_is_allowed_its_key_where_the_stage_has_it(
    tmp_path: Path, built_layers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = replace(STAGES["dev"], long_term_memory="mem0", mem0_api_key_secret="clew/dev/mem0")
    monkeypatch.setitem(STAGES, "dev", stage)
    stack = synthesize("dev", tmp_path, built_layers)
    for name in ("answer", "memory"):
        secrets = {arn.rpartition(":")[2] for arn in stack.resources(name, "secretsmanager:GetSecretValue")}
        assert secrets == {"clew/dev/neo4j-??????", "clew/dev/mem0-??????"}
        assert stack.environment(name)["CLEW_MEM0_API_KEY_SECRET"] == "clew/dev/mem0"


def test_only_answer_starts_the_workflow(stack: StackTemplate) -> None:
    (workflow,) = stack.of_type("AWS::StepFunctions::StateMachine")
    for name in FUNCTIONS:
        assert stack.actions(name, "states") == ({"StartSyncExecution"} if name == "answer" else set())
    assert ({"states:StartSyncExecution"}, [f"<{workflow}>"]) in stack.allowed("answer")


def test_laptop_asks_for_no_model(local: StackTemplate) -> None:
    assert not any(local.actions(name, "bedrock") for name in FUNCTIONS)


def test_on_aws_each_function_calls_the_one_model_it_uses(dev: StackTemplate) -> None:
    embedding = f":bedrock:<AWS::Region>::foundation-model/{dev.stage.embedding_model_id}"
    for name in ("router", "retrieval"):
        assert ({"bedrock:InvokeModel"}, [f"arn:<AWS::Partition>{embedding}"]) in dev.allowed(name)
    assert not dev.actions("api", "bedrock")


@pytest.mark.parametrize("name", ["answer", "memory"])
def test_the_chat_model_answers_and_summarises(name: str, dev: StackTemplate) -> None:
    wanted = {f"<AWS::Region>::foundation-model/{dev.stage.embedding_model_id}"}
    assert models(dev, name) == wanted | language_model(dev.stage.bedrock_model_id)
    beside = {"InvokeModelWithResponseStream", "CountTokens"} if name == "answer" else set()
    assert dev.actions(name, "bedrock") == {"InvokeModel"} | beside


def test_inference_profile_needs_the_profile_and_its_model_in_every_region(dev: StackTemplate) -> None:
    profile, model = dev.resources("answer", "bedrock:InvokeModelWithResponseStream")
    assert profile.endswith(f":inference-profile/{dev.stage.bedrock_model_id}")
    base = dev.stage.bedrock_model_id.removeprefix("global.")
    assert model == f"arn:<AWS::Partition>:bedrock:*::foundation-model/{base}"


@pytest.mark.usefixtures("optional_models")
def test_models_that_choose_rerank_and_plan_are_allowed_where_the_stage_has_them(
    tmp_path: Path, built_layers: Path
) -> None:
    stack = synthesize("dev", tmp_path, built_layers)
    embedding = f"<AWS::Region>::foundation-model/{stack.stage.embedding_model_id}"

    environment = stack.environment("retrieval")
    assert (environment["CLEW_RERANKER"], environment["CLEW_RESEARCH_PLANNER"]) == ("bedrock", "bedrock")
    assert stack.actions("retrieval", "bedrock") == {"InvokeModel", "Rerank"}
    assert stack.resources("retrieval", "bedrock:Rerank") == ["*"]
    assert {arn.partition(":bedrock:")[2] for arn in stack.resources("retrieval", "bedrock:InvokeModel")} == {
        embedding,
        "<AWS::Region>::foundation-model/amazon.rerank-v1:0",
        *language_model(stack.stage.research_planner_model_id),
    }

    assert stack.environment("router")["CLEW_KB_CHOOSER"] == "bedrock"
    assert stack.actions("router", "bedrock") == {"InvokeModel"}
    assert {arn.partition(":bedrock:")[2] for arn in stack.resources("router", "bedrock:InvokeModel")} == {
        embedding,
        *language_model(stack.stage.kb_chooser_model_id),
    }


def test_models_that_may_answer_in_its_place_are_streamed_and_a_guardrail_is_applied(
    tmp_path: Path, built_layers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fallback, own = "amazon.nova-lite-v1:0", STAGES["dev"].bedrock_model_id
    chosen = "global.anthropic.claude-sonnet-4-5-20250929-v1:0"
    stage = replace(
        STAGES["dev"],
        fallback_model_id=fallback,
        allowed_models=(chosen, own, fallback),
        bedrock_guardrail_id="gr4rd",
        bedrock_guardrail_version="3",
    )
    monkeypatch.setitem(STAGES, "dev", stage)
    stack = synthesize("dev", tmp_path, built_layers)
    stream, count = "bedrock:InvokeModelWithResponseStream", "bedrock:CountTokens"
    streamed = [arns for actions, arns in stack.allowed("answer") if actions == {stream}]
    assert {arn.partition(":bedrock:")[2] for arns in streamed for arn in arns} == {
        f"<AWS::Region>::foundation-model/{fallback}",
        *language_model(chosen),
    }
    counted = {arn.rpartition("/")[2] for actions, arns in stack.allowed("answer") if count in actions for arn in arns}
    assert counted == {model.removeprefix("global.") for model in (fallback, chosen, own)}
    environment = stack.environment("answer")
    assert environment["CLEW_FALLBACK_MODEL_ID"] == fallback
    assert environment["CLEW_ALLOWED_MODELS"] == f"{chosen},{own},{fallback}"
    (guardrail,) = stack.resources("answer", "bedrock:ApplyGuardrail")
    assert guardrail == "arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:guardrail/gr4rd"
    assert (environment["CLEW_BEDROCK_GUARDRAIL_ID"], environment["CLEW_BEDROCK_GUARDRAIL_VERSION"]) == ("gr4rd", "3")
    assert stack.actions("memory", "bedrock") == {"InvokeModel"}


def models(stack: StackTemplate, function: str) -> set[str]:
    """The models that the function may call, as ARNs from the region on."""
    granted = [arns for actions, arns in stack.allowed(function) if "bedrock:InvokeModel" in actions]
    return {arn.partition(":bedrock:")[2] for arns in granted for arn in arns}


def language_model(profile: str) -> set[str]:
    """What a role may call for an inference profile of all regions: ARNs from the region on."""
    return {
        f"<AWS::Region>:<AWS::AccountId>:inference-profile/{profile}",
        f"*::foundation-model/{profile.removeprefix('global.')}",
    }


def test_foundation_model_is_allowed_in_the_stacks_region_alone() -> None:
    from aws_cdk import App, Stack

    stack = Stack(App(), "S")
    statement = invoke_model(stack, "amazon.titan-embed-text-v2:0").to_statement_json()
    assert statement["Action"] == "bedrock:InvokeModel"
    assert "inference-profile" not in str(statement["Resource"])


def test_a_guardrail_may_be_named_by_its_arn() -> None:
    from aws_cdk import App, Stack

    arn = "arn:aws:bedrock:us-east-1:123456789012:guardrail/gr4rd"
    assert apply_guardrail(Stack(App(), "S"), arn).to_statement_json()["Resource"] == arn


def test_workflow_invokes_router_and_retrieval_alone(stack: StackTemplate) -> None:
    role = stack.only("AWS::StepFunctions::StateMachine")["RoleArn"]["Fn::GetAtt"][0]
    invoked = {
        arn.removeprefix("<").partition(".Arn>")[0]
        for actions, arns in stack.granted_to(role)
        if actions == {"lambda:InvokeFunction"}
        for arn in arns
    }
    functions = stack.of_type("AWS::Lambda::Function")
    names = {functions[logical_id]["FunctionName"].rsplit("-", 1)[1] for logical_id in invoked}
    assert names == {"router", "retrieval"}
