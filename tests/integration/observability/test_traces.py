"""Traces as X-Ray's daemon gets them: parts that join the trace of their request, and pass it on to AWS."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.observability.listening import Daemon, Service

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CLIENTS = 25
Document = dict[str, Any]


def run(program: str, *arguments: str, daemon: Daemon, service: Service, **environment: str) -> str:
    """What a program of this folder prints, run as a function of a stage that traces."""
    path = os.pathsep.join([str(ROOT / "layers/clew/python"), str(ROOT / "functions/router")])
    settings = {
        "PYTHONPATH": path,
        "POWERTOOLS_TRACE_DISABLED": "false",
        "POWERTOOLS_SERVICE_NAME": "clew-test",
        "AWS_XRAY_DAEMON_ADDRESS": daemon.address,
        "AWS_ENDPOINT_URL": service.url,
        "LAMBDA_TASK_ROOT": str(ROOT),
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, str(HERE / f"{program}.py"), *arguments]
    done = subprocess.run(
        command, env=os.environ | settings | environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def named(documents: list[Document], name: str) -> list[Document]:
    return [each for each in documents if each["name"] == name]


@pytest.fixture(scope="module")
def turns() -> tuple[list[Document], Service]:
    """What 25 requests at once have sent to the daemon, the first of them not sampled; DynamoDB refuses them all."""
    refusal = {"__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", "message": "Zebrafinch is not"}
    with Daemon() as daemon, Service(refusal, 400) as service:
        run("traced_turns", str(CLIENTS), daemon=daemon, service=service)
        return daemon.documents(), service


def test_each_turn_joins_the_trace_of_its_own_request(turns: tuple[list[Document], Service]) -> None:
    joined = {
        (each["trace_id"], each["parent_id"], each["annotations"]["correlation_id"]) for each in named(turns[0], "turn")
    }
    assert joined == {(f"1-5759e988-{number:024x}", f"{number + 1:016x}", f"r{number}") for number in range(1, CLIENTS)}
    assert {each["type"] for each in turns[0]} == {"subsegment"}


def test_a_turns_steps_follow_each_other_within_it(turns: tuple[list[Document], Service]) -> None:
    for turn in named(turns[0], "turn"):
        first, second = turn["subsegments"]
        assert (first["name"], second["name"]) == ("remember", "lookup")
        assert turn["end_time"] - turn["start_time"] == pytest.approx(0.040, abs=0.001)
        assert first["start_time"] == turn["start_time"]
        assert first["end_time"] == second["start_time"]
        assert second["end_time"] - first["start_time"] == pytest.approx(0.030, abs=0.001)
        assert {first["parent_id"], second["parent_id"]} == {turn["id"]}


def test_what_names_a_turn_can_be_searched_for_and_what_failed_is_marked(turns: tuple[list[Document], Service]) -> None:
    by_id = {each["annotations"]["correlation_id"]: each for each in named(turns[0], "turn")}
    assert by_id["r2"]["annotations"] == {"correlation_id": "r2", "kb_prefix": "movie", "ending": "done"}
    assert [name for name, each in by_id.items() if each.get("fault")] == ["r1"]


def test_calls_of_aws_out_of_threads_are_parts_of_the_same_trace_and_pass_it_on(
    turns: tuple[list[Document], Service],
) -> None:
    documents, service = turns
    calls = {each["id"]: each for each in named(documents, "dynamodb")}
    assert len(calls) == CLIENTS - 1
    headers = [dict(part.split("=") for part in each["x-amzn-trace-id"].split(";")) for each in service.asked]
    passed_on = [each for each in headers if each["Sampled"] == "1"]
    assert len(passed_on) == CLIENTS - 1
    assert {each["Root"] for each in headers if each["Sampled"] == "0"} <= {f"1-5759e988-{0:024x}"}
    for each in passed_on:
        call = calls[each["Parent"]]
        assert call["trace_id"] == each["Root"]
        number = int(each["Root"].rpartition("-")[2], 16)
        assert call["parent_id"] == f"{number + 1:016x}"


def test_no_words_leave_in_a_trace(turns: tuple[list[Document], Service]) -> None:
    failures = [error for each in named(turns[0], "dynamodb") for error in each["cause"]["exceptions"]]
    assert {error["type"] for error in failures} == {"ResourceNotFoundException"}
    assert "Zebrafinch" not in json.dumps(turns[0])


def test_a_function_under_lambdas_runtime_joins_the_trace_of_each_call() -> None:
    with Daemon() as daemon, Service({"Items": [], "Count": 0}) as service:
        environment = {"CLEW_TABLE_NAME": "t", "CLEW_EMBEDDER": "e5", "CLEW_STAGE": "dev"}
        printed = run("traced_router", daemon=daemon, service=service, **environment)
        documents = daemon.documents()
    routed, refused = named(documents, "handler")
    assert (routed["trace_id"], routed["parent_id"]) == ("1-5759e988-bd862e3fe1be46a994272793", "53995c3f42cd8ad8")
    assert (refused["trace_id"], refused["parent_id"]) == ("1-5759e989-bd862e3fe1be46a994272793", "53995c3f42cd8ad9")
    assert routed["annotations"] == {
        "correlation_id": "r7",
        "session_id": "s1",
        "kb_prefix": "general",
        "method": "default",
    }
    assert ("fault" in routed, refused["fault"]) == (False, True)
    calls = [call for each in documents for call in (each, *each.get("subsegments", ())) if call["name"] == "dynamodb"]
    assert {call["parent_id"] for call in calls} <= {routed["id"], refused["id"]}
    assert {call["aws"]["table_name"] for call in calls} == {"t"}
    assert "ebrafinch" not in json.dumps(documents)
    lines = [json.loads(line) for line in printed.splitlines()]
    told = [(each["message"], each["xray_trace_id"]) for each in lines if "message" in each]
    assert told == [("routed", routed["trace_id"]), ("failed", refused["trace_id"])]
