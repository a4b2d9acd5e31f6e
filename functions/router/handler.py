"""The router function: the workflow's first task, and POST /route."""

from functools import lru_cache
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

from clew import wiring
from clew.answering.turn.lookup import LookupInput
from clew.edge.identity import resolve_tenant
from clew.edge.requests import RouteRequest, decode_body, parse_body
from clew.knowledge.profile_cache import ProfileCache
from clew.problem import MEDIA_TYPE, problem_of
from clew.routing.decision import RouteDecision
from clew.routing.router import route
from clew.settings import RouterSettings

logger = Logger()
profiles = ProfileCache()


@lru_cache
def settings() -> RouterSettings:
    return RouterSettings.load()


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    if "httpMethod" in event:
        return answer_request(APIGatewayProxyEvent(event))
    task = LookupInput.model_validate(event)
    return {"decision": decide(task).model_dump(mode="json")}


def decide(task: LookupInput) -> RouteDecision:
    decision = route(
        task.message,
        requested_kb_prefix=task.requested_kb_prefix,
        agent_type=task.agent_type,
        knowledge_bases=profiles.profiles(wiring.knowledge_bases(settings(), task.tenant_id)),
        embedder=wiring.embedder(settings()),
        auto_route=settings().kb_auto_route,
        chooser=wiring.kb_chooser(settings()),
        intent=task.intent,
        known=task.known,
    )
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
        problem = problem_of(error, f"urn:clew:request:{event.request_context.request_id}")
        if problem.status >= 500:
            logger.exception("request failed", problem=problem.type)
        return _response(problem.status, MEDIA_TYPE, problem.to_json())
    return _response(200, "application/json", decision.model_dump_json())


def _response(status: int, media_type: str, body: str) -> dict[str, Any]:
    return {"statusCode": status, "headers": {"Content-Type": media_type}, "body": body, "isBase64Encoded": False}
