"""The routing table that the gateway reads from a template."""

from dataclasses import dataclass

import pytest

from clew.errors import ConfigurationError
from clew.local.routes import RoutingTable


def resource(part: str, parent: str | None) -> dict[str, object]:
    above = {"Ref": parent} if parent else {"Fn::GetAtt": ["Rest", "RootResourceId"]}
    return {"Type": "AWS::ApiGateway::Resource", "Properties": {"PathPart": part, "ParentId": above}}


def method(name: str, on: str, mode: str | None = None) -> dict[str, object]:
    integration = {"Type": "AWS_PROXY"} | ({"ResponseTransferMode": mode} if mode else {})
    properties = {"HttpMethod": name, "ResourceId": {"Ref": on}, "Integration": integration}
    return {"Type": "AWS::ApiGateway::Method", "Properties": properties}


TEMPLATE = {
    "Resources": {
        "Stage": {"Type": "AWS::ApiGateway::Stage", "Properties": {"StageName": "local"}},
        "Chat": resource("chat", None),
        "Stream": resource("stream", "Chat"),
        "Sessions": resource("sessions", None),
        "One": resource("{id}", "Sessions"),
        "Mine": resource("mine", "Sessions"),
        "Files": resource("files", None),
        "Rest": resource("{path+}", "Files"),
        "PostChat": method("POST", "Chat", "BUFFERED"),
        "PostStream": method("POST", "Stream", "STREAM"),
        "GetOne": method("GET", "One"),
        "DeleteOne": method("DELETE", "One"),
        "GetMine": method("GET", "Mine"),
        "AnyFile": method("ANY", "Rest"),
    }
}


@dataclass(frozen=True)
class Case:
    id: str
    path: str
    reached: str | None
    methods: frozenset[str]


CASES = [
    Case("a literal path", "/chat/stream", "/chat/stream", frozenset({"POST"})),
    Case("a parameter", "/sessions/7", "/sessions/{id}", frozenset({"GET", "DELETE"})),
    Case("a literal wins over a parameter", "/sessions/mine", "/sessions/mine", frozenset({"GET"})),
    Case(
        "an encoded slash stays in its segment",
        "/sessions/a%2Fb",
        "/sessions/{id}",
        frozenset({"GET", "DELETE"}),
    ),
    Case("a greedy parameter takes the rest", "/files/a/b/c", "/files/{path+}", frozenset({"ANY"})),
    Case("an encoded literal", "/ch%61t", "/chat", frozenset({"POST"})),
    Case("a resource without methods", "/sessions", None, frozenset()),
    Case("an empty parameter", "/sessions/", None, frozenset()),
    Case("one segment too many", "/chat/stream/x", None, frozenset()),
    Case("the root", "/", None, frozenset()),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_path_reaches_its_resource(case: Case) -> None:
    found = RoutingTable.from_template(TEMPLATE).at(case.path)
    assert set(found) == case.methods
    assert {route.path for route in found.values()} == ({case.reached} if case.reached else set())


def test_only_methods_in_transfer_mode_stream_are_streamed() -> None:
    table = RoutingTable.from_template(TEMPLATE)
    assert [route.path for route in table.routes if route.streamed] == ["/chat/stream"]


def test_the_stage_comes_from_the_template() -> None:
    assert RoutingTable.from_template(TEMPLATE).stage == "local"


def test_a_template_without_an_api_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no REST API"):
        RoutingTable.from_template({"Resources": {}})
