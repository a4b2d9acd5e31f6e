"""Generated requests, good and bad: what the service answered, by route."""

from collections import Counter

from tests.bench.figure import tell
from tests.bench.tables import Table
from tests.fuzzing.report import Report
from tests.fuzzing.run import fuzz

NAME = "bad input"
COLUMNS = ("route", "requests", "answered", "refused", "5xx")


def measure(url: str, *, each: int, answered: int) -> Table:
    """Send some forty times ``each`` requests; a service that does not bear one ends the run."""
    report = fuzz(url, each=each, answered=answered)
    tell(str(report))
    assert not report.violations, "\n".join(report.violations)
    rows = [_row(route, report.statuses[route]) for route in sorted(report.statuses)]
    rows.append(_row("all", sum(report.statuses.values(), Counter())))
    return Table(NAME, COLUMNS, rows, note=_note(report))


def _row(route: str, statuses: Counter[int]) -> tuple[str, ...]:
    by_class: Counter[int] = Counter()
    for status, count in statuses.items():
        by_class[status // 100] += count
    told = f"`{route}`" if route.startswith("/") else route
    return (told, *(f"{count:,}" for count in (statuses.total(), by_class[2], by_class[4], by_class[5])))


def _note(report: Report) -> str:
    slowest, _ = report.slowest
    return (
        f"Drawn with seed {report.seed}, in {report.seconds:.0f} s; the slowest took {slowest:.1f} s. "
        f"{report.conversations} conversations read back: no halves."
    )
