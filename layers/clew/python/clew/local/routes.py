"""The REST API's routes, read from the deployed template."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import unquote

from clew.errors import ConfigurationError


@dataclass(frozen=True)
class Route:
    """One method on one resource; ``streamed`` when its response transfer mode is STREAM."""

    method: str
    path: str
    streamed: bool


@dataclass(frozen=True)
class RoutingTable:
    """All routes, and the stage that API Gateway serves them on."""

    routes: tuple[Route, ...]
    stage: str

    @classmethod
    def from_template(cls, template: Mapping[str, Any]) -> Self:
        """ConfigurationError when the template holds no REST API with methods and a stage."""
        resources: dict[str, Any] = template.get("Resources", {})
        routes = tuple(sorted(_routes(resources), key=lambda route: (route.path, route.method)))
        stages = [
            resource["Properties"]["StageName"]
            for resource in resources.values()
            if resource["Type"] == "AWS::ApiGateway::Stage"
        ]
        if not routes or len(stages) != 1:
            raise ConfigurationError("The deployed template has no REST API with methods and one stage.")
        return cls(routes, stages[0])

    def at(self, path: str) -> dict[str, Route]:
        """The methods of the resource that ``path``, as sent and still encoded, reaches; empty for none.

        As in API Gateway a literal segment wins over ``{id}``, which wins over ``{proxy+}``.
        """
        fitting = [(rank, route) for route in self.routes if (rank := _rank(route.path, path)) is not None]
        if not fitting:
            return {}
        best = min(rank for rank, _ in fitting)
        return {route.method: route for rank, route in fitting if rank == best}


def _routes(resources: Mapping[str, Any]) -> Iterator[Route]:
    for resource in resources.values():
        if resource["Type"] == "AWS::ApiGateway::Method":
            properties = resource["Properties"]
            mode = properties.get("Integration", {}).get("ResponseTransferMode", "BUFFERED")
            path = _path(resources, properties["ResourceId"])
            yield Route(properties["HttpMethod"], path or "/", mode == "STREAM")


def _path(resources: Mapping[str, Any], reference: Mapping[str, Any]) -> str:
    """The path of a resource; the root is ``Fn::GetAtt`` of the API, any other a ``Ref``."""
    if "Ref" not in reference:
        return ""
    properties = resources[reference["Ref"]]["Properties"]
    return f"{_path(resources, properties['ParentId'])}/{properties['PathPart']}"


def _segments(path: str) -> list[str]:
    # First split, then decode: an encoded slash belongs to its segment.
    return [unquote(segment) for segment in path.strip("/").split("/")]


def _rank(pattern: str, path: str) -> tuple[int, ...] | None:
    """One number a segment: 0 literal, 1 ``{id}``, 2 ``{proxy+}``; None when the pattern does not fit."""
    wanted, given = pattern.strip("/").split("/"), _segments(path)
    ranks: list[int] = []
    for position, segment in enumerate(wanted):
        if position >= len(given):
            return None
        if segment.endswith("+}"):
            return (*ranks, 2)
        if segment.startswith("{") and given[position]:
            ranks.append(1)
        elif segment == given[position]:
            ranks.append(0)
        else:
            return None
    return tuple(ranks) if len(wanted) == len(given) else None
