"""How long a question takes: to the stream's moments, step by step, and its workflow alone."""

import json
import time
import uuid

import httpx
from httpx_sse import connect_sse

from clew.local.running_stack import RunningStack
from tests.bench.emulator import emulator_client
from tests.bench.figure import WARM_UP, Figure, of_runs, tell, timed

QUESTIONS = {
    "en": "In which city was the composer of Interstellar born?",
    "zh": "《卧虎藏龙》的作曲者出生在哪座城市？",
}
AIMS = {"start": 50.0, "first token": 1000.0}
USER = "bench"


def measure(stack: RunningStack, runs: int) -> list[Figure]:
    figures: list[Figure] = []
    for language, question in QUESTIONS.items():
        tell(f"asking {question} {WARM_UP} + {runs} times")
        group = f"question ({language}): {question}"
        figures += _question(stack, group, question, runs)
        tell("running its workflow alone")
        figures += _workflow(stack, group, question, runs)
    return figures


def _question(stack: RunningStack, group: str, question: str, runs: int) -> list[Figure]:
    moments: dict[str, list[float]] = {"start": [], "first token": [], "done": []}
    steps: dict[str, list[float]] = {}
    # trust_env=False: a proxy in the shell has no business with loopback.
    with httpx.Client(base_url=f"{stack.url}/api/v1", timeout=60, trust_env=False) as client:
        for number in range(WARM_UP + runs):
            session = f"bench-{uuid.uuid4().hex}"
            found = ask(client, question, session)
            if number < WARM_UP:
                continue
            for name, milliseconds in found.items():
                moments[name].append(milliseconds)
            page = client.get(f"/conversations/{session}/messages", params={"user_id": USER}).json()
            for name, milliseconds in page["messages"][-1]["debug"]["timings_ms"].items():
                steps.setdefault(name, []).append(milliseconds)
    return [
        *(of_runs(group, f"request to {name}", found, aim=AIMS.get(name)) for name, found in moments.items()),
        *(of_runs(group, f"  step {name}", found) for name, found in steps.items()),
    ]


def ask(client: httpx.Client, question: str, session: str) -> dict[str, float]:
    """Milliseconds from the request to each moment of the stream."""
    body = {"user_id": USER, "session_id": session, "message": question}
    seen: dict[str, float] = {}
    began = time.perf_counter()
    with connect_sse(client, "POST", "/chat/stream", json=body) as source:
        for event in source.iter_sse():
            status = json.loads(event.data)["status"]
            moment = "first token" if status == "token" else status
            seen.setdefault(moment, 1000 * (time.perf_counter() - began))
    return {name: seen[name] for name in ("start", "first token", "done")}


def _workflow(stack: RunningStack, group: str, question: str, runs: int) -> list[Figure]:
    """The look-up alone, as the answer function starts it."""
    client = emulator_client(stack, "stepfunctions")
    names = {"tenant_id": "default", "session_id": USER, "requested_kb_prefix": "", "agent_type": ""}
    given = json.dumps(names | {"message": question})
    took: list[float] = []
    searching: list[float] = []

    def execute() -> None:
        output = json.loads(client.start_sync_execution(stateMachineArn=stack.workflow_arn, input=given)["output"])
        searching.append(max(run["took_ms"] for run in output["runs"]))

    took = timed(execute, runs)
    return [
        of_runs(group, "StartSyncExecution alone", took),
        of_runs(group, "  of that the slowest worker's search", searching[-runs:]),
    ]
