"""The api function, through the events that API Gateway sends."""

import base64
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from clew import __version__
from clew.conversation.store import ConversationStore
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.retrieval.evidence import Citation
from clew.routing.intent import Intent, Slot
from clew.routing.knowledge_base import KnowledgeBaseProfile
from tests.documented import assert_documented

SUB = "6f1c2d9e-3b4a-4c5d-8e7f-0a1b2c3d4e5f"


NO_CONVERSATIONS = {"conversations": [], "next_before": ""}


class Answer(NamedTuple):
    status: int
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def problem(self) -> str:
        """The slug of a problem document, which this must be."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.body["status"] == self.status
        return self.body["type"].removeprefix("urn:clew:problem:")


@pytest.fixture
def call(load_handler, read_event, context) -> Callable[..., Answer]:
    """Call the function where there is no identity, or as a signed-in user with ``signed_in``."""
    module = None

    def send(
        method: str,
        path: str,
        body: Any = None,
        *,
        query: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        signed_in: bool = False,
    ) -> Answer:
        nonlocal module
        module = module or load_handler("api", CLEW_IDENTITY="cognito" if signed_in else "none")
        event = read_event("api_gateway_proxy")
        event |= {"httpMethod": method, "path": f"/api/v1{path}", "queryStringParameters": query}
        event["requestContext"] |= {"httpMethod": method, "path": f"/dev/api/v1{path}"}
        event["headers"] |= headers or {}
        if signed_in:
            event["requestContext"]["authorizer"] = read_event("cognito_authorizer")
        event["body"] = body if body is None or isinstance(body, str) else json.dumps(body)
        answer = module.handler(event, context)
        flat = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        assert_documented(method, event["path"], answer["statusCode"], flat["Content-Type"], answer["body"])
        return Answer(answer["statusCode"], json.loads(answer["body"]), flat)

    return send


@pytest.fixture
def store(table) -> ConversationStore:
    return ConversationStore(table, "default")


@pytest.fixture
def talk(store) -> list[str]:
    """A conversation of ann's in session s1; the ids of its messages."""
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    citation = Citation(number=1, passage_id="p", document_id="d", title="卧虎藏龙")
    return [
        store.append_message(conversation_id, "user", "谁导演了《卧虎藏龙》？").message_id,
        store.append_message(conversation_id, "assistant", "李安 [1]", [citation]).message_id,
    ]


def test_health_tells_version_and_stage(call) -> None:
    answer = call("GET", "/health")
    assert (answer.status, answer.body) == (200, {"status": "ok", "version": __version__, "stage": "dev"})


def test_messages_are_listed_with_their_citations(call, talk) -> None:
    answer = call("GET", "/conversations/s1/messages", query={"user_id": "ann"})
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert [each["content"] for each in answer.body["messages"]] == ["谁导演了《卧虎藏龙》？", "李安 [1]"]
    assert answer.body["messages"][1]["citations"][0]["title"] == "卧虎藏龙"
    assert answer.body["next_before"] == ""


def test_messages_are_listed_page_by_page(call, talk) -> None:
    newest = call("GET", "/conversations/s1/messages", query={"user_id": "ann", "limit": "1"}).body
    assert [each["message_id"] for each in newest["messages"]] == [talk[1]]
    query = {"user_id": "ann", "limit": "1", "before": newest["next_before"]}
    oldest = call("GET", "/conversations/s1/messages", query=query).body
    assert [each["message_id"] for each in oldest["messages"]] == [talk[0]]
    assert oldest["next_before"] == ""
    query = {"user_id": "ann", "limit": "1", "after": oldest["next_after"]}
    back = call("GET", "/conversations/s1/messages", query=query).body
    assert [each["message_id"] for each in back["messages"]] == [talk[1]]
    assert (back["next_before"], back["next_after"]) == (talk[1], "")


def test_an_answer_that_asks_back_is_listed_as_such(call, store) -> None:
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    store.append_message(conversation_id, "assistant", "哪一年？", is_ask_user=True, pending_intent="deadline")
    (listed,) = call("GET", "/conversations/s1/messages", query={"user_id": "ann"}).body["messages"]
    assert (listed["is_ask_user"], listed["pending_intent"]) == (True, "deadline")


def test_session_id_may_come_percent_encoded(call, store) -> None:
    store.append_message(store.get_or_create_conversation_id("ann", "a:b@c.d"), "user", "hello")
    for path in ("a:b@c.d", "a%3Ab%40c.d"):
        answer = call("GET", f"/conversations/{path}/messages", query={"user_id": "ann"})
        assert [each["content"] for each in answer.body["messages"]] == ["hello"]


def test_conversations_are_listed(call, talk) -> None:
    (listed,) = call("GET", "/conversations", query={"user_id": "ann"}).body["conversations"]
    assert (listed["session_id"], listed["title"]) == ("s1", "谁导演了《卧虎藏龙》？")
    assert listed["message_count"] == 2
    assert call("GET", "/conversations", query={"user_id": "bob"}).body == NO_CONVERSATIONS


def test_conversations_are_listed_page_by_page(call, store) -> None:
    for number in range(3):
        store.begin("ann", f"s{number}", "hello")
    first = call("GET", "/conversations", query={"user_id": "ann", "limit": "2"}).body
    rest = call("GET", "/conversations", query={"user_id": "ann", "before": first["next_before"]}).body
    sessions = [each["session_id"] for each in first["conversations"] + rest["conversations"]]
    assert sorted(sessions) == ["s0", "s1", "s2"]
    assert (len(first["conversations"]), rest["next_before"]) == (2, "")


def test_clear_answers_with_the_count_and_is_safe_to_repeat(call, talk) -> None:
    request = {"user_id": "ann", "session_id": "s1"}
    answer = call("POST", "/clear", request)
    assert (answer.status, answer.body) == (200, {"status": "ok", "remaining_messages": "0", "cleared": 2})
    assert call("POST", "/clear", request).body["cleared"] == 0
    listed = call("GET", "/conversations/s1/messages", query={"user_id": "ann"})
    assert listed.body == {"messages": [], "next_before": "", "next_after": ""}


def test_clearing_a_session_that_never_was_clears_nothing_and_makes_nothing(call, table) -> None:
    assert call("POST", "/clear", {"user_id": "ann", "session_id": "never"}).body["cleared"] == 0
    assert table.scan()["Items"] == []


def test_feedback_is_kept_with_the_message(call, talk) -> None:
    judged = {"message_id": talk[1], "is_positive": False, "query": "谁?", "metadata": {"tags": ["错"]}}
    answer = call("POST", "/feedback", {"user_id": "ann", "thread_id": "s1", "agent_type": "graph_agent", **judged})
    assert (answer.status, answer.body) == (200, {"status": "ok", "message_id": talk[1]})
    listed = call("GET", "/conversations/s1/messages", query={"user_id": "ann"}).body["messages"]
    kept = listed[1]["feedback"]
    assert kept.pop("created_at")
    assert kept == {**judged, "thread_id": "s1", "agent_type": "graph_agent"}


def test_feedback_without_an_agent_type_has_that_of_the_answer(call, store) -> None:
    conversation_id = store.get_or_create_conversation_id("ann", "s1")
    debug = {"route": {"worker_name": "movie:graph_agent:retrieve_only"}}
    message_id = store.append_message(conversation_id, "assistant", "李安", debug=debug).message_id
    judged = {"message_id": message_id, "is_positive": True, "agent_type": "auto"}
    assert call("POST", "/feedback", {"user_id": "ann", "session_id": "s1", **judged}).status == 200
    (listed,) = call("GET", "/conversations/s1/messages", query={"user_id": "ann"}).body["messages"]
    assert listed["feedback"]["agent_type"] == "graph_agent"


def test_body_in_base64_is_read(call, talk, load_handler, read_event, context) -> None:
    event = read_event("api_gateway_proxy") | {
        "httpMethod": "POST",
        "path": "/api/v1/clear",
        "isBase64Encoded": True,
    }
    event["body"] = base64.b64encode(b'{"user_id": "ann", "session_id": "s1"}').decode()
    answer = load_handler("api", CLEW_IDENTITY="none").handler(event, context)
    assert json.loads(answer["body"])["cleared"] == 2


def test_knowledge_bases_are_shown_without_their_inner_parts(call, table) -> None:
    profile = KnowledgeBaseProfile(
        prefix="movie",
        title="Films",
        title_zh="电影",
        entity_names=("诺兰",),
        topic_vectors=((1.0,),),
        documents=40,
        intents=(Intent(name="cast", words=("plays | 饰演",), slots=(Slot(name="part", question="Which part?"),)),),
    )
    KnowledgeBaseRegistry(table, "default").put(profile)
    (shown,) = call("GET", "/knowledge-bases").body["knowledge_bases"]
    assert (shown["prefix"], shown["title_zh"], shown["documents"]) == ("movie", "电影", 40)
    assert shown["index_state"] == "loading"
    assert [(intent["name"], intent["slots"][0]["question"]) for intent in shown["intents"]] == [
        ("cast", "Which part?")
    ]
    assert not {"entity_names", "topic_vectors"} & set(shown)


def test_tenants_are_kept_apart_by_the_header(call, talk) -> None:
    other = {"x-tenant-id": "other"}
    assert call("GET", "/conversations", query={"user_id": "ann"}, headers=other).body == NO_CONVERSATIONS
    assert call("POST", "/clear", {"user_id": "ann", "session_id": "s1"}, headers=other).body["cleared"] == 0
    answer = call("GET", "/conversations/s1/messages", query={"user_id": "ann"}, headers=other)
    assert answer.problem == "conversation-not-found"
    assert call("GET", "/conversations", query={"user_id": "ann"}).body["conversations"]


def test_signed_in_user_and_tenant_come_from_the_token(call, table) -> None:
    acme = ConversationStore(table, "acme")
    acme.append_message(acme.get_or_create_conversation_id(SUB, "s1"), "user", "hello")
    answer = call("GET", "/conversations/s1/messages", headers={"X-Tenant-Id": "default"}, signed_in=True)
    assert [each["content"] for each in answer.body["messages"]] == ["hello"]


def test_signed_in_user_cannot_speak_for_another(call, talk, table) -> None:
    count = table.scan(Select="COUNT")["Count"]
    answer = call("POST", "/clear", {"user_id": "ann", "session_id": "s1"}, signed_in=True)
    assert (answer.status, answer.problem) == (403, "forbidden")
    answer = call("GET", "/conversations", query={"user_id": "ann"}, signed_in=True)
    assert (answer.status, answer.problem) == (403, "forbidden")
    assert table.scan(Select="COUNT")["Count"] == count


class Bad(NamedTuple):
    id: str
    method: str
    path: str
    status: int
    problem: str
    body: Any = None
    query: dict[str, str] | None = None


ANN = {"user_id": "ann"}
BAD = [
    Bad("unknown session", "GET", "/conversations/never/messages", 404, "conversation-not-found", query=ANN),
    Bad("session no id", "GET", "/conversations/a%23b/messages", 400, "invalid-request", query=ANN),
    Bad("listing without user", "GET", "/conversations/s1/messages", 400, "invalid-request"),
    Bad("limit a word", "GET", "/conversations", 400, "invalid-request", query={**ANN, "limit": "all"}),
    Bad("limit too high", "GET", "/conversations", 400, "invalid-request", query={**ANN, "limit": "101"}),
    Bad("user no id", "GET", "/conversations", 400, "invalid-request", query={"user_id": "a#b"}),
    Bad(
        "before no message",
        "GET",
        "/conversations/s1/messages",
        400,
        "invalid-request",
        query={**ANN, "before": "x"},
    ),
    Bad(
        "before and after",
        "GET",
        "/conversations/s1/messages",
        400,
        "invalid-request",
        query={**ANN, "before": "x", "after": "y"},
    ),
    Bad("list before nothing", "GET", "/conversations", 400, "invalid-request", query={**ANN, "before": "x"}),
    Bad("no body", "POST", "/clear", 400, "invalid-request"),
    Bad("malformed body", "POST", "/clear", 400, "invalid-request", body="{"),
    Bad("deep body", "POST", "/clear", 400, "invalid-request", body="[" * 100_000),
    Bad("clear without user", "POST", "/clear", 400, "invalid-request", body={"session_id": "s1"}),
    Bad("clear without session", "POST", "/clear", 400, "invalid-request", body=ANN),
    Bad(
        "feedback on an unknown message",
        "POST",
        "/feedback",
        404,
        "message-not-found",
        body={**ANN, "session_id": "s1", "message_id": "m9", "is_positive": True},
    ),
    Bad(
        "feedback in an unknown session",
        "POST",
        "/feedback",
        404,
        "conversation-not-found",
        body={**ANN, "session_id": "never", "message_id": "m9", "is_positive": True},
    ),
    Bad("unknown path", "GET", "/nope", 404, "not-found"),
    Bad("path below a resource", "GET", "/health/nope", 404, "not-found"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_bad_input_is_answered_with_a_problem_and_changes_nothing(call, talk, table, bad: Bad) -> None:
    before = sorted(table.scan()["Items"], key=lambda item: (item["pk"], item["sk"]))
    answer = call(bad.method, bad.path, bad.body, query=bad.query)
    assert (answer.status, answer.problem) == (bad.status, bad.problem)
    assert answer.body["detail"]
    assert answer.body["instance"] == "urn:clew:request:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
    assert sorted(table.scan()["Items"], key=lambda item: (item["pk"], item["sk"])) == before


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/clear", "POST"),
        ("DELETE", "/clear", "POST"),
        ("PUT", "/feedback", "POST"),
        ("POST", "/conversations", "GET"),
        ("POST", "/conversations/s1/messages", "GET"),
        ("PATCH", "/knowledge-bases", "GET"),
        ("OPTIONS", "/health", "GET"),
    ],
)
def test_wrong_method_is_told_the_right_one(call, method: str, path: str, allowed: str) -> None:
    answer = call(method, path)
    assert (answer.status, answer.problem) == (405, "method-not-allowed")
    assert answer.headers["Allow"] == allowed


def fail_reads(code: str) -> None:
    """Make the table that the handler uses refuse every read."""
    from clew import wiring

    def answer(**_: Any) -> tuple[SimpleNamespace, dict[str, Any]]:
        return SimpleNamespace(status_code=400), {"Error": {"Code": code, "Message": "arn:aws:secret"}}

    events = wiring.stores.dynamodb_table("clew-test").meta.client.meta.events
    events.register("before-call.dynamodb.GetItem", answer)


@pytest.mark.usefixtures("talk")
@pytest.mark.parametrize(
    ("code", "status", "problem"),
    [("ThrottlingException", 503, "throttled"), ("AccessDeniedException", 500, "store-failed")],
)
def test_failing_table_is_a_problem_that_tells_no_details(call, capsys, code: str, status: int, problem: str) -> None:
    fail_reads(code)
    answer = call("GET", "/conversations/s1/messages", query=ANN)
    assert (answer.status, answer.problem) == (status, problem)
    assert "arn:" not in json.dumps(answer.body)
    (line,) = capsys.readouterr().out.splitlines()
    logged = json.loads(line)
    assert (logged["level"], logged["message"]) == ("ERROR", "request failed")
    assert logged["correlation_id"] == "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
    assert logged["exception_name"] == {503: "ThrottledError", 500: "StoreError"}[status]


def test_missing_setting_is_a_problem_that_names_it(load_handler, read_event, context, monkeypatch) -> None:
    module = load_handler("api")
    monkeypatch.delenv("CLEW_TABLE_NAME")
    answer = module.handler(read_event("api_gateway_proxy"), context)
    body = json.loads(answer["body"])
    assert (answer["statusCode"], body["type"]) == (500, "urn:clew:problem:misconfigured")
    assert "CLEW_TABLE_NAME" in body["detail"]


def test_logs_hold_no_message_text(call, store, capsys) -> None:
    store.append_message(store.get_or_create_conversation_id("ann", "s1"), "user", "PRIVATE words")
    call("GET", "/conversations/s1/messages", query=ANN)
    call(
        "POST",
        "/feedback",
        {**ANN, "session_id": "s1", "message_id": "m", "is_positive": True, "query": "PRIVATE"},
    )
    call("POST", "/clear", {**ANN, "session_id": "PRIVATE words"})
    call("POST", "/clear", '{"message": "PRIVATE')
    logged = capsys.readouterr().out
    assert "request refused" in logged
    assert "PRIVATE" not in logged
