"""The REST API: routes, streaming, who may call, throttling, and refusals."""

import json
from typing import Any

from clew.local.routes import RoutingTable
from clew.problem import MEDIA_TYPE, TYPE_PREFIX
from tests.infra.template import StackTemplate

ROUTES = {
    ("POST", "/api/v1/chat"): "answer",
    ("POST", "/api/v1/chat/stream"): "answer",
    ("POST", "/api/v1/route"): "router",
    ("POST", "/api/v1/chat/cancel"): "api",
    ("POST", "/api/v1/clear"): "api",
    ("POST", "/api/v1/feedback"): "api",
    ("GET", "/api/v1/conversations"): "api",
    ("GET", "/api/v1/conversations/{session_id}/messages"): "api",
    ("GET", "/api/v1/knowledge-bases"): "api",
    ("GET", "/api/v1/health"): "api",
    ("GET", "/api/v1/openapi.json"): "api",
}

OPEN = {("GET", "/api/v1/health"), ("GET", "/api/v1/openapi.json")}


def methods(stack: StackTemplate) -> dict[tuple[str, str], dict[str, Any]]:
    """Properties of every method, by verb and path."""
    resources = stack.of_type("AWS::ApiGateway::Resource")

    def path(reference: dict[str, Any]) -> str:
        if "Ref" not in reference:
            return ""
        resource = resources[reference["Ref"]]
        return f"{path(resource['ParentId'])}/{resource['PathPart']}"

    found = stack.of_type("AWS::ApiGateway::Method").values()
    return {(each["HttpMethod"], path(each["ResourceId"])): each for each in found}


def test_routes_lead_to_their_functions(stack: StackTemplate) -> None:
    functions = stack.of_type("AWS::Lambda::Function")
    reached = {}
    for route, properties in methods(stack).items():
        uri = json.dumps(properties["Integration"]["Uri"])
        (name,) = [each["FunctionName"] for key, each in functions.items() if f'"{key}"' in uri]
        reached[route] = name.rsplit("-", 1)[1]
    assert reached == ROUTES


def test_exactly_the_two_chat_routes_stream_for_up_to_15_minutes(stack: StackTemplate) -> None:
    for route, properties in methods(stack).items():
        integration = properties["Integration"]
        if ROUTES[route] == "answer":
            assert integration["ResponseTransferMode"] == "STREAM"
            assert integration["TimeoutInMillis"] == 15 * 60 * 1000
            assert json.dumps(integration["Uri"]).endswith('/response-streaming-invocations"]]}')
        else:
            assert integration.get("ResponseTransferMode", "BUFFERED") == "BUFFERED"
            assert "TimeoutInMillis" not in integration


def test_local_gateway_reads_the_same_routes(local: StackTemplate) -> None:
    table = RoutingTable.from_template(local.template)
    assert table.stage == "local"
    streamed = {(route.method, route.path) for route in table.routes if route.streamed}
    assert streamed == {route for route, function in ROUTES.items() if function == "answer"}
    assert len(table.routes) == len(ROUTES)


def test_all_routes_but_health_and_the_document_ask_for_a_token_in_aws(stack: StackTemplate) -> None:
    for route, properties in methods(stack).items():
        is_open = stack.stage.identity == "none" or route in OPEN
        assert properties["AuthorizationType"] == ("NONE" if is_open else "COGNITO_USER_POOLS")
        assert ("AuthorizerId" in properties) is not is_open


def test_api_is_regional_and_its_stage_is_named_for_ours(stack: StackTemplate) -> None:
    assert stack.only("AWS::ApiGateway::RestApi")["EndpointConfiguration"] == {"Types": ["REGIONAL"]}
    assert stack.only("AWS::ApiGateway::Stage")["StageName"] == stack.stage.name


def test_requests_are_throttled(stack: StackTemplate) -> None:
    (settings,) = stack.only("AWS::ApiGateway::Stage")["MethodSettings"]
    assert settings["ThrottlingRateLimit"] == stack.stage.requests_per_second
    assert settings["ThrottlingBurstLimit"] == stack.stage.burst
    assert (settings["HttpMethod"], settings["ResourcePath"]) == ("*", "/*")


def test_bodies_are_never_logged_and_access_is_in_aws(stack: StackTemplate) -> None:
    properties = stack.only("AWS::ApiGateway::Stage")
    assert not any(each.get("DataTraceEnabled") for each in properties["MethodSettings"])
    assert ("AccessLogSetting" in properties) is stack.stage.access_logs
    assert bool(stack.of_type("AWS::ApiGateway::Account")) is stack.stage.access_logs


def test_refusals_of_the_gateway_are_problem_documents(stack: StackTemplate) -> None:
    responses = {each["ResponseType"]: each for each in stack.of_type("AWS::ApiGateway::GatewayResponse").values()}
    assert {"DEFAULT_4XX", "DEFAULT_5XX", "UNAUTHORIZED", "THROTTLED"} <= set(responses)
    for response in responses.values():
        assert response["ResponseParameters"] == {"gatewayresponse.header.Content-Type": f"'{MEDIA_TYPE}'"}
        document = json.loads(response["ResponseTemplates"]["application/json"])
        assert document["type"].startswith(TYPE_PREFIX)
        assert str(document.get("status", "")) == response.get("StatusCode", "")


def test_unknown_path_is_not_found_rather_than_forbidden(stack: StackTemplate) -> None:
    responses = stack.of_type("AWS::ApiGateway::GatewayResponse").values()
    (response,) = [each for each in responses if each["ResponseType"] == "MISSING_AUTHENTICATION_TOKEN"]
    assert response["StatusCode"] == "404"
    assert f"{TYPE_PREFIX}not-found" in response["ResponseTemplates"]["application/json"]
