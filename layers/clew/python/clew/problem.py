"""Problem documents (RFC 9457): the one table from error classes to HTTP and to ``error`` events."""

from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from clew import errors

MEDIA_TYPE: Final = "application/problem+json"
TYPE_PREFIX: Final = "urn:clew:problem:"
REQUEST_PREFIX: Final = "urn:clew:request:"
MOST_DETAIL: Final = 1_000
"""Characters of a detail: a few sentences, and a list of what there is."""


class _Kind(NamedTuple):
    status: int
    slug: str
    title: str


_KINDS: Final[dict[type[errors.ClewError], _Kind]] = {
    errors.InvalidRequestError: _Kind(400, "invalid-request", "The request does not fit"),
    errors.MessageTooLongError: _Kind(413, "message-too-long", "The message is too long"),
    errors.MessageTooLargeError: _Kind(413, "message-too-long", "The message is too long"),
    errors.UnknownKnowledgeBaseError: _Kind(404, "unknown-knowledge-base", "No such knowledge base"),
    errors.UnknownAgentTypeError: _Kind(400, "unknown-agent-type", "No such agent type"),
    errors.WorkerNameError: _Kind(400, "invalid-worker-name", "The worker name does not fit"),
    errors.ConversationNotFoundError: _Kind(404, "conversation-not-found", "No such conversation"),
    errors.ConversationClearedError: _Kind(409, "conversation-cleared", "The conversation was cleared"),
    errors.MessageNotFoundError: _Kind(404, "message-not-found", "No such message"),
    errors.AnsweredElsewhereError: _Kind(409, "answered-elsewhere", "Answered elsewhere"),
    errors.EntityNotFoundError: _Kind(404, "entity-not-found", "No such entity"),
    errors.ImageError: _Kind(400, "invalid-image", "The picture is not taken"),
    errors.ModelNotAllowedError: _Kind(403, "model-not-allowed", "The model may not be chosen"),
    errors.DocumentError: _Kind(400, "invalid-document", "The document cannot be loaded"),
    errors.ForbiddenError: _Kind(403, "forbidden", "Not allowed"),
    errors.CallerError: _Kind(400, "invalid-request", "The request does not fit"),
    errors.GraphUnavailableError: _Kind(503, "graph-unavailable", "The knowledge graph does not answer"),
    errors.ModelThrottledError: _Kind(503, "model-throttled", "The model is busy"),
    errors.ModelUnavailableError: _Kind(503, "model-unavailable", "The model does not answer"),
    errors.ThrottledError: _Kind(503, "throttled", "The service is busy"),
    errors.StoreUnavailableError: _Kind(503, "store-unavailable", "The table does not answer"),
    errors.TransientError: _Kind(503, "unavailable", "Not available at the moment"),
    errors.ConfigurationError: _Kind(500, "misconfigured", "The service is not set up right"),
    errors.TurnTimeoutError: _Kind(504, "turn-timed-out", "The answer took too long"),
    errors.WorkflowError: _Kind(502, "workflow-failed", "The retrieval workflow failed"),
    errors.RetrievalFailedError: _Kind(502, "retrieval-failed", "The knowledge graph could not be searched"),
    errors.GraphError: _Kind(502, "graph-failed", "The knowledge graph refused"),
    errors.StoreError: _Kind(500, "store-failed", "The table refused"),
    errors.ModelError: _Kind(502, "model-failed", "The model failed"),
    errors.InternalError: _Kind(500, "internal-error", "Something went wrong"),
    errors.ClewError: _Kind(500, "internal-error", "Something went wrong"),
}
_UNEXPECTED: Final = "Something went wrong on our side. It has been logged; try again later."


class FieldProblem(BaseModel):
    """What is wrong with one field; ``field`` is its path in the request."""

    model_config = ConfigDict(frozen=True)

    field: str
    detail: str


class Problem(BaseModel):
    """A problem document; ``type`` is stable and made to be compared, ``detail`` is for a person."""

    model_config = ConfigDict(frozen=True)

    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None
    errors: tuple[FieldProblem, ...] | None = None

    def to_json(self) -> str:
        return self.model_dump_json(exclude_none=True)


def problem_of(error: BaseException, instance: str = "") -> Problem:
    """The problem document of an error; of one that is not ours it tells no more than that it happened."""
    if not isinstance(error, errors.ClewError):
        return _problem(_KINDS[errors.ClewError], _UNEXPECTED, instance)
    kind = next(_KINDS[each] for each in type(error).__mro__ if each in _KINDS)
    fields = error.fields if isinstance(error, errors.InvalidRequestError) else {}
    return _problem(kind, str(error), instance, fields)


def problem_of_type(type_: str, detail: str, instance: str = "") -> Problem:
    """The problem document of a problem type that was told of before, such as in an ``error`` event."""
    kind = next((kind for kind in _KINDS.values() if TYPE_PREFIX + kind.slug == type_), _KINDS[errors.ClewError])
    return _problem(kind, detail, instance)


def not_found(path: str, instance: str = "") -> Problem:
    """The problem document of a path that names no resource."""
    kind = _Kind(404, "not-found", "No such resource")
    return _problem(kind, f"There is nothing at {path[:200]!r}.", instance)


def method_not_allowed(method: str, path: str, allowed: str, instance: str = "") -> Problem:
    """The problem document of a method that a resource does not have; the answer needs ``Allow`` as well."""
    kind = _Kind(405, "method-not-allowed", "The resource does not have this method")
    return _problem(kind, f"{path[:200]!r} takes {allowed}, not {method[:20]}.", instance)


def _problem(kind: _Kind, detail: str, instance: str, fields: dict[str, str] | None = None) -> Problem:
    listed = tuple(FieldProblem(field=_shown(name), detail=_shown(text)) for name, text in (fields or {}).items())
    return Problem(
        type=TYPE_PREFIX + kind.slug,
        title=kind.title,
        status=kind.status,
        detail=_shown(detail),
        instance=instance or None,
        errors=listed or None,
    )


def _shown(text: str) -> str:
    """``text`` as it may leave the service: one line of whole characters, not too long, and without ARNs.

    Messages are written to be shown; this is for those that repeat what somebody sent.
    """
    line = " ".join(errors.without_arns(text).splitlines()).encode("utf-8", "replace").decode()
    return line if len(line) <= MOST_DETAIL else line[: MOST_DETAIL - 1] + "…"
