"""What a request may be refused with: for each status of an operation, the problem types that it comes with."""

from collections import defaultdict
from typing import Final

from clew.openapi.schemas import Schema, ref
from clew.problem import MEDIA_TYPE, TYPE_PREFIX, not_found, problem_of_type

ANY: Final = ("invalid-request", "internal-error", "misconfigured")
STORE: Final = ("store-failed", "store-unavailable", "throttled")
ANSWER: Final = (
    "unknown-agent-type",
    "unknown-knowledge-base",
    "invalid-image",
    "message-too-long",
    "model-not-allowed",
    "conversation-cleared",
    "graph-failed",
    "graph-unavailable",
    "model-failed",
    "model-throttled",
    "model-unavailable",
    "retrieval-failed",
    "turn-timed-out",
    "unavailable",
    "workflow-failed",
)
"""What answering a message may fail with: as a status, or as an ``error`` event once a stream has begun."""

_GATEWAY: Final = {
    "forbidden": (403, "Not allowed"),
    "request-too-large": (413, "The request is too large"),
    "too-many-requests": (429, "Too many requests"),
    "upstream-unavailable": (502, "The service does not answer"),
    "upstream-timeout": (504, "The service took too long"),
}
"""What any operation may be answered with before or instead of Clew, by type: status and title."""

_NEEDS_TOKEN: Final = {"unauthorized": (401, "Not signed in")}


def refusals(slugs: tuple[str, ...], *, is_open: bool) -> dict[str, Schema]:
    """The responses by status; ``slugs`` are Clew's own problem types without their prefix."""
    by_status: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for slug, (status, title) in (_GATEWAY | ({} if is_open else _NEEDS_TOKEN)).items():
        by_status[status][slug] = title
    for slug in slugs:
        problem = not_found("") if slug == "not-found" else problem_of_type(TYPE_PREFIX + slug, "")
        if problem.type != TYPE_PREFIX + slug:
            raise ValueError(f"{slug!r} is no problem type")
        by_status[problem.status][slug] = problem.title
    return {str(status): _response(status, by_status[status]) for status in sorted(by_status)} | {"default": _default()}


def _response(status: int, titles: dict[str, str]) -> Schema:
    types = [TYPE_PREFIX + slug for slug in sorted(titles)]
    narrowed = {"properties": {"type": {"enum": types}, "status": {"const": status}}}
    described = ". ".join(dict.fromkeys(titles[slug] for slug in sorted(titles)))
    return {
        "description": f"{described}.",
        "content": {MEDIA_TYPE: {"schema": {"allOf": [ref("Problem"), narrowed]}}},
    }


def _default() -> Schema:
    """API Gateway's other refusals, whose documents may leave their status to the status line."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("type", "title", "detail", "instance")},
        "required": ["type", "title", "detail"],
    }
    return {"description": "Whatever else API Gateway refuses.", "content": {MEDIA_TYPE: {"schema": schema}}}
