"""The answer function: the streamed resources as an ASGI app."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from functools import lru_cache
from typing import Any, Final

from anyio.to_thread import run_sync
from aws_lambda_powertools import Logger
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clew import __version__, wiring
from clew.answering.collected import collect
from clew.answering.turn.request import TurnRequest
from clew.edge.identity import resolve
from clew.edge.requests import ChatRequest, parse_body
from clew.errors import ClewError
from clew.problem import MEDIA_TYPE, Problem, method_not_allowed, not_found, problem_of
from clew.routing.router import AUTO
from clew.routing.worker_name import GENERAL, check_agent_type
from clew.settings import AnswerSettings

HEARTBEAT_SECONDS: Final = 10
REQUEST_CONTEXT: Final = "x-amzn-request-context"  # set by the Web Adapter, over whatever a client sends

logger = Logger()


@lru_cache
def settings() -> AnswerSettings:
    return AnswerSettings.load()


async def health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__, "stage": settings().stage})


async def stream(request: Request) -> Response:
    """The answer as server-sent events; what is wrong with the request itself is answered before any event."""
    turn_request = await _turn_request(request)
    return EventSourceResponse(
        _frames(turn_request),
        ping=HEARTBEAT_SECONDS,
        ping_message_factory=lambda: ServerSentEvent(comment="ping", sep="\n"),
        headers={"X-Accel-Buffering": "no"},
    )


async def chat(request: Request) -> Response:
    """The same events collected into one JSON body."""
    turn_request = await _turn_request(request)
    async with aclosing(wiring.turn(settings()).stream(turn_request)) as events:
        outcome = await collect(events)
    if isinstance(outcome, Problem):
        return _refusal(outcome)
    return JSONResponse(outcome.model_dump(mode="json"))


async def _frames(turn_request: TurnRequest) -> AsyncIterator[ServerSentEvent]:
    async with aclosing(wiring.turn(settings()).stream(turn_request)) as events:
        async for event in events:
            yield ServerSentEvent(data=event.model_dump_json(), sep="\n")


async def _turn_request(request: Request) -> TurnRequest:
    """The request, checked; unknown names are refused here, where a status can still tell."""
    body = parse_body(ChatRequest, await request.body())
    claims = _claims(request.headers)
    caller = resolve(settings().identity, claims, request.headers, body.user_id)
    if body.agent_type not in ("", AUTO):
        check_agent_type(body.agent_type)
    if body.kb_prefix not in ("", GENERAL):
        registry = wiring.knowledge_bases(settings(), caller.tenant_id)
        await run_sync(registry.get, body.kb_prefix)
    return TurnRequest(
        tenant_id=caller.tenant_id,
        user_id=caller.user_id,
        session_id=body.session_id,
        message=body.message,
        kb_prefix=body.kb_prefix,
        agent_type=body.agent_type,
        debug=body.debug,
        client_message_id=body.message_id,
    )


def _claims(headers: Mapping[str, str]) -> dict[str, Any] | None:
    """The token's claims as API Gateway's authorizer found them."""
    try:
        context = json.loads(headers.get(REQUEST_CONTEXT) or "{}")
        claims = context.get("authorizer", {}).get("claims")
    except (ValueError, AttributeError):
        return None
    return claims if isinstance(claims, dict) else None


async def _failed(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status >= 500:
        logger.error("request failed", exc_info=error, problem=problem.type)
    return _refusal(problem)


async def _http_failed(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        allowed = (error.headers or {}).get("Allow", "") if isinstance(error, HTTPException) else ""
        return _refusal(method_not_allowed(request.method, request.url.path, allowed), Allow=allowed)
    return _refusal(not_found(request.url.path) if status == 404 else problem_of(error))


def _refusal(problem: Problem, **headers: str) -> Response:
    return Response(problem.to_json(), problem.status, headers=headers, media_type=MEDIA_TYPE)


app = Starlette(
    routes=[
        Route("/health", health),
        Route("/api/v1/health", health),
        Route("/api/v1/chat/stream", stream, methods=["POST"]),
        Route("/api/v1/chat", chat, methods=["POST"]),
    ],
    # Under Exception alone every refusal would be raised again once answered, and end in the log as a crash.
    exception_handlers={HTTPException: _http_failed, ClewError: _failed, Exception: _failed},
)
