"""What API Gateway answers by itself, in the shape of all other errors: problem documents (RFC 9457)."""

import json
from typing import Final, NamedTuple

from aws_cdk import aws_apigateway as apigateway

from clew.problem import MEDIA_TYPE, TYPE_PREFIX


class _Refusal(NamedTuple):
    """``status`` is None where API Gateway has several; the document then names none."""

    type: apigateway.ResponseType
    status: int | None
    slug: str
    title: str
    detail: str


_SIGN_IN: Final = "Send the ID token of a signed-in user in the header Authorization."
_REFUSALS: Final = (
    # API Gateway's name for a path or a method that the API does not have.
    _Refusal(
        apigateway.ResponseType.MISSING_AUTHENTICATION_TOKEN,
        404,
        "not-found",
        "No such resource",
        "There is nothing at this address, or not by this method.",
    ),
    _Refusal(apigateway.ResponseType.UNAUTHORIZED, 401, "unauthorized", "Not signed in", _SIGN_IN),
    _Refusal(apigateway.ResponseType.EXPIRED_TOKEN, 401, "unauthorized", "Not signed in", _SIGN_IN),
    _Refusal(apigateway.ResponseType.ACCESS_DENIED, 403, "forbidden", "Not allowed", "This user may not do this."),
    _Refusal(
        apigateway.ResponseType.REQUEST_TOO_LARGE,
        413,
        "request-too-large",
        "The request is too large",
        "A request may have 10 MB at most.",
    ),
    _Refusal(
        apigateway.ResponseType.THROTTLED,
        429,
        "too-many-requests",
        "Too many requests",
        "More is asked than this service allows at a time. Try again in a moment.",
    ),
    _Refusal(
        apigateway.ResponseType.INTEGRATION_TIMEOUT,
        504,
        "upstream-timeout",
        "The service took too long",
        "The service took too long to answer. Try again later.",
    ),
    _Refusal(
        apigateway.ResponseType.INTEGRATION_FAILURE,
        502,
        "upstream-unavailable",
        "The service does not answer",
        "The service behind this address does not answer. Try again later.",
    ),
    _Refusal(
        apigateway.ResponseType.DEFAULT_4_XX,
        None,
        "invalid-request",
        "The request does not fit",
        "The request cannot be served as it is.",
    ),
    _Refusal(
        apigateway.ResponseType.DEFAULT_5_XX,
        None,
        "internal-error",
        "Something went wrong",
        "Something went wrong on our side. Try again later.",
    ),
)


def add_refusals(rest_api: apigateway.RestApi) -> None:
    """Replace API Gateway's own bodies; functions answer everything that reaches them themselves."""
    for refusal in _REFUSALS:
        rest_api.add_gateway_response(
            refusal.type.response_type.title().replace("_", ""),
            type=refusal.type,
            status_code=str(refusal.status) if refusal.status else None,
            response_headers={"Content-Type": f"'{MEDIA_TYPE}'"},
            # API Gateway takes the template of this media type whatever the request accepts.
            templates={"application/json": _document(refusal)},
        )


def _document(refusal: _Refusal) -> str:
    document = {
        "type": TYPE_PREFIX + refusal.slug,
        "title": refusal.title,
        "status": refusal.status,
        "detail": refusal.detail,
        "instance": "urn:clew:request:$context.requestId",
    }
    return json.dumps({name: value for name, value in document.items() if value is not None})
