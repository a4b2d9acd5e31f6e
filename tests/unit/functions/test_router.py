"""The router function: the workflow's first task, and POST /route."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from clew import wiring
from clew.errors import InternalError, UnknownAgentTypeError, UnknownKnowledgeBaseError
from clew.knowledge.registry import KnowledgeBaseRegistry
from clew.routing import detection
from clew.routing.chooser import Choice
from clew.routing.decision import RouteDecision
from clew.routing.intent import Intent, Slot
from clew.routing.knowledge_base import KnowledgeBaseProfile
from tests.documented import assert_documented

Task = Callable[..., dict[str, Any]]
SECRET = "Who directed Inception, secretly?"
REQUEST_ID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"  # of the recorded event


@pytest.fixture(autouse=True)
def films(table: Any) -> None:
    profile = KnowledgeBaseProfile(prefix="films", title="Films", entity_names=("Inception", "盗梦空间"))
    KnowledgeBaseRegistry(table, "acme").put(profile)
    KnowledgeBaseRegistry(table, "default").put(profile.model_copy(update={"prefix": "movies"}))


@pytest.fixture
def task(load_handler: Any, context: Any) -> Task:
    """Call the function as the workflow does."""

    def run(message: str, **fields: Any) -> dict[str, Any]:
        environment = {"CLEW_EMBEDDER": "e5", "CLEW_IDENTITY": "cognito"}
        module = load_handler("router", **environment, KB_AUTO_ROUTE=fields.pop("auto", "true"))
        given = {"tenant_id": "acme", "session_id": "s1", "requested_kb_prefix": "", "agent_type": ""}
        answer: dict[str, Any] = module.handler(given | {"message": message} | fields, context)
        return answer

    return run


@pytest.fixture
def post(load_handler: Any, read_event: Any, context: Any) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Call the function as API Gateway does."""

    def send(body: Any, *, signed_in: bool = False, **event_fields: Any) -> tuple[int, dict[str, Any]]:
        module = load_handler("router", CLEW_EMBEDDER="e5", CLEW_IDENTITY="cognito" if signed_in else "none")
        event = read_event("api_gateway_proxy") | {"httpMethod": "POST", "path": "/api/v1/route"}
        event["body"] = body if isinstance(body, str) or body is None else json.dumps(body)
        if signed_in:
            event["requestContext"]["authorizer"] = read_event("cognito_authorizer")
        event |= event_fields
        answer = module.handler(event, context)
        wanted = "application/json" if answer["statusCode"] == 200 else "application/problem+json"
        assert answer["headers"]["Content-Type"] == wanted
        assert_documented("POST", event["path"], answer["statusCode"], wanted, answer["body"])
        return answer["statusCode"], json.loads(answer["body"])

    return send


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What the function has written, all of which is JSON."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_workflow_gets_a_decision_that_it_can_plan_by(task: Task) -> None:
    answer = task("Who directed Inception?")
    assert set(answer) == {"decision"}
    decision = RouteDecision.model_validate(json.loads(json.dumps(answer["decision"])))
    assert decision.kb_prefix == "films"
    assert answer["decision"]["plan"][0]["worker_name"] == decision.worker_name
    assert set(answer["decision"]["plan"][0]) >= {"agent_type", "worker_name"}


def test_a_task_that_goes_on_with_a_question_keeps_its_intent(task: Task, table: Any) -> None:
    year = Slot(name="year", question="Which year?", pattern=r"20\d\d")
    prize = Intent(name="prize", words=("prize",), slots=(Slot(name="film", question="Which film?"), year))
    profile = KnowledgeBaseProfile(prefix="prizes", title="Prizes", intents=(prize,))
    KnowledgeBaseRegistry(table, "acme").put(profile)
    found = task("Which prize was it?", requested_kb_prefix="prizes")["decision"]["intent"]
    assert (found["name"], [slot["name"] for slot in found["missing"]]) == ("prize", ["film", "year"])
    known = {"film": "Inception"}
    gone_on = task("Which one was it (Inception)?", requested_kb_prefix="prizes", intent="prize", known=known)
    intent = gone_on["decision"]["intent"]
    assert (intent["name"], intent["known"], [slot["name"] for slot in intent["missing"]]) == ("prize", known, ["year"])


def test_general_is_a_plan_without_a_first_item(task: Task) -> None:
    decision = task("Tell me a joke, please.")["decision"]
    assert decision["plan"] == []
    assert (decision["kb_prefix"], decision["worker_name"]) == ("general", "")


def test_tenants_see_their_own_knowledge_bases(task: Task) -> None:
    assert task("Who directed Inception?", tenant_id="default")["decision"]["kb_prefix"] == "movies"
    with pytest.raises(UnknownKnowledgeBaseError):
        task("Who directed Inception?", requested_kb_prefix="movies")


def test_a_warm_function_reads_profiles_again_only_when_they_have_changed(
    load_handler: Any, context: Any, table: Any
) -> None:
    module = load_handler("router", CLEW_EMBEDDER="e5", CLEW_IDENTITY="cognito")
    asked: list[str] = []

    def route(message: str) -> str:
        answer = module.handler({"tenant_id": "acme", "session_id": "s1", "message": message}, context)
        prefix: str = answer["decision"]["kb_prefix"]
        return prefix

    assert route("Who directed Inception?") == "films"
    events = wiring.stores.dynamodb_table(table.name).meta.client.meta.events
    events.register("before-call.dynamodb", lambda model, **_: asked.append(model.name))
    assert route("Who directed Inception?") == "films"
    assert asked == ["GetItem"]
    profile = KnowledgeBaseProfile(prefix="plays", title="Plays", entity_names=("Hamlet",))
    KnowledgeBaseRegistry(table, "acme").put(profile)
    assert route("Who wrote Hamlet?") == "plays"


def test_automatic_routing_can_be_switched_off(task: Task) -> None:
    assert task("Who directed Inception?", auto="false")["decision"]["kb_prefix"] == "general"
    assert task("Hello", auto="false", requested_kb_prefix="films")["decision"]["kb_prefix"] == "films"


def test_the_workflow_sees_errors_by_their_names(task: Task) -> None:
    with pytest.raises(UnknownKnowledgeBaseError):
        task("Who?", requested_kb_prefix="nothing")
    with pytest.raises(UnknownAgentTypeError):
        task("Who directed Inception?", agent_type="oracle")


def test_what_an_error_repeats_of_a_request_does_not_reach_lambdas_own_log(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnknownKnowledgeBaseError) as raised:
        task("Who?", requested_kb_prefix=SECRET)
    assert str(raised.value) == "Something that was asked for is refused."
    assert raised.value.__suppress_context__, "what led to it would be written as well"
    (line,) = lines(capsys)
    assert (line["message"], line["exception_name"]) == ("failed", "UnknownKnowledgeBaseError")
    assert "secretly" not in json.dumps(line)


def test_the_kind_of_the_question_chooses_the_workers(task: Task) -> None:
    decision = task("Where was the director of Inception born?")["decision"]
    assert [run["agent_type"] for run in decision["plan"]] == ["graph_agent", "deep_research_agent"]
    assert decision["plan_reason"]


class Chooser:
    """A language model that sends everything to films."""

    def choose(self, message: str, knowledge_bases: list[KnowledgeBaseProfile]) -> Choice:
        assert [profile.prefix for profile in knowledge_bases] == ["films"]
        return Choice("films", "So it is.")


def test_a_configured_model_is_asked_where_the_router_is_in_doubt(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = detection.Detection("general", 0.5, "embedding", "Who knows.", is_doubtful=True)
    monkeypatch.setattr("clew.routing.router.detect", lambda *_: doubtful)
    assert task("Is it shown there?")["decision"]["kb_prefix"] == "general"
    monkeypatch.setattr(wiring.retrieval, "kb_chooser", lambda settings: Chooser())
    decision = task("Is it shown there?")["decision"]
    assert (decision["kb_prefix"], decision["method"]) == ("films", "llm")


def test_the_log_tells_the_decision_and_not_the_message(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    task(SECRET)
    logged = capsys.readouterr().out
    assert "films:graph_agent:retrieve_only" in logged
    assert "s1" in logged
    assert "secret" not in logged.lower()


def test_the_log_has_the_id_of_the_request_that_the_workflow_was_given(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    task("Who directed Inception?", correlation_id="request-7")
    assert {each["correlation_id"] for each in lines(capsys)} == {"request-7"}


def test_the_log_has_an_id_also_where_none_fits(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    task("Who directed Inception?")
    task("Who directed Inception?", correlation_id="two\nlines")
    ids = {each["correlation_id"] for each in lines(capsys)}
    assert len(ids) == 2
    assert all(len(each) == 32 for each in ids)


def test_an_event_that_is_no_task_is_told_of_without_what_it_holds(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InternalError, match="ValidationError") as raised:
        task(SECRET, known=[SECRET])
    assert SECRET not in str(raised.value)
    (line,) = lines(capsys)
    assert line["exception"].splitlines()[-1] == "ValidationError: LookupInput: dict_type"
    assert SECRET not in json.dumps(line)


def test_a_metric_tells_how_long_routing_takes_by_its_method(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    task("Who directed Inception?")
    (found,) = [each for each in lines(capsys) if "_aws" in each]
    (directive,) = found["_aws"]["CloudWatchMetrics"]
    (dimensions,) = directive["Dimensions"]
    told = {name: found[name] for name in dimensions}
    assert told == {"service": "clew-router", "stage": "dev", "method": "heuristic"}
    assert [each["Name"] for each in directive["Metrics"]] == ["RouteDuration"]
    assert 0 <= found["RouteDuration"][0] < 60_000


def test_a_decision_can_be_asked_for_over_http(post: Any) -> None:
    status, body = post({"message": "谁执导了《盗梦空间》？", "user_id": "ann"})
    assert status == 200
    assert RouteDecision.model_validate(body).kb_prefix == "movies"


def test_the_tenant_comes_from_the_header_or_the_token(post: Any) -> None:
    message = {"message": "Who directed Inception?"}
    assert post(message, headers={"x-tenant-id": "acme"})[1]["kb_prefix"] == "films"
    assert post(message, signed_in=True)[1]["kb_prefix"] == "films"
    assert post(message, signed_in=True, headers={"X-Tenant-Id": "default"})[1]["kb_prefix"] == "films"


def test_a_body_in_base64_is_read(post: Any) -> None:
    body = base64.b64encode(json.dumps({"message": "Who directed Inception?"}).encode()).decode()
    assert post(body, isBase64Encoded=True)[0] == 200


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        (None, 400, "invalid-request"),
        ("{", 400, "invalid-request"),
        ("[]", 400, "invalid-request"),
        ({}, 400, "invalid-request"),
        ({"message": " "}, 400, "invalid-request"),
        ({"message": 7}, 400, "invalid-request"),
        ({"message": "x" * 32_001}, 413, "message-too-long"),
        ({"message": "Hi", "kb_prefix": "nothing"}, 404, "unknown-knowledge-base"),
        ({"message": "Hi", "agent_type": "oracle"}, 400, "unknown-agent-type"),
        ({"message": "Hi", "session_id": "a b"}, 400, "invalid-request"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_wrong_with_a_request_is_told_in_a_problem_document(
    post: Any, body: Any, status: int, slug: str
) -> None:
    answered, problem = post(body)
    assert (answered, problem["status"], problem["type"]) == (status, status, f"urn:clew:problem:{slug}")
    assert problem["instance"] == f"urn:clew:request:{REQUEST_ID}"


def test_without_a_token_where_one_is_wanted_it_is_forbidden(post: Any) -> None:
    status, problem = post({"message": "Hi"}, signed_in=True, requestContext={"requestId": "r1"})
    assert (status, problem["type"]) == (403, "urn:clew:problem:forbidden")
