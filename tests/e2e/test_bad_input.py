"""Hundreds of generated requests: whatever is sent, the service answers, says what is wrong, and stores no halves."""

import json
import os
import random
from collections.abc import Callable
from typing import Any

from boto3.dynamodb.conditions import Attr

from clew.edge.openapi import openapi_document
from tests.e2e.service import SharedStack
from tests.fuzzing.run import fuzz

SEED = os.environ.get("CLEW_FUZZ_SEED", "")
"""Empty draws few requests, the same in each run; a number draws many, and so does ``random``."""


def test_generated_requests_are_answered_as_documented_and_leave_no_halves(
    stack: SharedStack, tell: Callable[[str], None]
) -> None:
    before = sessions_stored(stack)
    each, answered = (100, 60) if SEED else (10, 12)
    seed = random.randrange(10**9) if SEED == "random" else int(SEED or 1)  # noqa: S311
    report = fuzz(stack.url, seed=seed, each=each, answered=answered)
    tell(str(report))
    assert not report.violations, "\n".join([str(report), *report.violations])
    assert report.requests >= 300
    assert set(report.statuses) >= set(json.loads(openapi_document())["paths"])
    assert sessions_stored(stack) == before + report.conversations


def sessions_stored(stack: SharedStack) -> int:
    """Of all users of all tenants: also of those that only a refused request names."""
    table, count = stack.table(), 0
    arguments: dict[str, Any] = {"FilterExpression": Attr("sk").begins_with("SESSION#"), "Select": "COUNT"}
    while True:
        page = table.scan(**arguments)
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            return count
        arguments["ExclusiveStartKey"] = page["LastEvaluatedKey"]
