"""All that a stack has logged so far, wherever it is kept."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from tests.e2e.service import SharedStack


def logs(stack: SharedStack) -> dict[str, str]:
    """Every log by its name: the files of the stack's parts, and the functions' log groups in the emulator."""
    files = [path for path in (stack.data / "logs").rglob("*") if path.is_file()]
    found = {path.relative_to(stack.data).as_posix(): path.read_text("utf-8", "replace") for path in files}
    for page in stack.aws("logs").get_paginator("describe_log_groups").paginate():
        for group in page["logGroups"]:
            found[group["logGroupName"]] = _group(stack, group["logGroupName"])
    return found


def lines(text: str) -> Iterator[dict[str, Any]]:
    """Those lines that a function wrote itself, read."""
    for line in text.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def spellings(words: str) -> set[str]:
    """How ``words`` may stand in a log: as they are, in JSON, in an address, in Python's bytes; in lower case."""
    in_bytes = str(words.encode())[2:-1]
    return {each.lower() for each in (words, json.dumps(words)[1:-1], quote(words), in_bytes)}


def _group(stack: SharedStack, group: str) -> str:
    pages = stack.aws("logs").get_paginator("filter_log_events").paginate(logGroupName=group)
    return "\n".join(event["message"] for page in pages for event in page["events"])
