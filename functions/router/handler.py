"""The router function: the workflow's first task, and POST /route."""

import time
from functools import lru_cache
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

from clew import wiring
from clew.answering.turn.lookup import LookupInput
from clew.edge.identity import resolve_tenant
from clew.edge.requests import RouteRequest, decode_body, parse_body
from clew.knowledge.profile_cache import ProfileCache
from clew.observability import metrics
from clew.observability.correlation import ANSWER_HEADER, correlation_id, instance
from clew.observability.invocations import observed
from clew.observability.logs import function_logger
from clew.observability.tracing import annotate
from clew.problem import MEDIA_TYPE, problem_of
from clew.routing.decision import RouteDecision
from clew.routing.router import route
from clew.settings import RouterSettings

logger = function_logger()
profiles = ProfileCache()


@lru_cache
def settings() -> RouterSettings:
    return RouterSettings.load()


def _correlation(event: dict[str, Any]) -> object:
    return event["requestContext"]["requestId"] if "httpMethod" in event else event.get("correlation_id")


@logger.inject_lambda_context
@observed(_correlation)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    if "httpMethod" in event:
        return answer_request(APIGatewayProxyEvent(event))
    task = LookupInput.model_validate(event)
    return {"decision": decide(task).model_dump(mode="json")}


def decide(task: LookupInput) -> RouteDecision:
    began = time.perf_counter()
    annotate(session_id=task.session_id)
    decision = route(
        task.message,
        requested_kb_prefix=task.requested_kb_prefix,
        agent_type=task.agent_type,
        knowledge_bases=profiles.profiles(wiring.stores.knowledge_bases(settings(), task.tenant_id)),
        embedder=wiring.models.embedder(settings()),
        auto_route=settings().kb_auto_route,
        chooser=wiring.retrieval.kb_chooser(settings()),
        intent=task.intent,
        known=task.known,
    )
    annotate(kb_prefix=decision.kb_prefix, method=decision.method)
    took = metrics.milliseconds((time.perf_counter() - began) * 1000)
    metrics.write(settings().stage, {"RouteDuration": took}, method=decision.method)
    logger.info(
        "routed",
        session_id=task.session_id,
        kb_prefix=decision.kb_prefix,
        method=decision.method,
        intent=decision.intent.name if decision.intent else "",
        workers=[run.worker_name for run in decision.plan],
    )
    return decision


def answer_request(event: APIGatewayProxyEvent) -> dict[str, Any]:
    """POST /route: the decision as JSON, or a problem document."""
    try:
        request = parse_body(RouteRequest, decode_body(event.body, bool(event.is_base64_encoded)))
        tenant_id = resolve_tenant(settings().identity, event.request_context.authorizer.claims, event.headers)
        decision = decide(
            LookupInput(
                tenant_id=tenant_id,
                session_id=request.session_id,
                message=request.message,
                requested_kb_prefix=request.kb_prefix,
                agent_type=request.agent_type,
            )
        )
    except Exception as error:  # whatever is raised is answered as a problem document
        problem = problem_of(error, instance())
        if problem.status >= 500:
            logger.exception("request failed", problem=problem.type)
        return _response(problem.status, MEDIA_TYPE, problem.to_json())
    return _response(200, "application/json", decision.model_dump_json())


def _response(status: int, media_type: str, body: str) -> dict[str, Any]:
    headers = {"Content-Type": media_type, ANSWER_HEADER: correlation_id()}
    return {"statusCode": status, "headers": headers, "body": body, "isBase64Encoded": False}
