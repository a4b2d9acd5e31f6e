"""The parts of a running stack, each with a meter of its own between it and the table."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from clew.local.environment import applied, aws_environment
from clew.local.project import STAGE
from clew.local.running_stack import RunningStack
from tests.bench.conversation.meter import Count, Meter, metered
from tests.bench.emulator import emulator_client

ENDPOINT: Final = "AWS_ENDPOINT_URL_DYNAMODB"
DEPLOYED: Final = ("router", "retrieval", "memory")


@dataclass(frozen=True)
class Parts:
    """Meters by part; the answer function runs in this process, as it does in the laptop's server."""

    meters: dict[str, Meter]

    def now(self) -> dict[str, Count]:
        return {name: meter.now() for name, meter in self.meters.items()}


@contextmanager
def metered_parts(stack: RunningStack) -> Iterator[Parts]:
    """Send every part's requests through its meter; this process has the answer function's environment meanwhile."""
    functions = emulator_client(stack, "lambda")

    def variables(part: str) -> dict[str, str]:
        found: dict[str, str] = functions.get_function_configuration(FunctionName=f"clew-{STAGE}-{part}")[
            "Environment"
        ]["Variables"]
        return found

    def configure(part: str, environment: dict[str, str]) -> None:
        functions.update_function_configuration(
            FunctionName=f"clew-{STAGE}-{part}", Environment={"Variables": environment}
        )

    with ExitStack() as closing:
        meters = {part: closing.enter_context(metered(stack.emulator_url)) for part in ("answer", *DEPLOYED)}
        for part in DEPLOYED:
            before = variables(part)
            closing.callback(configure, part, before)
            configure(part, before | {ENDPOINT: meters[part].url})
        own = aws_environment(stack.emulator_url, variables("answer")) | {ENDPOINT: meters["answer"].url}
        closing.enter_context(applied(own))
        yield Parts(meters)
