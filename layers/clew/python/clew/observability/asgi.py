"""The answer function's side of correlation: each request in a context of its own, its id in the answer's headers."""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from clew.observability.correlation import ANSWER_HEADER, bound, correlation_of
from clew.observability.tracing import TRACE_HEADER, in_trace, prepare

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_App = Callable[[_Message, _Receive, _Send], Awaitable[None]]

logger = logging.getLogger(__name__)


class Observed:
    """An ASGI app around ``app``; the outermost one, so that answers to what breaks carry the id as well."""

    def __init__(self, app: _App) -> None:
        self._app = app
        prepare()

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        found = correlation_of(headers)
        added = (ANSWER_HEADER.lower().encode(), found.encode())
        begun = False

        async def answer(message: _Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message["status"] < 500
                message["headers"] = [*message.get("headers", ()), added]
            await send(message)

        with bound(correlation_id=found), in_trace(headers.get(TRACE_HEADER, "")):
            try:
                await self._app(scope, receive, answer)
            except Exception:
                if begun:  # too late for the app's own handlers of errors; the server, which logs it, knows no id
                    logger.exception("answer broke off")
                raise
