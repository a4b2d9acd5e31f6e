"""``make bench-memory``: what remembering costs, round by round, beside LangGraph's checkpoints on the same emulator.

Starts a stack of its own, with the demo. Tables go to standard output, progress to standard error; ``--write`` puts
the tables into docs/benchmarks.md.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console

from tests.bench.conversation import latency, peers
from tests.bench.conversation.meter import Count
from tests.bench.conversation.parts import metered_parts
from tests.bench.conversation.rounds import Conversation, Round, questions
from tests.bench.figure import table as figures_table
from tests.bench.figure import tell
from tests.bench.tables import DOCUMENT, Table, write_tables
from tests.laptop import FIRST_START, running

ROUNDS: Final = 50
SPAN: Final = 6  # rounds that a row stands for: memory summarises every third
ROWS: Final = (1, 10, 50, 500)
ONE_WORKER: Final = "graph_agent"
WAKING: Final = ("Hello!", "Who directed Inception?", "Why did Oppenheimer win so many prizes?")


def main() -> int:
    options = arguments()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder, running(Path(folder) / ".clew") as run:
        tell("starting a stack with the demo")
        run.ready(FIRST_START)
        with metered_parts(run.stack) as parts:
            tell("waking every function")
            waking = Conversation(run.stack, parts, "")
            for message in WAKING:
                waking.ask(message)
            tell(f"{ROUNDS} rounds with one worker each")
            conversation = Conversation(run.stack, parts, ONE_WORKER)
            rounds = talk(conversation, ROUNDS + SPAN)
            tell(f"going on from round {ROWS[-1]}")
            conversation.fill(rounds, ROWS[-1] - 1)
            late = [conversation.ask(each) for each in questions(ROUNDS + SPAN)[ROUNDS - 1 : ROUNDS - 1 + SPAN]]
            tell(f"{ROUNDS} rounds as the router plans them")
            planned = talk(Conversation(run.stack, parts, ""), ROUNDS)
        tell("LangGraph with the same turns")
        peer_runs = peers.measure(run.stack, [(each.question, each.answer) for each in rounds[:ROUNDS]])
        tell("time to the first token")
        figures = latency.measure(run.stack, conversation.session, 2 * ROWS[-1], options.runs)
    note = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs."
    tables = [
        per_turn(rounds, late, note),
        fifty(rounds[:ROUNDS], planned, peer_runs, note),
    ]
    for each in tables:
        console.print(each.on_terminal())
    sys.stdout.write(figures_table(figures) + "\n")
    if options.write:
        write_tables(DOCUMENT, tables)
        tell(f"written into {DOCUMENT}")
    return 0


def talk(conversation: Conversation, rounds: int) -> list[Round]:
    found = []
    for number, question in enumerate(questions(rounds), start=1):
        found.append(conversation.ask(question))
        if number % 10 == 0:
            tell(f"round {number}")
    return found


def per_turn(rounds: Sequence[Round], late: Sequence[Round], note: str) -> Table:
    """What a turn takes at some places of a long conversation: the mean of the rounds from there on."""
    spans = {1: rounds[:1], **{row: rounds[row - 1 : row - 1 + SPAN] for row in ROWS[1:-1]}, ROWS[-1]: late}
    rows = []
    for row, span in spans.items():
        total = sum((each.total() for each in span), Count())
        number = len(span)
        rows.append(
            (
                f"{row}" if number == 1 else f"{row} to {row + number - 1}",
                f"{total.total_requests / number:.1f}",
                f"{total.bytes / number:,.0f}",
                f"{total.write / number:.2f}",
                f"{total.read / number:.2f}",
                f"{statistics.mean(each.history_tokens for each in span):,.0f}",
            )
        )
    columns = ("rounds", "requests", "bytes", "write units", "read units", "tokens of history")
    return Table("memory per turn", columns, rows, note=note)


def fifty(rounds: Sequence[Round], planned: Sequence[Round], runs: Sequence[peers.PeerRun], note: str) -> Table:
    """Fifty turns together, by who keeps them."""
    rows = []
    for name, kept in (("Clew, one worker a question", rounds), ("Clew, workers as planned", planned)):
        total = sum((each.total() for each in kept), Count())
        rows.append(_row(name, total, kept[-1].total()))
        for part in ("answer", "router", "retrieval", "memory"):
            of_part = sum((each.taken[part] for each in kept), Count())
            rows.append(_row(f"- {part} function", of_part, kept[-1].taken[part]))
    for run in runs:
        rows.append(_row(f"LangGraph, {run.setting}", sum(run.turns, Count()), run.turns[-1]))
    columns = ("kept by", "requests", "bytes", "write units", "read units", "write units of the last turn")
    return Table("memory of fifty turns", columns, rows, note=note)


def _row(name: str, total: Count, last: Count) -> tuple[str, ...]:
    numbers = (f"{total.total_requests:,}", f"{total.bytes:,}", f"{total.write:,.0f}", f"{total.read:,.1f}")
    return (name, *numbers, f"{last.write:,.0f}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-memory", description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="questions of each kind for the time to the first token")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
