"""What came of a scenario, as a row of the table of faults."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.conversation.message import Message
from tests.faults.listening import Heard
from tests.faults.world import World


@dataclass(frozen=True)
class Outcome:
    """``client`` is what the client saw, ``store`` what the table holds, ``seconds`` how long the client had to wait.

    ``note`` is what was measured besides.
    """

    client: str
    store: str
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Scenario:
    """A fault, and what is done to see it; ``run`` checks what has to hold, and tells what came of it."""

    group: str
    name: str
    run: Callable[[World], Outcome]
    quick: bool = False


def seen(heard: Heard) -> str:
    """A stream in some words: ``start, progress ×2, 5 tokens, error `model-failed```."""
    told: list[str] = []
    for status in dict.fromkeys(heard.statuses()):
        times = heard.statuses().count(status)
        match status:
            case "token":
                told.append(f"{heard.words} tokens")
            case "done":
                reason = heard.last["content"].get("stop_reason", "end")
                told.append("done" if reason == "end" else f"done ({reason})")
            case "error":
                told.append(f"error `{heard.ending}`")
            case _:
                failed = f" ({', '.join(heard.worker_errors)})" if status == "progress" and heard.worker_errors else ""
                told.append(f"{status}{f' ×{times}' * (times > 1)}{failed}")
    if heard.pings:
        told.append(f"{heard.pings} heartbeat{'s' * (heard.pings > 1)}")
    if heard.how == "left":
        told.append("left")
    elif heard.how != "whole":
        told.append("the connection was lost" if heard.how == "torn" else f"status {heard.how}")
    return ", ".join(told)


def kept(messages: Sequence[Message]) -> str:
    """A conversation in some words: ``question; answer of 5 tokens, partial (ModelError)``."""
    return "; ".join(map(_kept, messages)) or "nothing"


def _kept(message: Message) -> str:
    if message.role == "user":
        return "question"
    told = f"answer of {len(message.content.split())} tokens"
    if message.debug.get("cancelled"):
        return f"{told}, cancelled"
    if message.debug.get("partial"):
        return f"{told}, partial ({message.debug.get('why', '')})"
    return told
