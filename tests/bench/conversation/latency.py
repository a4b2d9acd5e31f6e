"""From the request to the first token, in an empty conversation and in a long one, by turns."""

import time
import uuid
from typing import Final

import httpx

from clew.local.running_stack import RunningStack
from tests.bench.figure import Figure, of_runs, tell
from tests.bench.latency import QUESTIONS, ask

GROUP: Final = "request to first token"
AIM: Final = 1.1


def measure(stack: RunningStack, session: str, messages: int, runs: int) -> list[Figure]:
    """Ask in ``session``, which has ``messages`` messages of history, and in new ones, one after the other."""
    figures: list[Figure] = []
    with httpx.Client(base_url=f"{stack.url}/api/v1", timeout=60, trust_env=False) as client:
        for language, question in QUESTIONS.items():
            tell(f"asking {question} {runs} times in a long conversation and in new ones")
            long: list[float] = []
            new: list[float] = []
            for _ in range(runs):
                new.append(ask(client, question, f"bench-{uuid.uuid4().hex}")["first token"])
                long.append(ask(client, question, session)["first token"])
                time.sleep(1.5)  # memory's work for the last turn is not this turn's
            empty, full = (
                of_runs(GROUP, f"{language}, empty conversation", new),
                of_runs(GROUP, f"{language}, {messages} messages of history", long),
            )
            figures += [
                empty,
                full,
                Figure(GROUP, f"{language}, ratio", round(full.value / empty.value, 3), "", aim=AIM),
            ]
    return figures
