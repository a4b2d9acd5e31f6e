"""The answer function: the streamed resources as an ASGI app."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from functools import lru_cache
from typing import Any, Final, TypeVar

import anyio
from anyio.to_thread import current_default_thread_limiter, run_sync
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clew import __version__, wiring
from clew.answering.collected import CollectedAnswer, collect
from clew.answering.prompting.prompt import Image
from clew.answering.running.answers import Answers
from clew.answering.turn.request import TurnRequest
from clew.edge.identity import resolve
from clew.edge.images import check_images, parse_images
from clew.edge.lambda_context import seconds_left
from clew.edge.requests import ChatRequest, parse_body
from clew.edge.sse import frames, last_event_id
from clew.errors import ClewError
from clew.observability.asgi import Observed
from clew.observability.correlation import correlation_id, instance
from clew.observability.logs import function_logger
from clew.problem import MEDIA_TYPE, Problem, method_not_allowed, not_found, problem_of
from clew.routing.router import AUTO
from clew.routing.worker_name import GENERAL, check_agent_type
from clew.settings import AnswerSettings

CLIENT_GONE: Final = 499  # nobody reads it
# A comment line alone: with an empty line behind it, some clients make an event without data of it.
PING: Final = b": ping\n"
THREADS: Final = 256  # a turn waits in up to three at once; the usual forty would make turns wait for each other
REQUEST_CONTEXT: Final = "x-amzn-request-context"  # set by the Web Adapter, over whatever a client sends

_Outcome = TypeVar("_Outcome")

logger = function_logger()


@lru_cache
def settings() -> AnswerSettings:
    return AnswerSettings.load()


async def health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__, "stage": settings().stage})


async def stream(request: Request) -> Response:
    """The answer as server-sent events; what is wrong with the request itself is answered before any event."""
    turn_request = await _turn_request(request)
    answers = await run_sync(wiring.answering.answers, settings())  # what is not set up right has a status of its own
    return EventSourceResponse(
        _frames(answers, turn_request, request.headers),
        ping=settings().heartbeat_seconds,  # type: ignore[arg-type]  # a number of seconds, whatever its type says
        ping_message_factory=lambda: PING,  # type: ignore[arg-type,return-value]  # bytes are sent as they are
        headers={"X-Accel-Buffering": "no"},
    )


async def chat(request: Request) -> Response:
    """The same events collected into one JSON body."""
    turn_request = await _turn_request(request)
    answers = await run_sync(wiring.answering.answers, settings())
    outcome = await _while_connected(request, lambda: _collected(answers, turn_request, request.headers))
    if outcome is None:
        return Response(status_code=CLIENT_GONE)
    if isinstance(outcome, Problem):
        return _refusal(outcome)
    return JSONResponse(outcome.model_dump(mode="json"))


async def _frames(answers: Answers, turn_request: TurnRequest, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
    batches = answers.stream(turn_request, last_event_id(headers), seconds_left(headers))
    async with aclosing(batches):
        async for batch in batches:
            yield frames(batch)


async def _collected(
    answers: Answers, turn_request: TurnRequest, headers: Mapping[str, str]
) -> CollectedAnswer | Problem:
    batches = answers.stream(turn_request, seconds=seconds_left(headers))
    async with aclosing(batches):
        return await collect(each.event async for batch in batches for each in batch)


async def _while_connected(request: Request, work: Callable[[], Awaitable[_Outcome]]) -> _Outcome | None:
    """What ``work`` gives, or None once the client has gone, which cancels it."""
    outcome: _Outcome | None = None
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        outcome = await work()
        tasks.cancel_scope.cancel()
    return outcome


async def _turn_request(request: Request) -> TurnRequest:
    """The request, checked; unknown names are refused here, where a status can still tell."""
    body = parse_body(ChatRequest, await request.body())
    claims = _claims(request.headers)
    caller = resolve(settings().identity, claims, request.headers, body.user_id)
    if body.agent_type not in ("", AUTO):
        check_agent_type(body.agent_type)
    wiring.models.check_model(settings(), body.model)
    images = await run_sync(_images, body) if body.images else ()
    if body.kb_prefix not in ("", GENERAL):
        registry = wiring.stores.knowledge_bases(settings(), caller.tenant_id)
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
        images=images,
        model=body.model,
        correlation_id=correlation_id(),
    )


def _images(body: ChatRequest) -> tuple[Image, ...]:
    images = parse_images(body.images)
    check_images(wiring.models.chat_model(settings(), body.model), images)
    return images


def _claims(headers: Mapping[str, str]) -> dict[str, Any] | None:
    """The token's claims as API Gateway's authorizer found them."""
    try:
        context = json.loads(headers.get(REQUEST_CONTEXT) or "{}")
        claims = context.get("authorizer", {}).get("claims")
    except (ValueError, AttributeError):
        return None
    return claims if isinstance(claims, dict) else None


async def _failed(request: Request, error: Exception) -> Response:
    problem = problem_of(error, instance())
    if problem.status >= 500:
        logger.error("request failed", exc_info=error, problem=problem.type)
    return _refusal(problem)


async def _http_failed(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        allowed = (error.headers or {}).get("Allow", "") if isinstance(error, HTTPException) else ""
        return _refusal(method_not_allowed(request.method, request.url.path, allowed, instance()), Allow=allowed)
    return _refusal(not_found(request.url.path, instance()) if status == 404 else problem_of(error, instance()))


def _refusal(problem: Problem, **headers: str) -> Response:
    return Response(problem.to_json(), problem.status, headers=headers, media_type=MEDIA_TYPE)


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    current_default_thread_limiter().total_tokens = THREADS
    yield


application = Starlette(
    lifespan=lifespan,
    routes=[
        Route("/health", health),
        Route("/api/v1/health", health),
        Route("/api/v1/chat/stream", stream, methods=["POST"]),
        Route("/api/v1/chat", chat, methods=["POST"]),
    ],
    # Under Exception alone every refusal would be raised again once answered, and end in the log as a crash.
    exception_handlers={HTTPException: _http_failed, ClewError: _failed, Exception: _failed},
)
# Outermost: also the answer to what nobody expected carries the request's id.
app = Observed(application)
