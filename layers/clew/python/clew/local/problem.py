"""Problem documents of the local gateway, for what API Gateway itself would answer."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

from clew.problem import MEDIA_TYPE, TYPE_PREFIX, Problem


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """The problem document as an answer."""
    return Response(problem.to_json(), problem.status, dict(headers or {}), media_type=MEDIA_TYPE)


def gateway_problem(status: HTTPStatus, slug: str, detail: str) -> Response:
    """A problem that only a gateway has, of type ``urn:clew:problem:<slug>``."""
    return problem_response(Problem(type=TYPE_PREFIX + slug, title=status.phrase, status=status.value, detail=detail))
