"""A program: the router function called twice as Lambda calls it where the stage traces, the second time to fail."""

import os
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import handler

from clew.errors import ClewError

TASK = {"tenant_id": "acme", "session_id": "s1", "message": "Zebrafinch?", "correlation_id": "r7"}


def call(header: str, **fields: str) -> None:
    os.environ["_X_AMZN_TRACE_ID"] = header
    context: Any = SimpleNamespace(
        function_name="clew-dev-router", memory_limit_in_mb=512, invoked_function_arn="arn", aws_request_id="q1"
    )
    with suppress(ClewError):
        handler.handler(TASK | fields, context)


call("Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1")
call("Root=1-5759e989-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad9;Sampled=1", requested_kb_prefix="zebrafinch")
