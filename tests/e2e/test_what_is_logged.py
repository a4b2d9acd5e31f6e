"""What the logs of a whole run hold, read when all other tests have left theirs: ids and numbers, and no texts.

Of a conversation nothing may be in any log: neither where all is well, nor in what is told of a request that does
not fit or of an error.
"""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from boto3.dynamodb.conditions import Key
from boto3.dynamodb.types import TypeSerializer

from clew.table_keys import conversation_pk
from tests.e2e.client import Client, new_session
from tests.e2e.logs import lines, logs, spellings
from tests.e2e.service import SharedStack

WORD = "Zebrafinch"
WORD_ZH = "斑胸草雀"
MARKED = f"{WORD} {WORD_ZH}"
GROUPS = {name: f"/aws/lambda/clew-local-{name}" for name in ("api", "memory", "retrieval", "router")}
LONG_ENOUGH = 16  # characters of a stored message that cannot be in a log by chance


@dataclass(frozen=True)
class Sent:
    """What was said with the marked words: the ids of a request that was answered and of one that was refused."""

    streamed: str
    refused: str


@pytest.fixture(scope="module")
def sent(stack: SharedStack) -> Iterator[Sent]:
    with Client(stack.url, user_id="user-marked") as client:
        yield say_everything(client, stack)


def say_everything(client: Client, stack: SharedStack) -> Sent:
    session = new_session()
    asked = client.stream(f"Who directed Parasite, {MARKED}?", session, debug=True)
    client.stream(f"谁执导了《寄生虫》？{MARKED}", session)
    client.stream(f"And where did he study, {MARKED}?", session, debug=True)
    client.chat(f"Tell me a joke about {MARKED}.", session, message_id="marked-1")
    client.chat(f"Tell me a joke about {MARKED}.", session, message_id="marked-1")
    streamed = client.post("/chat/stream", client.body(f"What is {MARKED}?", kb_prefix="movie"))
    client.post("/route", {"message": f"Who directed Parasite, {MARKED}?"}).raise_for_status()
    judged = {
        "message_id": asked.done["message_id"],
        "is_positive": False,
        "query": MARKED,
        "metadata": {"why": MARKED},
    }
    client.post("/feedback", {"user_id": client.user_id, "session_id": session, **judged}).raise_for_status()
    client.post("/chat/cancel", {"user_id": client.user_id, "session_id": session, "message_id": "none-such"})
    refused = send_what_does_not_fit(client, session)
    remember(stack, asked.done["conversation_id"])
    break_functions(stack)
    client.post("/clear", {"user_id": client.user_id, "session_id": session}).raise_for_status()
    return Sent(streamed.headers["x-request-id"], refused.headers["x-request-id"])


def remember(stack: SharedStack, conversation_id: str) -> None:
    """Hand the conversation to memory, as the table's stream does, and one message more that cannot be read."""
    stored = stack.table().query(KeyConditionExpression=Key("pk").eq(conversation_pk(conversation_id)))["Items"]
    messages = [item for item in stored if item["sk"].startswith("MSG#")]
    unreadable = {key: value for key, value in messages[-1].items() if key != "packed"} | {"debug": f"{{{MARKED}"}
    batch = [record(item, number) for number, item in enumerate((*messages, unreadable))]
    payload = json.dumps({"Records": batch}).encode()
    answer = stack.aws("lambda").invoke(FunctionName="clew-local-memory", Payload=payload)
    assert json.load(answer["Payload"]) == {"batchItemFailures": [{"itemIdentifier": str(len(messages))}]}


def record(item: dict[str, Any], number: int) -> dict[str, Any]:
    serialize = TypeSerializer().serialize
    image = {name: serialize(value) for name, value in item.items()}
    for value in image.values():
        if "B" in value:  # as JSON carries binary
            value["B"] = base64.b64encode(bytes(value["B"])).decode()
    keys = {"pk": image["pk"], "sk": image["sk"]}
    told = {"Keys": keys, "NewImage": image, "SequenceNumber": str(number), "StreamViewType": "NEW_IMAGE"}
    return {"eventName": "INSERT", "eventSource": "aws:dynamodb", "dynamodb": told}


def send_what_does_not_fit(client: Client, session: str) -> httpx.Response:
    """Bad requests to every resource that takes a body; the answer to a judgement of no answer of the session."""
    for path in ("/chat/stream", "/route"):
        for changes in ({"message": [MARKED]}, {"kb_prefix": MARKED}, {"agent_type": MARKED}):
            assert client.post(path, client.body(MARKED) | changes).status_code in (400, 404)
    for path in ("/chat", "/chat/stream", "/route", "/feedback", "/clear"):
        assert client.post(path, client.body(MARKED) | {"session_id": MARKED}).status_code == 400
        assert client.send("POST", path, f'{{"message": "{MARKED}'.encode()).status_code == 400
    assert client.get(f"/conversations/{session}/messages", before=MARKED).status_code in (200, 400, 404)
    assert client.get("/conversations", limit=MARKED).status_code == 400
    judged = {"message_id": "none", "is_positive": True, "query": MARKED}
    return client.post("/feedback", {"user_id": client.user_id, "session_id": session, **judged})


def break_functions(stack: SharedStack) -> None:
    """Events that no function can read, so that each breaks with an error of a library's that quotes its input."""
    invoke = stack.aws("lambda").invoke
    events: dict[str, Any] = {
        "router": {"tenant_id": "default", "session_id": "s", "message": {"text": MARKED}},
        "retrieval": {"spec": MARKED, "query": MARKED, "tenant_id": "default", "session_id": "s"},
        "memory": {"Records": MARKED},
        "api": {"requestContext": {"requestId": "broken"}, "httpMethod": MARKED},
    }
    for name, event in events.items():
        invoke(FunctionName=f"clew-local-{name}", Payload=json.dumps(event).encode())
    # The workflow, with a question that its router refuses.
    lookup = {"tenant_id": "default", "session_id": "s", "message": MARKED, "requested_kb_prefix": MARKED.lower()}
    lookup |= {"agent_type": "", "intent": "", "known": {}}
    client = stack.aws("stepfunctions")
    ended = client.start_sync_execution(stateMachineArn=stack.run.stack.workflow_arn, input=json.dumps(lookup))
    assert ended["status"] == "FAILED"


@pytest.fixture(scope="module")
def logged(stack: SharedStack, sent: Sent) -> dict[str, str]:
    return logs(stack)


def test_no_log_holds_a_word_of_what_was_said(logged: dict[str, str]) -> None:
    pairs = {WORD_ZH[at : at + 2] for at in range(len(WORD_ZH) - 1)}
    said = {spelling for word in (WORD, *pairs) for spelling in spellings(word)}
    assert {(name, word) for name, text in logged.items() for word in said if word in text.lower()} == set()


def test_no_log_holds_a_message_that_any_test_of_this_run_has_stored(
    logged: dict[str, str], stack: SharedStack
) -> None:
    stored = [item for item in items(stack) if item["sk"].startswith(("MSG#", "HEAD", "SUMMARY"))]
    texts = {str(item.get(name, "")) for item in stored for name in ("content", "title", "text")}
    beginnings = {text[:LONG_ENOUGH] for text in texts}
    beginnings = {text for text in beginnings if len(text) == LONG_ENOUGH and len(set(text)) > LONG_ENOUGH // 3}
    assert len(beginnings) > 3
    said = {spelling for text in beginnings for spelling in spellings(text)}
    assert {(name, text) for name, log in logged.items() for text in said if text in log.lower()} == set()


def items(stack: SharedStack) -> Iterator[dict[str, Any]]:
    page = stack.table().scan()
    yield from page["Items"]
    while "LastEvaluatedKey" in page:
        page = stack.table().scan(ExclusiveStartKey=page["LastEvaluatedKey"])
        yield from page["Items"]


def test_one_id_leads_through_all_functions_that_a_question_passes(logged: dict[str, str], sent: Sent) -> None:
    told = {
        name: [line for line in lines(text) if line.get("correlation_id") == sent.streamed]
        for name, text in logged.items()
    }
    assert {line.get("message", "metrics") for line in told[GROUPS["router"]]} == {"routed", "metrics"}
    assert {line.get("message", "metrics") for line in told[GROUPS["retrieval"]]} == {"retrieved", "metrics"}
    (turn,) = [line for line in told["logs/answer.log"] if "TurnDuration" in line]
    assert turn["TimeToFirstToken"][0] <= turn["TurnDuration"][0]


def test_a_refusal_is_logged_under_the_id_that_its_answer_has(logged: dict[str, str], sent: Sent) -> None:
    (line,) = [
        line
        for line in lines(logged[GROUPS["api"]])
        if line.get("correlation_id") == sent.refused and "message" in line
    ]
    assert (line["message"], line["problem"]) == ("request refused", "urn:clew:problem:message-not-found")


def test_every_function_writes_lines_of_one_form(logged: dict[str, str]) -> None:
    for name in ("logs/answer.log", *GROUPS.values()):
        written = list(lines(logged[name]))
        assert written, name
        for line in written:
            wanted = {"_aws", "stage"} if "_aws" in line else {"level", "message", "name", "timestamp"}
            assert {*wanted, "service", "correlation_id"} <= set(line)
    assert [line for line in logged["logs/answer.log"].splitlines() if not line.startswith("{")] == []


@pytest.mark.parametrize("function", GROUPS)
def test_what_broke_is_told_with_its_place(logged: dict[str, str], function: str) -> None:
    broken = [line for line in lines(logged[GROUPS[function]]) if line.get("level") == "ERROR"]
    assert any("handler.py" in line.get("exception", "") for line in broken)
