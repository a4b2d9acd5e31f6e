"""Load on the local gateway: so many streams at once, level by level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clew.conversation.store import ConversationStore
from tests.bench.figure import percentile, tell
from tests.bench.reliability.asking import Asked, ask
from tests.bench.reliability.machine import ANSWER, EMULATOR, GATEWAY, Parts
from tests.bench.reliability.model_process import ModelProcess
from tests.bench.tables import Table

SEARCHED: Final = "Who directed Parasite?"
GENERAL: Final = "Hello!"
# Streams at once, and how many questions each of them asks one after the other.
LEVELS: Final = {1: 6, 10: 3, 50: 1, 200: 1}
QUICK: Final = {1: 3, 10: 1}
SHARES: Final = (0.5, 0.95, 0.99)
COLUMNS: Final = (
    "streams at once",
    "questions",
    "in generation at once",
    "to `start`",
    "to the first token",
    "between tokens",
    "ended wrongly",
    "messages lost or doubled",
    "answer MB",
    "gateway MB",
    "emulator MB",
    "generator's CPU",
)


@dataclass(frozen=True)
class Level:
    """One row: what was asked, and what the parts weighed afterwards."""

    streams: int
    asked: Asked
    lost: int
    megabytes: dict[str, float]


def measure(
    url: str,
    message: str,
    tokens: int,
    levels: Sequence[int],
    model: ModelProcess,
    store: ConversationStore,
    parts: Parts,
) -> list[Level]:
    """Ask ``message``, which is answered with ``tokens`` tokens, at each of ``levels``."""
    model.script(tokens)
    found = []
    for streams, rounds in levels.items():
        # A process for each function that the level needs at once: these are the emulator's, and none of them is warm.
        tell(f"{streams} streams at once: waking the functions")
        ask(url, message, min(streams, 10), 1)
        tell(f"{streams} streams at once, {rounds} questions each")
        asked = ask(url, message, streams, rounds)
        for each in asked.wrong():
            tell(f"ended wrongly: {each.end}")
        megabytes = {part: parts.resident(part) for part in (ANSWER, GATEWAY, EMULATOR)}
        found.append(Level(streams, asked, asked.lost_or_doubled(store), megabytes))
    return found


def table(name: str, levels: Sequence[Level], note: str) -> Table:
    return Table(name, COLUMNS, [_row(each) for each in levels], words=0, note=note)


def _row(level: Level) -> tuple[str, ...]:
    streams, result = level.asked.streams, level.asked.result
    gaps = [later - sooner for each in streams for sooner, later in zip(each.tokens, each.tokens[1:], strict=False)]
    return (
        f"{level.streams}",
        f"{len(streams)}",
        f"{level.asked.at_once()}",
        _shares([each.start for each in streams if each.start >= 0]),
        _shares([each.tokens[0] for each in streams if each.tokens]),
        _shares(gaps),
        f"{len(level.asked.wrong())}",
        f"{level.lost}",
        *(f"{level.megabytes[part]:,.0f}" for part in (ANSWER, GATEWAY, EMULATOR)),
        f"{100 * result.cpu_s / result.wall_s:.0f} %",
    )


def _shares(milliseconds: Sequence[float]) -> str:
    """p50 / p95 / p99."""
    if not milliseconds:
        return "none"
    return " / ".join(f"{percentile(milliseconds, share):,.0f}" for share in SHARES)
