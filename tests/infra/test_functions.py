"""The five functions: environment, layers, adapter, logs."""

import pytest

from clew.edge.lambda_context import RESERVE
from clew.settings import (
    AnswerSettings,
    ApiSettings,
    MemorySettings,
    RetrievalSettings,
    RouterSettings,
    Settings,
)
from infra.environment import environment_of, variable_of
from tests.infra.template import FUNCTIONS, StackTemplate

SETTINGS: dict[str, type[Settings]] = {
    "answer": AnswerSettings,
    "api": ApiSettings,
    "memory": MemorySettings,
    "retrieval": RetrievalSettings,
    "router": RouterSettings,
}


def declared(settings: type[Settings]) -> set[str]:
    return {variable_of(settings, field) for field in settings.model_fields}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_environment_is_what_the_settings_declare(name: str, stack: StackTemplate) -> None:
    ours = {each for each in stack.environment(name) if each.startswith(("CLEW_", "KB_"))}
    assert ours == declared(SETTINGS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_settings_load_from_the_environment_and_describe_the_stage(
    name: str, stack: StackTemplate, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in stack.environment(name).items():
        monkeypatch.setenv(variable, value)
    loaded = SETTINGS[name].load().model_dump()
    stage = stack.stage
    expected = {
        "stage": stage.name,
        "neo4j_secret": f"clew/{stage.name}/neo4j",
        "graph_engine": stage.graph_engine,
        "embedder": stage.embedder,
        "chat_model": stage.chat_model,
        "bedrock_model_id": stage.bedrock_model_id,
        "openai_base_url": "http://127.0.0.1:11434/v1",
        "openai_model": "",
        "openai_api_key_secret": "",
        "long_term_memory": "none",
        "mem0_url": "https://api.mem0.ai",
        "mem0_api_key_secret": "",
        "bedrock_region": "",
        "bedrock_profile": "",
        "reranker": stage.reranker,
        "reranker_model_id": stage.reranker_model_id,
        "research_planner": stage.research_planner,
        "research_planner_model_id": stage.research_planner_model_id,
        "kb_chooser": stage.kb_chooser,
        "kb_chooser_model_id": stage.kb_chooser_model_id,
        "identity": stage.identity,
        "kb_auto_route": stage.kb_auto_route,
    }
    assert {field: loaded[field] for field in expected if field in loaded} == {
        field: value for field, value in expected.items() if field in loaded
    }
    if "table_name" in loaded:
        assert loaded["table_name"] == f"<{next(iter(stack.of_type('AWS::DynamoDB::GlobalTable')))}>"


def test_required_setting_without_a_value_stops_synthesis() -> None:
    with pytest.raises(ValueError, match="AnswerSettings needs values for: neo4j_secret, table_name, workflow_arn"):
        environment_of(AnswerSettings, {"stage": "dev"})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_runs_python_3_13_on_arm_and_names_itself_in_its_logs(name: str, stack: StackTemplate) -> None:
    function = stack.function(name)
    assert (function["Runtime"], function["Architectures"]) == ("python3.13", ["arm64"])
    environment = stack.environment(name)
    assert environment["POWERTOOLS_SERVICE_NAME"] == f"clew-{name}"
    assert environment["POWERTOOLS_LOG_LEVEL"] == "INFO"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_writes_to_a_log_group_of_its_own_that_forgets(name: str, stack: StackTemplate) -> None:
    group = stack.function(name)["LoggingConfig"]["LogGroup"]["Ref"]
    properties = stack.of_type("AWS::Logs::LogGroup")[group]
    assert properties["LogGroupName"] == f"/aws/lambda/clew-{stack.stage.name}-{name}"


def test_every_log_group_has_a_retention(stack: StackTemplate) -> None:
    days = {"local": 1, "dev": 14, "prod": 90}[stack.stage.name]
    groups = stack.of_type("AWS::Logs::LogGroup")
    assert len(groups) >= len(FUNCTIONS) + 1
    assert {each["RetentionInDays"] for each in groups.values()} == {days}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_the_clew_layer_first(name: str, stack: StackTemplate) -> None:
    first = stack.function(name)["Layers"][0]["Ref"]
    assert (stack.layer_assets()[first] / "python" / "clew" / "settings.py").is_file()


def test_laptop_needs_no_other_layer(local: StackTemplate) -> None:
    assert {len(local.function(name)["Layers"]) for name in FUNCTIONS} == {1}


def test_on_aws_answer_alone_has_the_models_and_the_web_adapter(dev: StackTemplate) -> None:
    counts = {name: len(dev.function(name)["Layers"]) for name in FUNCTIONS}
    assert counts == {"answer": 4, "api": 2, "memory": 2, "retrieval": 2, "router": 2}


def test_on_aws_answer_runs_under_the_web_adapter_and_streams(dev: StackTemplate) -> None:
    function = dev.function("answer")
    environment = dev.environment("answer")
    assert function["Handler"] == "run.sh"
    assert environment["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    assert environment["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert environment["AWS_LWA_READINESS_CHECK_PATH"] == "/api/v1/health"
    adapter = function["Layers"][-1]["Fn::Join"][1]
    assert adapter[0] == "arn:aws:lambda:"
    assert adapter[2].startswith(":753240598075:layer:LambdaAdapterLayerArm64:")


def test_no_web_adapter_on_the_laptop_or_on_other_functions(local: StackTemplate, dev: StackTemplate) -> None:
    others = [(dev, name) for name in FUNCTIONS if name != "answer"]
    for stack, name in [(local, "answer"), *others]:
        assert stack.function(name)["Handler"] != "run.sh"
        assert not any(each.startswith("AWS_L") for each in stack.environment(name))


def test_answer_may_run_as_long_as_a_stream(stack: StackTemplate) -> None:
    assert stack.function("answer")["Timeout"] == 900


@pytest.mark.parametrize("name", ["api", "router"])
def test_buffered_functions_end_before_the_gateway_gives_up(name: str, stack: StackTemplate) -> None:
    assert stack.function(name)["Timeout"] < 29


def test_tracing_is_on_in_aws_alone(stack: StackTemplate) -> None:
    modes = {stack.function(name).get("TracingConfig", {}).get("Mode") for name in FUNCTIONS}
    assert modes == ({"Active"} if stack.stage.tracing else {None})
    told = {stack.environment(name)["POWERTOOLS_TRACE_DISABLED"] for name in FUNCTIONS}
    assert told == ({"false"} if stack.stage.tracing else {"true"})


def test_an_answer_ends_before_its_function_does(stack: StackTemplate) -> None:
    functions = {each["FunctionName"]: each for each in stack.of_type("AWS::Lambda::Function").values()}
    answer = functions[f"clew-{stack.stage.name}-answer"]
    seconds = float(answer["Environment"]["Variables"]["CLEW_TURN_SECONDS"])
    assert 0 < seconds <= answer["Timeout"] - 2 * RESERVE
