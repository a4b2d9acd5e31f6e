"""A program: an app as the answer function is one, asked by several clients at once, each within a trace of its own.

It is a process of its own because X-Ray's SDK changes botocore for good. Argument: how many clients. The first is not
sampled, the second's turn fails, and for the last, which comes alone, a thread without a context calls AWS.
"""

import asyncio
import sys
from contextlib import suppress
from threading import Thread
from typing import Any

import boto3
import httpx
from anyio.to_thread import run_sync
from botocore.exceptions import ClientError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clew.answering.turn.outcome import TurnOutcome
from clew.observability.asgi import Observed
from clew.observability.turns import observe_turns

observe = observe_turns("dev")


async def answer(request: Request) -> Response:
    """Call AWS in a thread, as a turn does; then the turn is over, some milliseconds of it long."""
    dynamodb: Any = request.app.state.dynamodb

    def look_up() -> None:
        with suppress(ClientError):
            dynamodb.get_item(TableName="t", Key={"pk": {"S": "Zebrafinch"}})

    if request.query_params.get("bare"):
        bare = Thread(target=look_up)
        bare.start()
        bare.join()
    else:
        await run_sync(look_up)
    ending = "error" if request.query_params.get("fails") else "done"
    observe(TurnOutcome(ending, 40.0, kb_prefix="movie", steps_ms={"remember": 5.0, "lookup": 25.0}))
    return Response()


async def main(clients: int) -> None:
    application = Starlette(routes=[Route("/", answer)])
    application.state.dynamodb = boto3.client(
        "dynamodb", config=boto3.session.Config(retries={"total_max_attempts": 1})
    )
    transport = httpx.ASGITransport(Observed(application))
    async with httpx.AsyncClient(transport=transport, base_url="http://answer", timeout=60) as client:

        async def ask(number: int, **how: str) -> None:
            sampled = 0 if number == 0 else 1
            header = f"Root=1-5759e988-{number:024x};Parent={number + 1:016x};Sampled={sampled}"
            headers = {"X-Amzn-Trace-Id": header, "X-Request-Id": f"r{number}"}
            (await client.get("/", headers=headers, params=how)).raise_for_status()

        await ask(1, fails="yes")
        await asyncio.gather(ask(0), *(ask(number) for number in range(2, clients - 1)))
        await ask(clients - 1, bare="yes")


asyncio.run(main(int(sys.argv[1])))
