"""Restarts, a graph that is gone, and another chat model."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from clew.local.answer_server import start_answer_server, wait_for_answer_server
from clew.local.child import identity
from clew.local.data_directory import DataDirectory
from clew.local.ports import free_port
from clew.local.project import STACK_NAME
from tests.e2e.client import Client, marks, new_session
from tests.e2e.service import SharedStack
from tests.laptop import PROJECT

UNAVAILABLE = "urn:clew:problem:retrieval-failed"


def test_a_second_start_finds_everything_again_and_loads_nothing(client: Client, stack: SharedStack) -> None:
    session = new_session()
    client.stream("Who directed Parasite?", session)
    before = client.messages(session)
    listed = client.get("/knowledge-bases").json()
    stack.stop()
    output = stack.start().output
    assert "cdk deploy" not in output
    assert "[1]" in output  # the first question, answered with a citation
    with Client(stack.url, user_id=client.user_id) as again:
        assert again.messages(session) == before
        # The time of the last load is among what is listed.
        assert again.get("/knowledge-bases").json() == listed
        after = again.stream("What did he study at university?", session)
        assert "sociology" in after.text
    # What was followed before does not keep the memory function from what comes after.
    in_the_end(lambda: remembered(stack, after.done["conversation_id"], after.done["message_id"]))


def remembered(stack: SharedStack, conversation_id: str, message_id: str) -> bool:
    """Whether the turn that a message ended is among the conversation's episodes."""
    rows = stack.graph_rows(
        "MATCH (e:Episode {conversation_id: $conversation_id, seq: $seq}) RETURN e.seq AS seq",
        conversation_id=conversation_id,
        seq=int(message_id.rpartition(".")[2]),
    )
    return bool(rows)


def in_the_end(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.fixture
def graph_gone(stack: SharedStack) -> Iterator[SharedStack]:
    """The stack without its graph. ``clew up`` would stop it all at once, so it is held until the test is over."""
    run = stack.run
    graph = run.children()["graph"]
    run.process.send_signal(signal.SIGSTOP)
    os.kill(graph, signal.SIGKILL)
    try:
        yield stack
    finally:
        run.process.send_signal(signal.SIGCONT)
        assert run.process.wait(60) == 1
        assert "The graph ended unexpectedly" in run.output
        assert identity(graph) is None
        stack.start()


def test_without_the_graph_the_stream_ends_in_one_error_and_no_answer_is_made_up(graph_gone: SharedStack) -> None:
    session = new_session()
    # The gateway is part of the process that is held; what stands behind it is asked directly.
    described = graph_gone.run.stack
    with Client(described.answer_url, user_id="outage") as asking:
        answer = asking.stream("Who directed Parasite?", session)
    assert answer.last["status"] == "error"
    assert answer.last["type"] == UNAVAILABLE
    assert "token" not in answer.statuses()
    with Client(described.rest_api_url, user_id="outage") as listing:
        (message,) = listing.messages(session)["messages"]
    assert (message["role"], message["content"]) == ("user", "Who directed Parasite?")


@dataclass(frozen=True)
class BedrockStage:
    client: Client
    model_id: str


@pytest.fixture
def bedrock(stack: SharedStack) -> Iterator[BedrockStage]:
    """A second answer server beside the stack's, with one setting changed."""
    outputs = stack.aws("cloudformation").describe_stacks(StackName=STACK_NAME)["Stacks"][0]["Outputs"]
    name = next(each["OutputValue"] for each in outputs if each["OutputKey"] == "AnswerFunctionName")
    deployed = stack.aws("lambda").get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    port = free_port()
    child = start_answer_server(  # noqa: S604  ("shell" is an environment)
        PROJECT,
        DataDirectory(stack.data),
        port,
        deployed=deployed,
        emulator_url=stack.run.stack.emulator_url,
        shell={**os.environ, "CLEW_CHAT_MODEL": "bedrock"},
    )
    try:
        wait_for_answer_server(child, f"http://127.0.0.1:{port}")
        with Client(f"http://127.0.0.1:{port}", user_id="bedrock") as client:
            yield BedrockStage(client, deployed["CLEW_BEDROCK_MODEL_ID"])
    finally:
        child.stop()


def test_one_setting_makes_bedrock_answer(bedrock: BedrockStage) -> None:
    answer = bedrock.client.stream("Who directed Parasite?")
    assert answer.done["route"]["kb_prefix"] == "movie"
    assert answer.done["model"] == bedrock.model_id
    assert answer.done["usage"]["estimated"] is False
    assert answer.done["usage"]["input_tokens"] > 0
    assert answer.text
    assert [citation["number"] for citation in answer.done["citations"]] == marks(answer.text)
