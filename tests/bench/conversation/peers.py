"""The same conversation kept by LangGraph's DynamoDB checkpoints, on the same emulator."""

import json
import os
import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clew.local.running_stack import RunningStack
from tests.bench.conversation.meter import Count, metered
from tests.bench.emulator import emulator_client
from tests.bench.peers import PYTHON
from tests.laptop import PROJECT

SETTINGS: Final = {
    "as it comes": {"durability": "", "compressed": False},
    'durability="exit"': {"durability": "exit", "compressed": False},
    'durability="exit", compressed': {"durability": "exit", "compressed": True},
}


@dataclass(frozen=True)
class PeerRun:
    """What each turn took, and how many messages the last checkpoint holds."""

    setting: str
    turns: list[Count]
    messages: int


def measure(stack: RunningStack, turns: Sequence[tuple[str, str]]) -> list[PeerRun]:
    """Say ``turns``, question and answer, in each of the settings, into a table of their own."""
    client = emulator_client(stack, "dynamodb")
    table = f"bench-{uuid.uuid4().hex[:8]}"
    client.create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
    )
    try:
        return [_run(stack, table, name, options, turns) for name, options in SETTINGS.items()]
    finally:
        client.delete_table(TableName=table)


def _run(
    stack: RunningStack, table: str, setting: str, options: dict[str, Any], turns: Sequence[tuple[str, str]]
) -> PeerRun:
    credentials = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}
    with (
        metered(stack.emulator_url) as meter,
        subprocess.Popen(
            [PYTHON, "-m", "tests.bench.conversation.peer_graph"],
            cwd=PROJECT,
            env=os.environ | credentials,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        request = {"table": table, "endpoint": meter.url, "thread": uuid.uuid4().hex, "turns": list(turns)} | options
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        counts: list[Count] = []
        before = meter.now()
        for _ in turns:
            if process.stdout.readline() != "turn\n":
                raise RuntimeError(f"the peer broke off after {len(counts)} turns")
            after = meter.now()
            counts.append(after - before)
            before = after
            process.stdin.write("\n")
            process.stdin.flush()
        kept = json.loads(process.stdout.readline())
    return PeerRun(setting, counts, kept["messages"])
