"""One measured figure, and the table of all."""

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

WARM_UP = 3


@dataclass(frozen=True)
class Figure:
    """``value`` is the median where there are several runs, ``p95`` then the slow end; ``aim`` is an upper bound."""

    group: str
    name: str
    value: float
    unit: str
    p95: float | None = None
    aim: float | None = None
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


def of_runs(group: str, name: str, runs: Sequence[float], unit: str = "ms", aim: float | None = None) -> Figure:
    return Figure(group, name, round(statistics.median(runs), 1), unit, round(percentile(runs, 0.95), 1), aim)


def percentile(runs: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: a value that was measured, none in between."""
    ordered = sorted(runs)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def table(figures: Iterable[Figure]) -> str:
    rows = [("", "median", "p95", "aim", "")]
    group = ""
    for each in figures:
        if each.group != group:
            rows.append((each.group, "", "", "", ""))
            group = each.group
        p95 = _number(each.p95) if each.p95 is not None else ""
        aim = f"≤ {_number(each.aim)}" if each.aim is not None else ""
        missed = "over" if each.aim is not None and each.value > each.aim else ""
        rows.append((f"  {each.name}", f"{_number(each.value)} {each.unit}", p95, aim, missed or each.note))
    widths = [max(_width(row[column]) for row in rows) for column in range(4)]
    return "\n".join(_line(row, widths) for row in rows)


def timed(work: Callable[[], Any], runs: int) -> list[float]:
    """The milliseconds of each of ``runs`` runs; some before them warm up and are not counted."""
    found: list[float] = []
    for number in range(WARM_UP + runs):
        began = time.perf_counter()
        work()
        if number >= WARM_UP:
            found.append(1000 * (time.perf_counter() - began))
    return found


def tell(what: str) -> None:
    sys.stderr.write(f"bench: {what}\n")


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    name, *numbers, note = row
    cells = [name + " " * (widths[0] - _width(name))]
    cells += [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join([*cells, note]).rstrip()


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.1f}"


def _width(text: str) -> int:
    """Columns on a terminal: a Chinese character takes two."""
    return sum(2 if "\u2e80" <= character <= "\uffef" else 1 for character in text)
