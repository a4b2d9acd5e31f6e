"""The api function: the buffered REST resources."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from clew import __version__, wiring
from clew.conversation.cancelling import cancel_answer
from clew.conversation.message import Feedback
from clew.conversation.sessions import clear_session, judge_message, session_messages
from clew.conversation.store import ConversationStore
from clew.edge.identity import resolve, resolve_tenant
from clew.edge.openapi import openapi_document
from clew.edge.requests import (
    CancelRequest,
    ClearRequest,
    ConversationsQuery,
    FeedbackRequest,
    MessagesQuery,
    decode_body,
    parse_body,
    parse_fields,
)
from clew.errors import without_arns
from clew.observability.correlation import ANSWER_HEADER, correlation_id, instance
from clew.observability.invocations import observed
from clew.observability.logs import function_logger
from clew.problem import MEDIA_TYPE, Problem, method_not_allowed, not_found, problem_of
from clew.routing.knowledge_base import KnowledgeBaseProfile
from clew.settings import ApiSettings

ROOT = "/api/v1"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
NOT_SHOWN = {"entity_names", "topic_vectors"}

_Handler = TypeVar("_Handler", bound=Callable[..., Any])
_Request = TypeVar("_Request", bound=BaseModel)

app = APIGatewayRestResolver(serializer=lambda body: json.dumps(body, ensure_ascii=False))
logger = function_logger()


@lru_cache
def settings() -> ApiSettings:
    return ApiSettings.load()


@logger.inject_lambda_context
@observed(lambda event: event["requestContext"]["requestId"])
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    answer = app.resolve(event, context)
    answer["multiValueHeaders"][ANSWER_HEADER] = [correlation_id()]
    return answer


def resource(method: str, path: str) -> Callable[[_Handler], _Handler]:
    """Route ``method`` to the decorated function and answer every other method of the path with 405."""

    def refused(**_: str) -> Response[str]:
        event = app.current_event
        return _refusal(method_not_allowed(event.http_method, event.path, method, instance()), Allow=method)

    app.route(ROOT + path, method=[each for each in METHODS if each != method])(refused)
    return app.route(ROOT + path, method=method)


@resource("GET", "/health")
def health() -> dict[str, Any]:
    return {"status": "ok", "version": __version__, "stage": settings().stage}


@resource("GET", "/openapi.json")
def openapi() -> Response[str]:
    return Response(200, "application/json", openapi_document())


@resource("POST", "/clear")
def clear() -> dict[str, Any]:
    request = _body(ClearRequest)
    store, user_id = _store(request.user_id)
    cleared = clear_session(store, user_id, request.session_id)
    return {"status": "ok", "remaining_messages": "0", "cleared": cleared}


@resource("POST", "/chat/cancel")
def cancel() -> dict[str, Any]:
    request = _body(CancelRequest)
    store, user_id = _store(request.user_id)
    running = wiring.stores.running_answers(settings())
    ended = cancel_answer(store, running, user_id, request.session_id, request.message_id)
    return {"status": "ok", "state": ended.state, "message_id": ended.message_id}


@resource("POST", "/feedback")
def feedback() -> dict[str, Any]:
    request = _body(FeedbackRequest)
    store, user_id = _store(request.user_id)
    fields = request.model_dump(exclude={"user_id", "session_id"})
    judge_message(store, user_id, request.session_id, Feedback(thread_id=request.session_id, **fields))
    return {"status": "ok", "message_id": request.message_id}


@resource("GET", "/conversations")
def conversations() -> dict[str, Any]:
    query = parse_fields(ConversationsQuery, app.current_event.query_string_parameters)
    store, user_id = _store(query.user_id)
    return store.list_conversations(user_id, query.limit, query.before).model_dump(mode="json")


@resource("GET", "/conversations/<session_id>/messages")
def messages(session_id: str) -> dict[str, Any]:
    query = parse_fields(MessagesQuery, app.current_event.query_string_parameters)
    store, user_id = _store(query.user_id)
    # The path may come as it was sent; no id has a character that decoding could change twice.
    page = session_messages(store, user_id, unquote(session_id), query.limit, query.before, query.after)
    return page.model_dump(mode="json")


@resource("GET", "/knowledge-bases")
def knowledge_bases() -> dict[str, Any]:
    event = app.current_event
    tenant_id = resolve_tenant(settings().identity, event.request_context.authorizer.claims, event.headers)
    profiles = wiring.stores.knowledge_bases(settings(), tenant_id).list()
    return {"knowledge_bases": [_shown(each) for each in profiles]}


def _shown(profile: KnowledgeBaseProfile) -> dict[str, Any]:
    """A profile as clients see it; the extraction's name may hold the ARN of a model."""
    shown = profile.model_dump(mode="json", exclude=NOT_SHOWN)
    return shown | {"extraction": without_arns(profile.extraction)}


@app.not_found
def no_such_resource(_: NotFoundError) -> Response[str]:
    return _refusal(not_found(app.current_event.path, instance()))


# The outermost layer: whatever is raised is answered as a problem document.
@app.exception_handler(Exception)  # type: ignore[untyped-decorator]
def failed(error: Exception) -> Response[str]:
    problem = problem_of(error, instance())
    if problem.status >= 500:
        logger.exception("request failed", problem=problem.type)
    else:
        logger.info("request refused", problem=problem.type)
    return _refusal(problem)


def _body(model: type[_Request]) -> _Request:
    event = app.current_event
    return parse_body(model, decode_body(event.body, bool(event.is_base64_encoded)))


def _store(claimed_user_id: str) -> tuple[ConversationStore, str]:
    """The caller's tenant's store, and who the caller is in it."""
    event = app.current_event
    claims = event.request_context.authorizer.claims
    caller = resolve(settings().identity, claims, event.headers, claimed_user_id)
    return wiring.stores.conversation_store(settings(), caller.tenant_id), caller.user_id


def _refusal(problem: Problem, **headers: str) -> Response[str]:
    return Response(problem.status, MEDIA_TYPE, problem.to_json(), headers=headers)
